package org.cartostream.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.RobotId;
import org.cartostream.cli.options.BeginningOptions;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.GroundTruthOptions;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.cli.options.PlaceOptions;
import org.cartostream.cli.options.WebOptions;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.gateway.carried.GlobalLocalisation;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.LogRun;
import org.cartostream.run.checkpoint.CheckpointUse;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.engine.KnownPlace;
import org.cartostream.run.engine.PriorMap;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.DataSets;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.files.OutputFolder;
import org.cartostream.run.files.RecordedLag;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.report.RunSummary;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.recording.RunRecorder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code cartostream replay}. */
@Command(
    name = "replay",
    description = {
      "Turn a recorded laser log into a map and a corrected trajectory.",
      "",
      "The filter runs alone, in one thread, if that is enough. With an option that needs them, or"
          + " very many particles, the log's readings go through a message broker into a Storm"
          + " topology, exactly as a robot's would; both run inside this process unless --broker or"
          + " --cluster names others. The result is the same.",
      ""
    },
    footer = {
      "",
      "What it writes into DIR:",
      "  map.png            the map to look at; the robot's way, green dot to red dot",
      "  map.pgm, map.yaml  the map as ROS's map_server loads it",
      "  trajectory.tum     stamp x y z qx qy qz qw of the base, per reading used",
      "  live.tum           the same as each pose was when it left, on the way",
      "  live.covariance.csv how sure each of these is: covariance of x, y and yaw",
      "  quality.csv        how far each can be believed (--localise)",
      "  run.mcap           the recording: scans, poses, maps (Foxglove, rosbag2)",
      "  run.state          the filter's state at the end, before loops were closed",
      "  report.json        all figures, the configuration and the versions",
      "",
      "Examples:",
      "  cartostream replay killian                a public data set, fetched once",
      "  cartostream replay my.clf --out maps/me   your own",
      "  cartostream replay my.bag --set ros.baseFrame=base_footprint",
      "  cartostream replay my_0.bag my_1.bag      a recording that was split",
      "  cartostream replay my.bag --set ros.bagScanTopic=/front/scan",
      "  cartostream replay my.clf --set carmen.flaserDegrees=270   for FLASER lines",
      "  cartostream replay my.clf --engine storm  through broker and topology",
      "  cartostream replay my.clf --cluster       through 'cartostream cluster up'",
      "  cartostream replay my.clf --web           shows the map while it grows",
      "  cartostream replay my.clf --localise map.yaml --at 1,2,0   where in a map?",
      "  cartostream replay more.clf --continue out/my/run.state   the run goes on",
      "  cartostream replay my.clf --limit 200     only the first 200 scans",
      "  cartostream replay my.clf --reference true.tum   prints the error, too",
      "  cartostream replay my.clf --verbose       prints what the run cost, too",
      "",
      "Ctrl-C ends the run early: the map so far is written, the exit code is 130.",
      "A second Ctrl-C ends the process at once."
    })
public final class ReplayCommand implements Callable<Integer> {

  /**
   * Minimum number of processors at which Storm saves more time than its start takes, with at least
   * {@link #MIN_PARTICLES} particles.
   */
  private static final int MIN_PROCESSORS = 4;

  private static final int MIN_PARTICLES = 400;

  private static final String OF_A_SUBMITTED_SERVICE =
      "--cluster replays through a cluster, and 'gateway' serves a robot by what was submitted";

  @Spec private CommandSpec spec;

  @ParentCommand private CommandContext parent;

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      completionCandidates = InputLog.Formats.class,
      description =
          "${COMPLETION-CANDIDATES}; or a data set's name ('cartostream datasets' lists them)."
              + " Several files of one kind are one log, in the order of their stamps.")
  private List<String> logs;

  @Option(
      names = "--particles",
      paramLabel = "N",
      description = "How many particles the filter has (slam.particles).")
  private String particles;

  @Option(
      names = "--tasks",
      paramLabel = "M",
      description = "How many tasks share them (topology.tasks); the result is the same.")
  private String tasks;

  @Option(
      names = "--mode",
      paramLabel = "dataflow|bsp",
      description =
          "How the tasks decide which particles go on (topology.mode); the result is the same.")
  private String mode;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "One seed gives one trajectory, to the last bit (slam.seed).")
  private String seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for the files; default: out/<name of the log>.")
  private Path out;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description =
          "storm: broker and topology; serial: the filter alone. Default: serial, but storm with an"
              + " option that needs it, or 400 particles and 4 processors; --resume takes that of"
              + " the run.")
  private Engine.Kind engine;

  @Option(
      names = "--rate",
      paramLabel = "max|X",
      defaultValue = "max",
      description =
          "max: as fast as the filter takes readings; X: X times the log's own pace. Default: max.")
  private String rate;

  @Option(
      names = "--broker",
      paramLabel = "URI",
      description =
          "amqp(s)://user:password@host:port/vhost of a running broker, in place of the built-in.")
  private String broker;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      description =
          "Register the robot and its service there%n(registry.zookeeper); 'cartostream robots'"
              + " lists whom it finds.")
  private String zookeeper;

  @Option(
      names = "--cluster",
      paramLabel = "DIR",
      arity = "0..1",
      fallbackValue = "",
      description =
          "Through the cluster in DIR ('cartostream cluster up'), as a topology of the run's own;"
              + " default: $CARTOSTREAM_CLUSTER,%nelse ~/.cartostream/cluster.")
  private String cluster;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "On a cluster, processes to spread the tasks over (topology.workers).")
  private String workers;

  @Option(
      names = "--robot",
      paramLabel = "ID",
      description =
          "Replay as this robot; default: the log's name. On a shared broker two robots need two"
              + " ids. The random numbers depend on it.")
  private String robot;

  @Option(
      names = "--resume",
      description =
          "Go on from where an earlier run of the same log, with the same settings, ended or was"
              + " killed: from its last checkpoint.")
  private boolean resume;

  @Option(
      names = "--force",
      description =
          "With --cluster: take the run away from another process that has it and lives. That one"
              + " ends when it learns of it.")
  private boolean force;

  @Option(
      names = "--no-record",
      description = "Leave no recording (run.mcap); a robot that is localised leaves none anyway.")
  private boolean noRecord;

  @Mixin private PlaceOptions placing;

  @Mixin private BeginningOptions beginning;

  @Mixin private GroundTruthOptions groundTruth;

  @Option(
      names = "--limit",
      paramLabel = "K",
      description = "Take only the first K scans of the log.")
  private Long limit;

  @Mixin private WebOptions web;

  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    Optional<KnownPlace> place = placing.place();
    Optional<PriorMap> earlier = beginning.earlier(placing);
    RootSettings settings = configuration.settings(flags(place.isPresent(), earlier));
    earlier.ifPresent(map -> map.requireFit(settings.slam()));
    if (limit != null) {
      OptionChecks.atLeastOne("--limit", limit);
    }
    refuseOptionsOfStorm();
    boolean workersAreSet = !configuration.assigned("topology.workers").isEmpty();
    if ((workers != null || workersAreSet) && cluster == null) {
      throw ExitException.wrongUsage(
          (workers == null ? "--set topology.workers" : "--workers")
              + ": only with --cluster; without it, all is in one process");
    }
    if (!settings.broker().uri().isEmpty() && !configuration.assigned("broker.service").isEmpty()) {
      throw ExitException.wrongUsage(
          "--set broker.service: a replay has a service of its own, and not one that was"
              + " submitted; "
              + OF_A_SUBMITTED_SERVICE);
    }
    List<Path> files = files();
    // The id, and so the random numbers, must not depend on the order of the files.
    Path first = files.stream().min(Comparator.comparing(Path::getFileName)).orElseThrow();
    Path folder = out == null ? OutputFolder.of(first, placing.suffix() + beginning.suffix()) : out;
    if (engine == null) {
      engine = chosen(settings, place.isPresent() || earlier.isPresent(), folder);
    }
    ShutdownRequest shutdownRequest = parent.shutdownRequest();
    noteIdleTasks(settings, line.getErr());
    long scans = limit == null ? Long.MAX_VALUE : limit;
    String id = robot(first, earlier);
    // The search may take minutes, so all other checks come first.
    LogRun.Input input =
        new LogRun.Input(
            files, scans, id, place, earlier.map(map -> placed(map, scans, shutdownRequest)));
    LogRun logRun =
        new LogRun(settings, engine, pace(), input, folder, onCluster(), checkpointUse());
    try (WebOptions.Page page = web.open(shutdownRequest, line.getErr())) {
      List<RunObserver> observers = new ArrayList<>(page.observers());
      if (!noRecord && place.isEmpty()) {
        observers.add(new RunRecorder(folder.resolve(RunRecorder.FILE), this::note));
      }
      RunReport runReport =
          logRun.run(groundTruth::read, line.getErr(), shutdownRequest, observers);
      RunSummary.print(runReport, line.getOut(), parent.verbose());
      int exitCode = runReport.exitCode(shutdownRequest);
      page.stay(shutdownRequest, line.getErr());
      return exitCode;
    } catch (BrokerException e) {
      boolean isRobots = cluster == null && e.getMessage().contains("refuses a queue");
      throw isRobots
          ? ExitException.failed(
              "%s; a replay has a service and a queue of its own, and this account may make none; %s"
                  .formatted(e.getMessage(), OF_A_SUBMITTED_SERVICE),
              e)
          : e;
    }
  }

  private List<Path> files() {
    return logs.stream().map(log -> InputLog.resolve(log, DataSets.installed())).toList();
  }

  /**
   * Returns the map with the robot where the log begins, after a search if it may be anywhere in
   * the map.
   */
  private PriorMap placed(PriorMap map, long scans, ShutdownRequest stop) {
    if (!placing.isLookedFor()) {
      return map;
    }
    RootSettings given = configuration.settings(flags(false, Optional.empty()));
    try {
      RootSettings settings = // The run itself says what is put right.
          RecordedLag.correcting(files(), given, scans, stop::requested, notice -> {});
      return placed(map, settings);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private PriorMap placed(PriorMap map, RootSettings settings) throws IOException {
    try (LaserLog log = InputLog.open(files(), settings)) {
      KnownPlace.fewParticles(settings.localisation()).ifPresent(this::note);
      PriorMap.Drawn drawn = map.drawn();
      Pose there = drawn.beginning(log, settings);
      note("--at anywhere: the log begins at %s".formatted(GlobalLocalisation.numbers(there)));
      return drawn.at(there);
    } catch (UncheckedIOException e) {
      throw ExitException.of(e.getCause());
    }
  }

  private void note(String sentence) {
    spec.commandLine().getErr().println("note: " + sentence);
  }

  /**
   * Returns the engine of a replay without {@code --engine}; prints a note on the choice if no
   * option requires it.
   *
   * @param isCheap true if one thread is fast enough, so that {@link #byTable} does not apply: the
   *     robot is localised in a known map, or a saved state has a part of the log already
   */
  private Engine.Kind chosen(RootSettings settings, boolean isCheap, Path folder) {
    if (!optionsOfStorm().isEmpty() || !settings.broker().uri().isEmpty()) {
      return Engine.Kind.STORM;
    }
    if (resume) {
      return RunCheckpoints.areOfAService(folder) ? Engine.Kind.STORM : Engine.Kind.SERIAL;
    }
    int particles = particles(settings);
    int processors = Runtime.getRuntime().availableProcessors();
    Engine.Kind chosen = isCheap ? Engine.Kind.SERIAL : byTable(processors, particles);
    note(
        "by the %s engine (%d particles, %d processors; no option needs storm); --engine names another"
            .formatted(chosen, particles, processors));
    return chosen;
  }

  /**
   * Returns the engine that is faster for a long log. On two idle processors two tasks save 15 to
   * 20 % of a reading's time (scaling-measured.csv), but on two that others use Storm takes 1.6
   * times as long as one thread (engines.csv). Four leave each task one of its own; that is an
   * estimate. With fewer particles a log ends before the tasks have saved the ten seconds of
   * Storm's start and end.
   */
  static Engine.Kind byTable(int processors, int particles) {
    return processors >= MIN_PROCESSORS && particles >= MIN_PARTICLES
        ? Engine.Kind.STORM
        : Engine.Kind.SERIAL;
  }

  /**
   * Refuses options for Storm if the serial engine was named. Keys of the configuration file are
   * not checked, since both engines may share that file.
   */
  private void refuseOptionsOfStorm() {
    Set<String> given = optionsOfStorm();
    if (engine == Engine.Kind.SERIAL && !given.isEmpty()) {
      throw ExitException.wrongUsage(
          String.join(", ", given)
              + ": not with --engine serial, which is the filter alone, in one thread of this"
              + " process and as fast as it can");
    }
  }

  /** Returns the given options that have no effect on the serial engine. */
  private Set<String> optionsOfStorm() {
    Map<String, String> elsewhere = new LinkedHashMap<>();
    elsewhere.put("--tasks", tasks);
    elsewhere.put("--mode", mode);
    elsewhere.put("--cluster", cluster);
    elsewhere.put("--workers", workers);
    elsewhere.put("--broker", broker);
    elsewhere.put("--zookeeper", zookeeper);
    elsewhere.put("--rate", pace().equals(Pace.MAX) ? null : rate);
    for (String room : List.of("topology.", "broker.", "registry.", "gateway.")) {
      configuration.assigned(room).forEach(key -> elsewhere.put("--set " + key, key));
    }
    elsewhere.remove("--set gateway.searchCarried"); // Asked before a reading goes anywhere.
    elsewhere.values().removeIf(Objects::isNull);
    return elsewhere.keySet();
  }

  /**
   * Prints a note if there are more tasks than particles. Hundreds of tasks on a few cores take
   * seconds for a reading, so that the run seems to hang.
   */
  private void noteIdleTasks(RootSettings settings, PrintWriter err) {
    int idle = settings.topology().tasks() - particles(settings);
    if (engine == Engine.Kind.STORM && idle > 0) {
      err.printf(
          "note: of %d tasks %d have no particle, and only cost time; --tasks M sets fewer%n",
          settings.topology().tasks(), idle);
    }
  }

  private int particles(RootSettings settings) {
    return placing.place().isPresent()
        ? settings.localisation().particles()
        : settings.slam().particles();
  }

  private String robot(Path file, Optional<PriorMap> earlier) {
    String same = earlier.flatMap(PriorMap::robot).orElse(robot);
    if (robot != null && !robot.equals(same)) {
      throw ExitException.wrongUsage(
          "--robot %s: the state is that of '%s', and its run goes on as that"
              .formatted(robot, same));
    }
    try {
      return same == null ? InputLog.robotId(file) : RobotId.check(same);
    } catch (RefusedMessageException e) {
      throw ExitException.wrongUsage("--robot: " + e.getMessage(), e);
    }
  }

  private Optional<LogRun.OnCluster> onCluster() {
    if (force && cluster == null) {
      throw ExitException.wrongUsage(
          "--force: only with --cluster; elsewhere no other process has the run");
    }
    if (cluster != null && broker != null) {
      throw ExitException.wrongUsage("--cluster and --broker: a cluster has a broker of its own");
    }
    return Optional.ofNullable(cluster)
        .map(dir -> new LogRun.OnCluster(ClusterHome.of(dir), force));
  }

  private CheckpointUse checkpointUse() {
    return resume ? CheckpointUse.RESUME : CheckpointUse.WRITE;
  }

  private Pace pace() {
    try {
      return Pace.parse(rate);
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--rate: " + e.getMessage(), e);
    }
  }

  private Map<String, String> flags(boolean localises, Optional<PriorMap> earlier) {
    Map<String, String> flags = new LinkedHashMap<>();
    boolean isAssigned = !configuration.assigned("slam.seed").isEmpty();
    String same = isAssigned ? null : earlier.flatMap(PriorMap::seed).orElse(null);
    flags.put(localises ? "localisation.particles" : "slam.particles", particles);
    flags.put("slam.seed", seed == null ? same : seed);
    flags.put("topology.tasks", tasks);
    flags.put("topology.mode", mode);
    flags.put("topology.workers", workers);
    flags.put("broker.uri", broker);
    flags.put("registry.zookeeper", zookeeper);
    return flags;
  }
}
