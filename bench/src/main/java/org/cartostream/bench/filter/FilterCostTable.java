package org.cartostream.bench.filter;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.cartostream.bench.sequential.StragglerRatio;
import org.cartostream.bench.table.LinePlot;
import org.cartostream.bench.table.MeanAndRange;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.report.Versions;

/** What the filter costs on many logs: a table, a file of figures and a plot for each of them. */
public final class FilterCostTable {

  private static final String FILE = "bench-filter.json";
  private static final double BYTES_PER_MEGABYTE = 1e6;
  private static final String ROW =
      "%-20s %5s %5s %5s %8s %8s %8s %8s %8s %6s %8s %8s %8s %7s %6s %6s %8s";

  /**
   * What is plotted over the number of particles.
   *
   * @param file its name
   * @param title with the unit
   * @param scale from the figure's unit to the plot's
   */
  private record Plotted(
      String file, String title, double scale, Function<FilterCost, MeanAndRange> figure) {}

  private static final List<Plotted> PLOTS =
      List.of(
          new Plotted("ms-per-scan.svg", "mean ms per scan", 1, FilterCost::meanMillis),
          new Plotted("p99-ms-per-scan.svg", "p99 ms per scan", 1, FilterCost::p99Millis),
          new Plotted(
              "ns-per-particle-and-beam.svg",
              "ns per particle and beam",
              1,
              FilterCost::nanosPerParticleAndBeam),
          new Plotted(
              "ns-per-beam-and-evaluation.svg",
              "ns per particle, beam and evaluation",
              1,
              FilterCost::nanosPerParticleBeamAndEvaluation),
          new Plotted(
              "evaluations.svg",
              "evaluations per particle and scan",
              1,
              FilterCost::evaluationsPerParticleAndScan),
          new Plotted(
              "live-heap.svg",
              "live heap at the end, MB",
              1 / BYTES_PER_MEGABYTE,
              FilterCost::liveHeapBytes),
          new Plotted("ate.svg", "absolute trajectory error, m", 1, FilterCost::ateMetres),
          new Plotted("loop-edges-p95.svg", "loop edges, p95, m", 1, FilterCost::loopP95Metres),
          new Plotted(
              "relations.svg",
              "relations over more than 60 s, mean error, m",
              1,
              FilterCost::distantRelationsMetres));

  private final List<FilterCost> rows = new ArrayList<>();

  public void add(FilterCost figures) {
    rows.add(figures);
  }

  public void print(PrintWriter out) {
    line(
        out,
        "log",
        "part.",
        "beams",
        "scans",
        "1st ms",
        "mean ms",
        "p50 ms",
        "p95 ms",
        "p99 ms",
        "srch %",
        "srch ms",
        "ns/p,b",
        "ns/p,b,e",
        "eval/p",
        "slow",
        "worst",
        "live MB");
    rows.forEach(row -> line(out, cells(row)));
  }

  /** Writes the figures and the plots, and returns the files. */
  public List<Path> write(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    files.add(folder.resolve(FILE));
    RunReport.json()
        .writeValue(
            files.get(0).toFile(),
            new FiguresFile(Versions.processor(), Versions.all(), List.copyOf(rows)));
    for (Plotted plotted : PLOTS) {
      plot(plotted).write(folder.resolve(plotted.file)).ifPresent(files::add);
    }
    return files;
  }

  /** What the file holds. */
  private record FiguresFile(
      String processor, Map<String, String> versions, List<FilterCost> figures) {}

  private LinePlot plot(Plotted plotted) {
    Map<String, List<LinePlot.Point>> lines = new LinkedHashMap<>();
    for (FilterCost row : rows) {
      MeanAndRange meanAndRange = plotted.figure.apply(row);
      if (meanAndRange != null && meanAndRange.min() > 0) {
        lines
            .computeIfAbsent(row.log(), each -> new ArrayList<>())
            .add(
                new LinePlot.Point(
                    row.particles(),
                    plotted.scale * meanAndRange.mean(),
                    plotted.scale * meanAndRange.min(),
                    plotted.scale * meanAndRange.max()));
      }
    }
    return new LinePlot(plotted.title, "particles", lines);
  }

  private static Object[] cells(FilterCost row) {
    return new Object[] {
      row.log(),
      row.particles(),
      Math.round(row.beams()),
      row.scans(),
      number(row.firstPassMillis()),
      number(row.meanMillis().mean()),
      number(row.p50Millis().mean()),
      number(row.p95Millis().mean()),
      number(row.p99Millis().mean()),
      String.format(Locale.ROOT, "%.1f", 100 * row.searchedShare().mean()),
      number(row.searchedMillis().mean()),
      number(row.nanosPerParticleAndBeam().mean()),
      number(row.nanosPerParticleBeamAndEvaluation().mean()),
      String.format(Locale.ROOT, "%.1f", row.evaluationsPerParticleAndScan().mean()),
      ratio(row.slowestParticle(), StragglerRatio::median),
      ratio(row.slowestParticle(), StragglerRatio::worst),
      String.format(Locale.ROOT, "%.1f", row.liveHeapBytes().mean() / BYTES_PER_MEGABYTE)
    };
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.3f" : "%.2f", value);
  }

  private static String ratio(
      StragglerRatio stragglerRatio, ToDoubleFunction<StragglerRatio> figure) {
    return stragglerRatio == null
        ? "-"
        : String.format(Locale.ROOT, "%.2f", figure.applyAsDouble(stragglerRatio));
  }

  private static void line(PrintWriter out, Object... cells) {
    out.println(String.format(Locale.ROOT, ROW, cells));
  }
}
