package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.cli.cluster.ClusterHome;
import org.cartostream.gateway.FileSink;
import org.cartostream.gateway.Pace;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.MapFiles;
import org.cartostream.slam.log.MapPicture;
import org.cartostream.slam.log.StampedPose;
import org.cartostream.slam.log.TumFile;

/**
 * Replays one log through an engine, measures what came out and reports it.
 *
 * @param settings the whole configuration
 * @param kind the engine
 * @param pace how fast the log is replayed; the serial engine takes it as fast as it can
 * @param robot the id under which the log's readings go; random numbers depend on it
 * @param log the log's file
 * @param limit most scans to take from it
 * @param folder for all files; it is made if it is missing
 * @param cluster where broker and topology run; empty for this process
 */
record Replay(
    RootSettings settings,
    Engine.Kind kind,
    Pace pace,
    String robot,
    Path log,
    long limit,
    Path folder,
    Optional<ClusterHome> cluster) {

  /** Every file of a run, and what it is to people. */
  private static final Map<String, String> FILES = new LinkedHashMap<>();

  static {
    FILES.put(MapPicture.FILE, "the map to look at, with the robot's way");
    FILES.put(MapFiles.PICTURE, "the map for ROS's map_server: its cells");
    FILES.put(MapFiles.DESCRIPTION, "and where they lie");
    FILES.put(FileSink.TRAJECTORY, "the corrected poses (TUM format)");
    FILES.put(Report.FILE, "this report, and more");
  }

  /**
   * Runs to the end of the log or until the interruption; writes map, trajectory and report. If it
   * ends before the first reading, nothing is written, and an older run's files stay.
   *
   * @param measures what to measure the trajectory by, given the log
   * @param progressOut for the progress line
   */
  Report run(
      Function<LaserLog, Yardstick> measures, PrintWriter progressOut, Interruption interruption) {
    try (LaserLog scans = LogArgument.open(log, settings)) {
      List<String> notices = LogArgument.notices(scans, settings);
      notices.forEach(notice -> progressOut.println("note: " + notice));
      Yardstick yardstick = measures.apply(scans);
      OutputFolder.prepare(folder);
      OldFiles old = new OldFiles(folder, FILES.keySet());
      Ledger ledger = new Ledger(Math.min(limit, scans.scanCount()), System::nanoTime);
      Engine.Cost cost;
      try (ProgressLine progress = ProgressLine.start(ledger, progressOut)) {
        cost = engine().run(old.goWith(ledger.watch(scans)), ledger, folder, interruption);
        ledger.end();
      }
      Report.End end =
          ledger.failure().isPresent()
              ? Report.End.FAILED
              : interruption.requested() ? Report.End.INTERRUPTED : Report.End.COMPLETE;
      boolean whole = end == Report.End.COMPLETE && limit >= scans.scanCount();
      boolean begun = old.areGone();
      Report report =
          report(ledger, cost, begun ? measure(yardstick, whole) : null, end, notices, begun);
      if (begun) {
        report.write(folder);
      }
      ledger
          .failure()
          .ifPresent(
              why -> {
                throw Failure.failed(
                    begun ? why + " (what was done until then is in " + folder + ")" : why);
              });
      return report;
    } catch (IOException e) {
      throw Failure.of(e);
    }
  }

  private Accuracy measure(Yardstick yardstick, boolean whole) throws IOException {
    Path file = folder.resolve(FileSink.TRAJECTORY);
    if (yardstick.isEmpty() || !Files.exists(file)) {
      return null;
    }
    List<StampedPose> trajectory = TumFile.read(file);
    if (trajectory.isEmpty()) {
      return null;
    }
    long end = trajectory.stream().mapToLong(StampedPose::stampNanos).max().orElseThrow();
    return whole ? yardstick.measure(trajectory) : yardstick.measure(trajectory, end);
  }

  /**
   * All figures.
   *
   * @param notices what people were told of the log
   * @param begun false if nothing was read, so that nothing is written
   */
  private Report report(
      Ledger ledger,
      Engine.Cost cost,
      Accuracy accuracy,
      Report.End how,
      List<String> notices,
      boolean begun) {
    Ledger.Snapshot end = ledger.snapshot();
    return new Report(
        log.toString(),
        robot,
        kind.toString(),
        settings.slam().seed(),
        settings.slam().particles(),
        cost.tasks(),
        how,
        end.readings(),
        ledger.refusals(),
        notices,
        end.seconds(),
        ledger.millis(),
        ledger.millisTrusted(),
        ledger.millisSearched(),
        ledger.jvm(),
        ledger.serviceNanos(),
        end.distanceMetres(),
        shares(cost.stageNanos()),
        cost.resamplings(),
        cost.bytesMoved(),
        cost.evaluations(),
        cost.odometry(),
        Report.Loops.of(cost.loops()),
        TeamReport.of(cost.teamwork()),
        cost.liveHeapBytes(),
        cost.road(),
        accuracy,
        begun ? files() : Map.of(),
        settings.shown(),
        Versions.all(),
        Versions.processor());
  }

  private Engine engine() {
    return switch (kind) {
      case SERIAL -> new SerialEngine(settings, robot);
      case STORM -> new StormEngine(settings, pace, robot, this::venue);
    };
  }

  private Venue venue(BrokerSettings broker) {
    return cluster.isPresent()
        ? new ClusterVenue(Cluster.at(cluster.get()), broker, robot)
        : LocalVenue.open(broker);
  }

  /** Path to what it is, of the files that are there; the report is about to be. */
  private Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    FILES.forEach(
        (name, what) -> {
          Path file = folder.resolve(name);
          if (Files.exists(file) || name.equals(Report.FILE)) {
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
