package org.cartostream.bench.recovery;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.DirectoryStore;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.LogRun;
import org.cartostream.run.checkpoint.CheckpointUse;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;

/**
 * Measurement of what checkpoints cost: runs a log with them and without, in alternation, and
 * prints the medians; then resumes a run, and compares memory and times with those of a run in one
 * piece.
 *
 * @param log file of the log
 * @param settings settings of the runs
 * @param engines engines that are measured, each by itself
 * @param passes number of passes of each kind that count; one before them warms up
 * @param folder folder for the figures and each run's files
 * @param shutdownRequest ends the measurement early
 */
public record CheckpointBench(
    Path log,
    RootSettings settings,
    List<Engine.Kind> engines,
    int passes,
    Path folder,
    ShutdownRequest shutdownRequest) {

  private static final String FILE = "checkpoint.csv";
  private static final double BYTES_A_MEGABYTE = 1e6;
  private static final double NANOS_A_SECOND = 1e9;

  private static final TextTable<Row> TABLE =
      TextTable.of(
          new Column<>("engine", -6, Row::engine),
          new Column<>("checkpoints", -11, row -> row.with() ? "on" : "off"),
          new Column<>("pass", 4, Row::pass),
          new Column<>("mean_ms", 8, "%.2f", row -> row.report().millisPerReading().mean()),
          new Column<>("p50_ms", 8, "%.2f", row -> row.report().millisPerReading().p50()),
          new Column<>("p99_ms", 8, "%.2f", row -> row.report().millisPerReading().p99()),
          new Column<>("wall_s", 7, "%.2f", row -> row.report().wallSeconds()),
          new Column<>("cpu_ms", 7, "%.2f", row -> row.report().jvmPerReading().cpuMillis()));

  /** Run of a pass; pass 0 warms up. */
  private record Row(Engine.Kind engine, boolean with, int pass, RunReport report) {}

  /** Measures; returns the file of the figures. */
  public Path run(PrintWriter out, PrintWriter progress) throws IOException {
    List<Row> rows = new ArrayList<>();
    TABLE.printHeader(out);
    for (Engine.Kind engine : engines) {
      for (int pass = 0; pass <= passes; pass++) {
        for (boolean with :
            pass % 2 == 0 ? new boolean[] {false, true} : new boolean[] {true, false}) {
          if (shutdownRequest.requested()) {
            return TABLE.writeCsv(folder.resolve(FILE), rows);
          }
          CheckpointUse use = with ? CheckpointUse.WRITE : CheckpointUse.OFF;
          Row row = new Row(engine, with, pass, replay(engine, use, Long.MAX_VALUE, progress));
          rows.add(row);
          TABLE.printRow(out, row);
        }
      }
      conclude(engine, rows, out);
    }
    resume(out, progress);
    return TABLE.writeCsv(folder.resolve(FILE), rows);
  }

  private RunReport replay(
      Engine.Kind engine, CheckpointUse use, long limit, PrintWriter progress) {
    return new LogRun(
            settings,
            engine,
            Pace.MAX,
            new LogRun.Input(
                List.of(log), limit, InputLog.robotId(log), Optional.empty(), Optional.empty()),
            folder.resolve(engine.toString()),
            Optional.empty(),
            use)
        .run(scans -> GroundTruth.of(null, null), progress, shutdownRequest, List.of());
  }

  private static void conclude(Engine.Kind engine, List<Row> rows, PrintWriter out) {
    List<Row> own = rows.stream().filter(row -> row.engine() == engine && row.pass() > 0).toList();
    out.printf(
        Locale.ROOT,
        "%s: with checkpoints mean %+.1f %%, p99 x %.2f, wall %+.1f %%, computed %+.1f %% (medians)%n",
        engine,
        100 * (ratio(own, row -> row.report().millisPerReading().mean()) - 1),
        ratio(own, row -> row.report().millisPerReading().p99()),
        100 * (ratio(own, row -> row.report().wallSeconds()) - 1),
        100 * (ratio(own, row -> row.report().jvmPerReading().cpuMillis()) - 1));
    out.flush();
  }

  private static double ratio(List<Row> rows, ToDoubleFunction<Row> figure) {
    return median(rows.stream().filter(Row::with), figure)
        / median(rows.stream().filter(row -> !row.with()), figure);
  }

  private static double median(Stream<Row> rows, ToDoubleFunction<Row> figure) {
    double[] sorted = rows.mapToDouble(figure).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** Resumes runs by the serial engine: at the end of the log, and in its middle. */
  private void resume(PrintWriter out, PrintWriter progress) throws IOException {
    List<Reading> readings;
    try (LaserLog scans = InputLog.open(List.of(log), settings)) {
      readings = scans.readings(Long.MAX_VALUE);
    }
    int half = readings.size() / 2;
    RunReport whole = replay(Engine.Kind.SERIAL, CheckpointUse.WRITE, Long.MAX_VALUE, progress);
    long bytes = checkpointBytes();
    RunReport loaded = replay(Engine.Kind.SERIAL, CheckpointUse.RESUME, Long.MAX_VALUE, progress);
    replay(Engine.Kind.SERIAL, CheckpointUse.WRITE, half, progress);
    RunReport repeated = replay(Engine.Kind.SERIAL, CheckpointUse.RESUME, Long.MAX_VALUE, progress);
    out.printf(
        Locale.ROOT,
        """
        checkpoint at the end: %.1f MB; the maps of all particles, each as a whole: %.1f MB
        restored in %.2f s; live heap %.1f MB before, %.1f MB after: x %.2f
        second half: %.2f s the first time, %.2f s after a restore in %.2f s: x %.2f
        """,
        bytes / BYTES_A_MEGABYTE,
        mapBytes(readings) / BYTES_A_MEGABYTE,
        loaded.resumed().seconds(),
        whole.liveHeapBytes() / BYTES_A_MEGABYTE,
        loaded.liveHeapBytes() / BYTES_A_MEGABYTE,
        (double) loaded.liveHeapBytes() / whole.liveHeapBytes(),
        secondsAfter(half, whole),
        secondsAfter(half, repeated),
        repeated.resumed().seconds(),
        secondsAfter(half, repeated) / secondsAfter(half, whole));
    out.flush();
  }

  private long checkpointBytes() throws IOException {
    Path serial = folder.resolve(Engine.Kind.SERIAL.toString());
    CheckpointStore store = new DirectoryStore(serial.resolve(RunCheckpoints.FOLDER));
    Manifest manifest = store.latest(InputLog.robotId(log), unusable -> {}).orElseThrow();
    return manifest.parts().stream().mapToLong(CheckpointPart::bytes).sum();
  }

  /**
   * Returns the size of the maps of all particles, each as a whole, bytes: the state of a filter
   * with one particle, without its paths, times the number of particles.
   */
  private long mapBytes(List<Reading> readings) {
    SerialFilter filter =
        new SerialFilter(
            Settings.with(settings.slam(), Map.of("particles", "1")), InputLog.robotId(log));
    for (int i = 0; i < readings.size(); i++) {
      filter.process(i + 1, readings.get(i));
    }
    long all = StateCodec.encode(filter).size();
    long paths = StateCodec.encode(filter.trajectoryTree()).size();
    return (all - paths) * settings.slam().particles();
  }

  private static double secondsAfter(int reading, RunReport report) {
    return report.serviceNanos().stream().skip(reading).mapToLong(Long::longValue).sum()
        / NANOS_A_SECOND;
  }
}
