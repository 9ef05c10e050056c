package org.cartostream.bench.filter;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.cartostream.bench.sequential.StragglerRatio;
import org.cartostream.bench.table.MeanAndRange;
import org.cartostream.bench.table.Plot;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.report.Versions;

/**
 * Table of the filter's costs on many logs, as text, as a file of figures, and as a plot for each
 * figure.
 */
public final class FilterCostTable {

  private static final String FILE = "bench-filter.json";
  private static final double BYTES_PER_MEGABYTE = 1e6;

  private static final TextTable<FilterCost> SCREEN =
      TextTable.of(
          new Column<>("log", -20, FilterCost::log),
          new Column<>("part.", 5, FilterCost::particles),
          new Column<>("beams", 5, row -> Math.round(row.beams())),
          new Column<>("scans", 5, FilterCost::scans),
          new Column<>("1st ms", 8, row -> number(row.firstPassMillis())),
          mean("mean ms", FilterCost::meanMillis),
          mean("p50 ms", FilterCost::p50Millis),
          mean("p95 ms", FilterCost::p95Millis),
          mean("p99 ms", FilterCost::p99Millis),
          new Column<>("srch %", 6, "%.1f", row -> 100 * row.searchedShare().mean()),
          mean("srch ms", FilterCost::searchedMillis),
          mean("ns/p,b", FilterCost::nanosPerParticleAndBeam),
          mean("ns/p,b,e", FilterCost::nanosPerParticleBeamAndEvaluation),
          new Column<>("eval/p", 7, "%.1f", row -> row.evaluationsPerParticleAndScan().mean()),
          new Column<>("slow", 6, "%.2f", row -> ratio(row, StragglerRatio::median)),
          new Column<>("worst", 6, "%.2f", row -> ratio(row, StragglerRatio::worst)),
          new Column<>(
              "live MB", 8, "%.1f", row -> row.liveHeapBytes().mean() / BYTES_PER_MEGABYTE),
          new Column<>("peak MB", 8, "%.1f", row -> row.peakResidentBytes() / BYTES_PER_MEGABYTE));

  private static final List<Plot<FilterCost>> PLOTS =
      List.of(
          new Plot<>("ms-per-scan.svg", "mean ms per scan", FilterCost::meanMillis),
          new Plot<>("p99-ms-per-scan.svg", "p99 ms per scan", FilterCost::p99Millis),
          new Plot<>(
              "ns-per-particle-and-beam.svg",
              "ns per particle and beam",
              FilterCost::nanosPerParticleAndBeam),
          new Plot<>(
              "ns-per-beam-and-evaluation.svg",
              "ns per particle, beam and evaluation",
              FilterCost::nanosPerParticleBeamAndEvaluation),
          new Plot<>(
              "evaluations.svg",
              "evaluations per particle and scan",
              FilterCost::evaluationsPerParticleAndScan),
          new Plot<>(
              "live-heap.svg",
              "live heap at the end, MB",
              row -> row.liveHeapBytes().times(1 / BYTES_PER_MEGABYTE)),
          new Plot<>("ate.svg", "absolute trajectory error, m", FilterCost::ateMetres),
          new Plot<>("loop-edges-p95.svg", "loop edges, p95, m", FilterCost::loopP95Metres),
          new Plot<>(
              "relations.svg",
              "relations over more than 60 s, mean error, m",
              FilterCost::distantRelationsMetres));

  private final List<FilterCost> rows = new ArrayList<>();

  public void add(FilterCost figures) {
    rows.add(figures);
  }

  public void print(PrintWriter out) {
    SCREEN.print(out, rows);
  }

  /** Writes the figures and the plots, and returns the files. */
  public List<Path> write(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    files.add(folder.resolve(FILE));
    RunReport.json()
        .writeValue(
            files.get(0).toFile(),
            new FiguresFile(Versions.processor(), Versions.all(), List.copyOf(rows)));
    for (Plot<FilterCost> plot : PLOTS) {
      plot.write(folder, rows, "particles", FilterCost::particles, FilterCost::log)
          .ifPresent(files::add);
    }
    return files;
  }

  /** Content of the JSON file. */
  private record FiguresFile(
      String processor, Map<String, String> versions, List<FilterCost> figures) {}

  private static Column<FilterCost> mean(String title, Function<FilterCost, MeanAndRange> figure) {
    return new Column<>(title, 8, row -> number(figure.apply(row).mean()));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.3f" : "%.2f", value);
  }

  private static Double ratio(FilterCost row, ToDoubleFunction<StragglerRatio> figure) {
    StragglerRatio ratio = row.slowestParticle();
    return ratio == null ? null : figure.applyAsDouble(ratio);
  }
}
