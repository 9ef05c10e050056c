package org.cartostream.cli;

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
import org.cartostream.gateway.Pace;
import org.cartostream.gateway.ros.MasterWatch;
import org.cartostream.gateway.ros.client.RosArguments;
import org.cartostream.gateway.ros.client.RosException;
import org.cartostream.gateway.ros.client.RosNode;
import org.cartostream.gateway.ros.client.TcpRosNode;
import org.cartostream.sim.Recording;
import org.cartostream.sim.RosDrive;
import org.cartostream.sim.SdfException;
import org.cartostream.sim.SdfWorld;
import org.cartostream.sim.Simulation;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.log.StampedPose;
import org.cartostream.slam.sensor.Reading;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cartostream sim}. */
@Command(
    name = "sim",
    description = {
      "Let a simulated robot explore a world by itself, and map it.",
      "",
      "The world is one that comes with the program. Without --ros the robot's readings go through"
          + " broker and topology as those of 'replay' do, as fast as the filter takes them; the"
          + " error against the robot's true path is printed at the end. With --ros the robot"
          + " drives in a ROS 1 graph in place of a real one, until it has seen everything: start"
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
      "  cartostream sim --world office --ros http://localhost:11311"
    })
final class SimCommand implements Callable<Integer> {

  private static final String NODE = "simulated_robot";
  private static final long GLANCE_MILLIS = 200;

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
      description = "One seed gives one drive and trajectory (slam.seed). Default: 1.")
  private String seed;

  @Option(
      names = "--ros",
      paramLabel = "URI",
      description = "Drive in the graph of this ROS master.")
  private String master;

  @Option(
      names = "--rate",
      paramLabel = "X",
      description = "With --ros: X times as fast as a real robot. Default: 1.")
  private Double rate;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for the files; default: out/<world>.")
  private Path out;

  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() throws InterruptedException {
    if (rate != null && master == null) {
      throw Failure.wrongUsage(
          "--rate: only with --ros; without it, the filter takes the readings as fast as it can");
    }
    if (rate != null && !(rate > 0)) {
      throw Failure.wrongUsage("--rate " + rate + ": it must be more than 0");
    }
    if (!SdfWorld.NAMES.contains(world)) {
      throw Failure.wrongUsage(
          "--world '"
              + world
              + "': there is no such world; worlds are: "
              + String.join(", ", SdfWorld.NAMES));
    }
    Map<String, String> flags = new HashMap<>();
    flags.put("slam.seed", seed);
    RootSettings settings = configuration.settings(flags);
    Path folder = out == null ? Path.of("out", world) : out;
    try {
      SdfWorld loaded = SdfWorld.load(world);
      OutputFolder.prepare(folder);
      return master == null ? map(loaded, settings, folder) : drive(loaded, settings, folder);
    } catch (SdfException e) {
      throw Failure.failed(e.getMessage(), e);
    } catch (RosException e) {
      throw Failure.failed(e.getMessage(), e);
    } catch (IOException e) {
      throw Failure.of(e);
    }
  }

  /** The drive begins now, by this computer's clock. */
  private Simulation begun(SdfWorld loaded, RootSettings settings) {
    long seed = settings.slam().seed();
    return new Simulation(loaded, seed, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
  }

  // --- through the whole road ------------------------------------------------------------------

  private int map(SdfWorld loaded, RootSettings settings, Path folder) throws IOException {
    PrintWriter progress = spec.commandLine().getErr();
    Interruption interruption = parent.interruption();
    Path log = record(begun(loaded, settings), folder);
    Replay replay =
        new Replay(
            settings,
            Engine.Kind.STORM,
            Pace.MAX,
            world,
            log,
            Long.MAX_VALUE,
            folder,
            Optional.empty());
    Yardstick truth = Yardstick.of(folder.resolve(world + ".reference.tum"), null);
    Report report = replay.run(scans -> truth, progress, interruption);
    Summary.print(report, spec.commandLine().getOut());
    return report.exitCode(interruption);
  }

  private Path record(Simulation simulation, Path folder) throws IOException {
    List<Reading> readings = new ArrayList<>();
    List<StampedPose> reference = new ArrayList<>();
    simulation.forEachRemaining(moment -> enter(moment, readings, reference));
    new Recording(readings, reference).write(folder, world);
    return folder.resolve(world + ".clf");
  }

  private static void enter(
      Simulation.Moment moment, List<Reading> readings, List<StampedPose> reference) {
    readings.add(moment.reading());
    reference.add(new StampedPose(moment.reading().stampNanos(), moment.truth()));
  }

  // --- in a ROS graph --------------------------------------------------------------------------

  private int drive(SdfWorld loaded, RootSettings settings, Path folder)
      throws IOException, InterruptedException {
    Interruption interruption = parent.interruption();
    RosArguments arguments =
        RosArguments.read(List.of("__master:=" + master), System.getenv(), NODE);
    MasterWatch watch = new MasterWatch();
    try (RosNode node =
        TcpRosNode.start(arguments.master(), arguments.names(), arguments.environment(), watch)) {
      while (!watch.awaitMaster(GLANCE_MILLIS)) {
        if (interruption.requested()) {
          return interruption.exitCode();
        }
      }
      RosDrive drive = new RosDrive(node, () -> begun(loaded, settings), rate == null ? 1 : rate);
      explore(drive, folder, interruption::requested);
    }
    return interruption.exitCode();
  }

  private void explore(RosDrive drive, Path folder, BooleanSupplier stop) throws IOException {
    tell("the robot waits for a gateway that hears it");
    if (!drive.awaitListener(stop)) {
      return; // An older recording stays.
    }
    drive.run(stop);
    Recording recording = drive.recording();
    recording.write(folder, world);
    String how = stop.getAsBoolean() ? "was stopped in %s after" : "has explored %s with";
    tell(
        ("the robot " + how + " %d scans; its true path is in %s")
            .formatted(
                world, recording.readings().size(), folder.resolve(world + ".reference.tum")));
    tell(verdict(drive));
  }

  private static String verdict(RosDrive drive) {
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

  private void tell(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
