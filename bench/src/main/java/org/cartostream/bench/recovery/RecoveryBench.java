package org.cartostream.bench.recovery;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.cluster.ClusterOptions;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.LogRun;
import org.cartostream.run.checkpoint.CheckpointUse;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.OutputFolder;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.topology.settings.ResamplingMode;

/**
 * Measurement of recoveries: kills processes in the middle of runs, one in each run, and compares
 * the run's path and map with those of the serial filter, byte for byte. All runs share one
 * cluster, and those of a mode one service.
 *
 * @param input the log
 * @param settings settings of the service, but for its mode
 * @param targets targets of the kills, in this order
 * @param modes modes of the service
 * @param seeds seeds; each draws one moment for each target and mode
 * @param folder folder for the figures and each run's files
 * @param shutdownRequest ends the measurement early
 */
public record RecoveryBench(
    RecoveryInput input,
    RootSettings settings,
    List<FaultTarget> targets,
    List<ResamplingMode> modes,
    List<Long> seeds,
    Path folder,
    ShutdownRequest shutdownRequest) {

  private static final String FILE = "recovery.csv";
  private static final int WORKER_HEAP_MEGABYTES = 512;

  /** Time limit for the answers before a kill, and for the rest of the run after it, seconds. */
  private static final int MAX_SECONDS = 240;

  private static final String LOG = "workers.log";
  private static final String UNDISTURBED = "undisturbed";

  private static final List<String> COMPARED =
      List.of(FileSink.TRAJECTORY, MapFiles.PICTURE, MapFiles.DESCRIPTION);

  /**
   * Result of all kills.
   *
   * @param figures file of the figures
   * @param exact true if each run had the path and map of the undisturbed run, and lost nothing
   */
  public record Result(Path figures, boolean exact) {}

  /**
   * Runs the log undisturbed, then once for each seed and target in each mode; prints a row for
   * each kill.
   */
  public Result run(PrintWriter out, PrintWriter progress)
      throws IOException, InterruptedException {
    int readings = (int) undisturbed(progress).read();
    List<RecoveryResult> rows = new ArrayList<>();
    Path file = folder.resolve(FILE);
    Path home = folder.toAbsolutePath().resolve("cluster");
    Cluster cluster =
        Cluster.startHere(
            ClusterHome.of(home.toString()),
            new ClusterOptions(false, WORKER_HEAP_MEGABYTES, false),
            settings.topology().workers(),
            progress::println,
            shutdownRequest::requested);
    try {
      RecoveryResult.TABLE.printHeader(out);
      for (ResamplingMode mode : modes) {
        measure(cluster, mode, readings, rows, out, progress);
      }
    } finally {
      cluster.down();
    }
    return new Result(file, rows.stream().allMatch(row -> row.equal() && row.lost() == 0));
  }

  private ReadingCounts undisturbed(PrintWriter progress) {
    return new LogRun(
            settings,
            Engine.Kind.SERIAL,
            input.pace(),
            new LogRun.Input(
                List.of(input.log()),
                input.limit(),
                input.robot(),
                Optional.empty(),
                Optional.empty()),
            folder.resolve(UNDISTURBED),
            Optional.empty(),
            CheckpointUse.OFF)
        .run(scans -> GroundTruth.of(null, null), progress, shutdownRequest, List.of())
        .readings();
  }

  private void measure(
      Cluster cluster,
      ResamplingMode mode,
      int readings,
      List<RecoveryResult> rows,
      PrintWriter out,
      PrintWriter progress)
      throws IOException, InterruptedException {
    ServiceUnderTest service = null;
    try {
      for (long seed : seeds) {
        for (FaultTarget target : targets) {
          if (shutdownRequest.requested() || !target.isThere(mode)) {
            continue;
          }
          if (service == null) {
            service = start(cluster, mode);
          }
          RecoveryResult row =
              kill(service, RecoveryResult.Draw.of(target, mode, seed, readings), progress);
          rows.add(row);
          RecoveryResult.TABLE.printRow(out, row);
          RecoveryResult.TABLE.writeCsv(folder.resolve(FILE), rows);
          if (!row.equal()) {
            service.close(); // It may be in any state: the next kill gets a new one.
            service = null;
          }
        }
      }
    } finally {
      if (service != null) {
        service.close();
      }
    }
  }

  private ServiceUnderTest start(Cluster cluster, ResamplingMode mode) throws InterruptedException {
    RootSettings ofMode =
        Settings.with(
            settings,
            Map.of("topology.mode", mode.toString(), "topology.collectiveTransport", "tcp"));
    return ServiceUnderTest.start(
        cluster, "recovery-" + mode, ofMode, cluster.folder().resolve("checkpoint"));
  }

  private RecoveryResult kill(
      ServiceUnderTest service, RecoveryResult.Draw draw, PrintWriter progress)
      throws IOException, InterruptedException {
    Path files = folder.resolve("%s-%s-seed%d".formatted(draw.target(), draw.mode(), draw.seed()));
    OutputFolder.prepare(files);
    service.awaitWorkers();
    try (ReplayedRun run = service.replay(input, files)) {
      List<ProcessHandle> processes = service.find(draw.target());
      long killedAt = 0;
      if (run.awaitAnswers(draw.reading(), MAX_SECONDS)) {
        TimeUnit.MICROSECONDS.sleep(draw.laterMicros());
        killedAt = service.kill(draw.target(), processes, run);
      }
      Optional<ReadingCounts> counts = killedAt == 0 ? Optional.empty() : run.awaitEnd(MAX_SECONDS);
      List<String> differing = counts.isPresent() ? differing(files) : COMPARED;
      List<String> log = service.log();
      Files.write(files.resolve(LOG), log);
      if (!differing.isEmpty()) {
        progress.println(
            "%s: %s differ; %s; the gateway: %s"
                .formatted(files, differing, counts, String.join("; ", run.remarks())));
      }
      Long lost = counts.map(each -> each.lost() + each.open()).orElse(null);
      return new RecoveryResult(draw, differing.isEmpty(), lost, times(log, killedAt, run));
    } catch (NimbusException e) {
      throw ExitException.failed(e.getMessage(), e);
    }
  }

  private List<String> differing(Path files) throws IOException {
    List<String> differing = new ArrayList<>();
    for (String name : COMPARED) {
      Path file = files.resolve(name);
      if (!Files.exists(file)
          || Files.mismatch(file, folder.resolve(UNDISTURBED).resolve(name)) >= 0) {
        differing.add(name);
      }
    }
    return differing;
  }

  /**
   * Computes the times of a recovery. Answers that were on their way when the new epoch began do
   * not count as new.
   */
  private static RecoveryResult.Times times(List<String> log, long killedAt, ReplayedRun run) {
    if (killedAt == 0) {
      return RecoveryResult.Times.without(null);
    }
    double outage = run.longestWaitMillis(killedAt) / 1e3;
    RecoveryTimes recovery = RecoveryTimes.find(log, killedAt).orElse(null);
    int answered = recovery == null ? 0 : run.answeredUntil(recovery.begun());
    if (recovery == null || run.answered() <= answered) {
      return RecoveryResult.Times.without(outage);
    }
    long restored = recovery.restored().orElse(recovery.begun());
    return new RecoveryResult.Times(
        outage,
        seconds(killedAt, recovery.begun()),
        recovery.restored().map(end -> seconds(recovery.begun(), end)).orElse(null),
        Math.max(0, answered - recovery.reading()),
        seconds(restored, run.answeredAt(answered + 1)),
        seconds(run.answeredAt(Math.max(1, recovery.reading())), run.answeredAt(answered)));
  }

  private static double seconds(long from, long to) {
    return Math.max(0, to - from) / 1e3;
  }
}
