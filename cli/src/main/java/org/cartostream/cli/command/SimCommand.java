package org.cartostream.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.cli.options.PlaceOptions;
import org.cartostream.cli.options.Ros2Options;
import org.cartostream.cli.options.WebOptions;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.ros.RosException;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.ros.node.RosArguments;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.tcpros.TcpRosNode;
import org.cartostream.run.LogRun;
import org.cartostream.run.checkpoint.CheckpointUse;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.OutputFolder;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.report.RunSummary;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.robot.Simulation;
import org.cartostream.sim.ros.RosDrive;
import org.cartostream.sim.world.SdfException;
import org.cartostream.sim.world.SdfWorld;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.StampedPose;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code cartostream sim}. */
@Command(
    name = "sim",
    description = {
      "Let a simulated robot explore a world by itself, and map it.",
      "",
      "The world is one that comes with the program. Without --ros the robot's readings go through"
          + " broker and topology as those of 'replay' do, as fast as the filter takes them; the"
          + " error against the robot's true path is printed at the end. With --ros the robot"
          + " drives in a ROS graph in place of a real one (--ros2: one of ROS 2), until it has seen everything: start"
          + " 'cartostream gateway' beside it. Then the error of the gateway's poses is printed.",
      ""
    },
    footer = {
      "",
      "What it writes into DIR: the files of 'replay', and",
      "  WORLD.clf             what the robot read (CARMEN's format)",
      "  WORLD.reference.tum   where it really was",
      "",
      "Examples:",
      "  cartostream sim --world office",
      "  cartostream sim --world office --ros http://localhost:11311",
      "  cartostream sim --world office --ros2"
    })
public final class SimCommand implements Callable<Integer> {

  private static final String NODE = "simulated_robot";
  private static final long POLL_MILLIS = 200;

  @Spec private CommandSpec spec;

  @ParentCommand private CommandContext parent;

  @Option(
      names = "--world",
      paramLabel = "WORLD",
      defaultValue = "office",
      description = "The world; 'office' (20 x 15 m) is the only one so far.")
  private String world;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "One seed gives one drive and trajectory%n(slam.seed). Default: 1.")
  private String seed;

  @Option(
      names = "--ros",
      paramLabel = "URI",
      description = "Drive in the graph of this ROS master.")
  private String master;

  @Option(
      names = "--rate",
      paramLabel = "X",
      description = "With --ros or --ros2: X times as fast as a real robot. Default: 1.")
  private Double rate;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for the files; default: out/<world>.")
  private Path out;

  @Mixin private Ros2Options ros2;

  @Mixin private PlaceOptions placing;

  @Mixin private WebOptions web;

  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() throws InterruptedException {
    boolean inGraph = master != null || ros2.isAsked();
    if (rate != null && !inGraph) {
      throw ExitException.wrongUsage(
          "--rate: only with --ros or --ros2; without it, the filter takes the readings as fast as it can");
    }
    if (web.isAsked() && inGraph) {
      throw ExitException.wrongUsage(
          "--web: not with --ros or --ros2, where 'cartostream gateway' makes the map");
    }
    placing.requireMapIfStarted(null);
    if (inGraph && placing.place().isPresent()) {
      throw ExitException.wrongUsage(
          "--localise: not with --ros or --ros2, where 'cartostream gateway' finds the robot");
    }
    if (rate != null) {
      OptionChecks.moreThanZero("--rate", rate);
    }
    if (!SdfWorld.NAMES.contains(world)) {
      throw ExitException.wrongUsage(
          "--world '"
              + world
              + "': there is no such world; worlds are: "
              + String.join(", ", SdfWorld.NAMES));
    }
    Map<String, String> flags = new HashMap<>();
    flags.put("slam.seed", seed);
    RootSettings settings = configuration.settings(flags);
    Path folder = out == null ? Path.of("out", world + placing.suffix()) : out;
    try {
      SdfWorld loaded = SdfWorld.load(world);
      OutputFolder.prepare(folder);
      return inGraph ? drive(loaded, settings, folder) : map(loaded, settings, folder);
    } catch (SdfException e) {
      throw ExitException.failed(e.getMessage(), e);
    } catch (RosException e) {
      throw ExitException.failed(e.getMessage(), e);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /** Starts the simulated drive, with stamps from now on by this computer's clock. */
  private Simulation startNow(SdfWorld loaded, RootSettings settings) {
    long seed = settings.slam().seed();
    return new Simulation(loaded, seed, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
  }

  // --- through broker and topology
  // ------------------------------------------------------------------

  private int map(SdfWorld loaded, RootSettings settings, Path folder) throws IOException {
    PrintWriter progress = spec.commandLine().getErr();
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    Path log = record(startNow(loaded, settings), folder);
    LogRun.Input input =
        new LogRun.Input(List.of(log), Long.MAX_VALUE, world, placing.place(), Optional.empty());
    LogRun logRun =
        new LogRun(
            settings,
            Engine.Kind.STORM,
            Pace.MAX,
            input,
            folder,
            Optional.empty(),
            CheckpointUse.OFF);
    GroundTruth truth = GroundTruth.of(folder.resolve(world + ".reference.tum"), null);
    try (WebOptions.Page page = web.open(shutdownRequest, progress)) {
      RunReport runReport = logRun.run(scans -> truth, progress, shutdownRequest, page.observers());
      RunSummary.print(runReport, spec.commandLine().getOut(), parent.verbose());
      int exitCode = runReport.exitCode(shutdownRequest);
      page.stay(shutdownRequest, progress);
      return exitCode;
    }
  }

  private Path record(Simulation simulation, Path folder) throws IOException {
    List<Reading> readings = new ArrayList<>();
    List<StampedPose> reference = new ArrayList<>();
    simulation.forEachRemaining(sample -> enter(sample, readings, reference));
    new Recording(readings, reference).write(folder, world);
    return folder.resolve(world + ".clf");
  }

  private static void enter(
      Simulation.Sample sample, List<Reading> readings, List<StampedPose> reference) {
    readings.add(sample.reading());
    reference.add(new StampedPose(sample.reading().stampNanos(), sample.truth()));
  }

  // --- in a ROS graph --------------------------------------------------------------------------

  private int drive(SdfWorld loaded, RootSettings settings, Path folder)
      throws IOException, InterruptedException {
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    MasterMonitor watch = new MasterMonitor();
    try (RosNode node = join(watch)) {
      while (!watch.awaitMaster(POLL_MILLIS)) {
        if (shutdownRequest.requested()) {
          return shutdownRequest.exitCode();
        }
      }
      RosDrive drive =
          new RosDrive(node, () -> startNow(loaded, settings), rate == null ? 1 : rate);
      explore(drive, folder, shutdownRequest::requested);
    }
    return shutdownRequest.exitCode();
  }

  private RosNode join(MasterMonitor watch) {
    List<String> given = master == null ? List.of() : List.of("__master:=" + master);
    RosArguments arguments = RosArguments.read(given, System.getenv(), NODE);
    return ros2.isAsked()
        ? ros2.node(arguments.names()).apply(watch)
        : TcpRosNode.start(arguments.master(), arguments.names(), arguments.environment(), watch);
  }

  private void explore(RosDrive drive, Path folder, BooleanSupplier stop) throws IOException {
    print("the robot waits for a gateway that subscribes to it");
    if (!drive.awaitSubscriber(stop)) {
      return; // An older recording stays.
    }
    drive.run(stop);
    Recording recording = drive.recording();
    recording.write(folder, world);
    String how = stop.getAsBoolean() ? "was stopped in %s after" : "has explored %s with";
    print(
        ("the robot " + how + " %d scans; its true path is in %s")
            .formatted(
                world, recording.readings().size(), folder.resolve(world + ".reference.tum")));
    print(errorSentence(drive));
  }

  private static String errorSentence(RosDrive drive) {
    try {
      TrajectoryError error = drive.error();
      return String.format(
          Locale.ROOT,
          "the gateway's %d poses on cartostream/pose: ATE %.3f m (at most %.3f m)",
          error.matched(),
          error.rmseMetres(),
          error.maxMetres());
    } catch (EvaluationException e) {
      return "no error against the truth: fewer than two poses came on cartostream/pose";
    }
  }

  private void print(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
