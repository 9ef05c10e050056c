package org.cartostream.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.checkpoint.CheckpointPace;
import org.cartostream.checkpoint.RunState;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.gateway.carried.CarriedRobotSearch;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.gateway.sink.LivePoses;
import org.cartostream.run.checkpoint.CheckpointUse;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.deployment.ClusterDeployment;
import org.cartostream.run.deployment.Deployment;
import org.cartostream.run.deployment.LocalDeployment;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.engine.KnownPlace;
import org.cartostream.run.engine.LocalisationEngine;
import org.cartostream.run.engine.LocalisationReport;
import org.cartostream.run.engine.PriorMap;
import org.cartostream.run.engine.SerialEngine;
import org.cartostream.run.engine.StormEngine;
import org.cartostream.run.evaluation.Accuracy;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.files.OutputFolder;
import org.cartostream.run.files.RecordedLag;
import org.cartostream.run.files.StaleFiles;
import org.cartostream.run.initialpose.CarriedRobotLog;
import org.cartostream.run.maps.NeededFiles;
import org.cartostream.run.maps.RunFiles;
import org.cartostream.run.metrics.LivePath;
import org.cartostream.run.metrics.ProgressLine;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.report.ProcessMemory;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.report.TaskBalanceReport;
import org.cartostream.run.report.Versions;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.CovarianceFile;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.topology.stream.TopologyRefusal;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.observer.RunObservers;

/**
 * One replay of a log through an engine, with the measurement of the trajectory and the report.
 *
 * @param settings the whole configuration
 * @param kind the engine
 * @param pace speed of the replay; the serial engine ignores it and replays as fast as it can
 * @param input the log
 * @param folder output folder for all files of the run; created if it is missing
 * @param cluster the cluster on which broker and topology run; empty if they run in this process
 * @param checkpointUse whether the run begins anew or resumes from its checkpoint
 */
public record LogRun(
    RootSettings settings,
    Engine.Kind kind,
    Pace pace,
    Input input,
    Path folder,
    Optional<OnCluster> cluster,
    CheckpointUse checkpointUse) {

  /**
   * A log, or its beginning.
   *
   * @param logs the log's file, or several that are one log
   * @param limit maximum number of scans to take from the log
   * @param robot the robot's id, under which the log's readings are sent; the filter's random
   *     numbers depend on the id
   * @param place the known map in which the robot is localised; empty if the run makes a map
   * @param earlier the earlier map that the run continues; empty if it begins with an empty map
   */
  public record Input(
      List<Path> logs,
      long limit,
      String robot,
      Optional<KnownPlace> place,
      Optional<PriorMap> earlier) {

    private List<String> mapNotes(RootSettings settings) throws IOException {
      if (place.isPresent()) {
        return place.get().notes(settings.localisation());
      }
      return earlier.isPresent() ? earlier.get().notes() : List.of();
    }

    /** Returns the files with which the run begins, besides the log. */
    private List<Path> files() throws IOException {
      if (place.isPresent()) {
        return place.get().files();
      }
      return earlier.isPresent() ? earlier.get().files() : List.of();
    }
  }

  /**
   * The cluster of a run.
   *
   * @param force true to take the run away from another process that is still alive
   */
  public record OnCluster(ClusterHome home, boolean force) {}

  /**
   * Sentences about a run, for its report.
   *
   * @param damage damage of the log, see {@link LaserLog#damage}; null if the log is intact
   * @param notices notes that were printed
   * @param unwritten files that do not show the run's end, each with the reason
   */
  private record Words(String damage, List<String> notices, Map<String, String> unwritten) {}

  /** Name of the file with the live poses: each as it was sent with its reading's outcome. */
  public static final String LIVE = LivePoses.FILE;

  /**
   * Replays the log to its end or until the shutdown request; writes map, trajectory and report. If
   * the run ends before the first reading, nothing is written, and an older run's files stay.
   *
   * @param measures returns the log's ground truth, by which the trajectory is measured
   * @param progressOut stream for the progress line and notes
   * @param observers are told what the run does
   */
  public RunReport run(
      Function<LaserLog, GroundTruth> measures,
      PrintWriter progressOut,
      ShutdownRequest shutdownRequest,
      List<RunObserver> observers) {
    List<String> before = new ArrayList<>();
    try {
      RootSettings right =
          RecordedLag.correcting(
              input.logs, settings, input.limit, shutdownRequest::requested, before::add);
      LogRun run = new LogRun(right, kind, pace, input, folder, cluster, checkpointUse);
      return run.replay(measures, progressOut, shutdownRequest, observers, before);
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private RunReport replay(
      Function<LaserLog, GroundTruth> measures,
      PrintWriter progressOut,
      ShutdownRequest shutdownRequest,
      List<RunObserver> observers,
      List<String> before)
      throws IOException {
    try (LaserLog scans = InputLog.open(input.logs, settings, before::add)) {
      if (checkpointUse != CheckpointUse.RESUME) {
        input.earlier.ifPresent(map -> before.add("the run goes on from " + map.origin()));
      }
      doubt().ifPresent(before::add);
      List<String> notices = notices(scans, before);
      scans.damage().ifPresent(damage -> progressOut.println("note: " + damage));
      notices.forEach(notice -> progressOut.println("note: " + notice));
      GroundTruth groundTruth = measures.apply(scans);
      OutputFolder.prepare(folder);
      OutputFolder.requireOwn(folder, RunFiles.ALL.keySet(), RunCheckpoints.FOLDER);
      NeededFiles.keepLogsApart(folder, input.logs);
      NeededFiles.keepApart(folder, input.files());
      List<String> ofMap = input.mapNotes(settings);
      ofMap.forEach(note -> progressOut.println("note: " + note));
      before.addAll(ofMap);
      StaleFiles old = new StaleFiles(folder, RunFiles.ALL.keySet());
      long total = Math.min(input.limit, scans.scanCount());
      RunObserver observer = RunObservers.of(observers);
      RunMetrics runMetrics = new RunMetrics(total, System::nanoTime, observer);
      List<String> ofSearch = new ArrayList<>();
      Optional<CarriedRobotLog> carried =
          input.place.isEmpty() && settings.gateway().searchCarried()
              ? Optional.of(new CarriedRobotLog(scans, carriedRobotSearch(ofSearch::add)))
              : Optional.empty();
      carried.ifPresent(runMetrics::answerTo);
      Iterator<LogEntry> entries = carried.isPresent() ? carried.get() : scans;
      if (checkpointUse == CheckpointUse.RESUME || input.earlier.isPresent()) {
        old.hold(); // The log may be a different one from the earlier run's.
        runMetrics.whenLogIsKnown(old::release);
      }
      SparseScanWarning sparseScanWarning = new SparseScanWarning();
      List<String> ofCheckpoints = new CopyOnWriteArrayList<>();
      Engine.Cost cost;
      String failure = "the run broke off";
      observer.begin(input.robot, total);
      try (ProgressLine progress = ProgressLine.start(runMetrics, progressOut);
          RunCheckpoints checkpoints = checkpoints(ofCheckpoints::add)) {
        cost =
            engine(checkpoints)
                .run(
                    old.deleteOnFirstReading(runMetrics.watch(sparseScanWarning.watch(entries))),
                    runMetrics,
                    folder,
                    shutdownRequest);
        runMetrics.end();
        failure = runMetrics.failure().orElse("");
      } finally {
        observer.end(failure);
      }
      RunReport.End end =
          runMetrics.failure().isPresent()
              ? RunReport.End.FAILED
              : shutdownRequest.requested() ? RunReport.End.INTERRUPTED : RunReport.End.COMPLETE;
      boolean whole = end == RunReport.End.COMPLETE && input.limit >= scans.scanCount();
      boolean begun = old.areDeleted();
      notices = notices(scans, before); // The log finds some notices only while it is read.
      sparseScanWarning.notice().ifPresent(notices::add);
      notices.addAll(ofSearch);
      notices.addAll(ofCheckpoints);
      Optional.ofNullable(cost.localisation())
          .flatMap(LocalisationReport::misfit)
          .ifPresent(notices::add);
      Map<String, String> unwritten = new LinkedHashMap<>();
      observers.forEach(each -> unwritten.putAll(each.unwritten()));
      writeLive(runMetrics.livePath());
      if (begun && end != RunReport.End.FAILED) {
        keepState(runMetrics.lastReading(), refusedForWantOfRoom(runMetrics))
            .ifPresent(why -> unwritten.put(folder.resolve(RunState.FILE).toString(), why));
      }
      RunReport runReport =
          report(
              runMetrics,
              cost,
              begun ? measure(groundTruth, scans, whole, runMetrics) : null,
              end,
              new Words(scans.damage().orElse(null), notices, unwritten),
              begun);
      if (begun) {
        runReport.write(folder);
      }
      runMetrics
          .failure()
          .ifPresent(
              why -> {
                throw ExitException.failed(
                    begun ? why + " (what was done until then is in " + folder + ")" : why);
              });
      return runReport;
    }
  }

  private CarriedRobotSearch carriedRobotSearch(Consumer<String> notices) throws IOException {
    if (input.earlier.isEmpty()) {
      RayTracedMap nothing = new RayTracedMap(settings.slam().cellMetres());
      return new CarriedRobotSearch(
          settings.slam(), settings.localisation(), nothing, false, notices);
    }
    try (LaserLog ahead = InputLog.open(input.logs, settings)) {
      Optional<Reading> first = Optional.empty();
      while (first.isEmpty() && ahead.hasNext()) {
        first = ahead.readings(1).stream().findFirst();
      }
      return input.earlier.get().search(first, settings, false, notices);
    }
  }

  /** Returns why a service refused readings, if it had no room for the run; otherwise empty. */
  private static Optional<String> refusedForWantOfRoom(RunMetrics runMetrics) {
    return Stream.of(TopologyRefusal.values())
        .filter(TopologyRefusal::isForWantOfRoom)
        .filter(each -> runMetrics.refusals().containsKey(each.name()))
        .map(TopologyRefusal::sentence)
        .findFirst();
  }

  /**
   * Saves the filter's state at the run's end; returns why that failed, or empty if it succeeded or
   * no state is wanted.
   */
  private Optional<String> keepState(long lastReading, Optional<String> refused) {
    boolean isOn = new CheckpointPace(settings.checkpoint()).isOn();
    if (checkpointUse == CheckpointUse.OFF || !isOn || input.place.isPresent()) {
      return Optional.empty();
    }
    String number = kind == Engine.Kind.SERIAL ? "" : RunCheckpoints.OF_A_SERVICE;
    return RunCheckpoints.keepState(
            checkpointLocation(), input.robot, number, folder, lastReading, refused)
        .filter(why -> cluster.isEmpty() || Files.exists(folder.resolve(RunState.FILE)));
  }

  private static List<String> notices(LaserLog scans, List<String> before) {
    List<String> notices = new ArrayList<>(scans.notices());
    notices.addAll(before);
    return notices;
  }

  /**
   * Returns a warning for people if the log does not seem to begin at the stated pose in the
   * earlier map.
   */
  private Optional<String> doubt() throws IOException {
    if (input.earlier.isEmpty()) {
      return Optional.empty();
    }
    try (LaserLog scans = InputLog.open(input.logs, settings)) {
      return input.earlier.get().doubt(scans, settings);
    }
  }

  private void writeLive(LivePath livePath) throws IOException {
    if (!livePath.poses().isEmpty()) {
      TumFile.write(folder.resolve(LIVE), livePath.poses());
      CovarianceFile.write(folder, livePath.covariances());
      Path trajectory = folder.resolve(FileSink.TRAJECTORY);
      if (!Files.exists(trajectory)) { // The run failed: only the answered poses are known.
        TumFile.write(trajectory, livePath.poses());
      }
    }
  }

  private Accuracy measure(
      GroundTruth groundTruth, LaserLog scans, boolean whole, RunMetrics runMetrics)
      throws IOException {
    Path file = folder.resolve(FileSink.TRAJECTORY);
    if (groundTruth.isEmpty() || !Files.exists(file)) {
      return null;
    }
    List<StampedPose> trajectory = TumFile.read(file);
    if (trajectory.isEmpty()) {
      return null;
    }
    long end = trajectory.stream().mapToLong(StampedPose::stampNanos).max().orElseThrow();
    boolean isPart = scans.damage().isPresent() || runMetrics.snapshot().readings().refused() > 0;
    Function<List<StampedPose>, Accuracy> measured =
        poses ->
            whole ? groundTruth.measure(poses, isPart) : groundTruth.measure(poses, isPart, end);
    return measured
        .apply(trajectory)
        .withLive(measured.apply(TumFile.read(folder.resolve(LIVE))), runMetrics.livePath());
  }

  /**
   * Returns the report with all figures of the run.
   *
   * @param words sentences about the run
   * @param begun false if nothing was read, so that nothing is written
   */
  private RunReport report(
      RunMetrics runMetrics,
      Engine.Cost cost,
      Accuracy accuracy,
      RunReport.End how,
      Words words,
      boolean begun) {
    RunMetrics.Snapshot end = runMetrics.snapshot();
    return new RunReport(
        input.logs.stream().map(Path::toString).collect(Collectors.joining(", ")),
        input.robot,
        kind.toString(),
        settings.slam().seed(),
        input.place.isPresent() ? settings.localisation().particles() : settings.slam().particles(),
        cost.tasks(),
        how,
        end.readings(),
        runMetrics.refusals(),
        runMetrics.resumed(),
        words.damage,
        words.notices,
        words.unwritten,
        end.seconds(),
        runMetrics.millis(),
        runMetrics.millisTrusted(),
        runMetrics.millisSearched(),
        runMetrics.jvmUsage(),
        runMetrics.serviceNanos(),
        cost.localisation() == null ? end.distanceMetres() : cost.localisation().drivenMetres(),
        shares(cost.stageNanos()),
        cost.resamplings(),
        cost.bytesMoved(),
        cost.evaluations(),
        cost.meanParticles(),
        cost.odometry(),
        RunReport.Loops.of(cost.loops()),
        cost.localisation(),
        TaskBalanceReport.of(cost.teamwork()),
        cost.liveHeapBytes(),
        ProcessMemory.peakResidentBytes(),
        cost.road(),
        cost.recovered(),
        accuracy,
        begun ? files(words.unwritten.keySet()) : Map.of(),
        settings.shown(),
        Versions.all(),
        Versions.processor());
  }

  private RunCheckpoints checkpoints(Consumer<String> notices) {
    return new RunCheckpoints(
        checkpointUse,
        settings.checkpoint(),
        folder,
        input.robot,
        identity(),
        System::nanoTime,
        notices);
  }

  /** Returns the settings that must not change when the run is resumed, key to value. */
  private Map<String, String> identity() {
    Map<String, String> identity = new TreeMap<>(Settings.values(settings.slam()));
    input.place.ifPresent(place -> identity.putAll(place.identity(settings.localisation())));
    return identity;
  }

  /** Returns the place of the run's checkpoints: a folder, or a store as the settings name it. */
  private String checkpointLocation() {
    String named = kind == Engine.Kind.SERIAL ? "" : settings.checkpoint().folder();
    return named.isEmpty() ? checkpointFolder() : named;
  }

  private String checkpointFolder() {
    Path own = folder.resolve(RunCheckpoints.FOLDER).toAbsolutePath().normalize();
    return cluster.map(OnCluster::home).map(ClusterDeployment::checkpoints).orElse(own.toString());
  }

  private Engine engine(RunCheckpoints checkpoints) {
    if (input.place.isPresent() && kind == Engine.Kind.SERIAL) {
      return new LocalisationEngine(settings, input.robot, checkpoints, input.place.get());
    }
    return switch (kind) {
      case SERIAL -> new SerialEngine(settings, input.robot, checkpoints, input.earlier);
      case STORM -> storm(checkpoints);
    };
  }

  private Engine storm(RunCheckpoints checkpoints) {
    boolean keeps = checkpointUse != CheckpointUse.OFF;
    PriorMap before = keeps ? input.earlier.orElse(null) : null;
    Supplier<Optional<RunJournal>> anew =
        before == null
            ? () -> checkpoints.journal(RunBeginning.anew())
            : () -> before.journal(checkpoints, input.robot, checkpointLocation(), settings);
    boolean resumes = checkpointUse == CheckpointUse.RESUME;
    StormEngine.Journals journals =
        resumes
            ? () -> checkpoints.resumedJournal(checkpointLocation(), cluster.isEmpty()).or(anew)
            : anew::get;
    RootSettings its = keeps ? settings.withCheckpointsIn(checkpointFolder()) : settings;
    Engine storm = new StormEngine(its, pace, input.robot, this::deployment, journals, input.place);
    return before == null || resumes ? storm : before.resuming(storm, settings.broker());
  }

  private Deployment deployment(BrokerSettings broker) {
    return cluster.isPresent()
        ? new ClusterDeployment(
            Cluster.at(cluster.get().home), broker, input.robot, cluster.get().force)
        : LocalDeployment.open(broker);
  }

  /**
   * Returns the run's files with a description of each, by path; includes the report, which is not
   * written yet.
   */
  private Map<String, String> files(Set<String> unwritten) {
    Map<String, String> files = new LinkedHashMap<>();
    RunFiles.ALL.forEach(
        (name, what) -> {
          Path file = folder.resolve(name);
          boolean isWritten = Files.exists(file) && !unwritten.contains(file.toString());
          if (isWritten || name.equals(RunReport.FILE)) {
            files.put(file.toString(), what);
          }
        });
    return files;
  }

  private static Map<String, Double> shares(Map<String, Long> stageNanos) {
    double total = Math.max(1, stageNanos.values().stream().mapToLong(Long::longValue).sum());
    Map<String, Double> shares = new LinkedHashMap<>();
    stageNanos.forEach((stage, nanos) -> shares.put(stage, nanos / total));
    return shares;
  }
}
