package org.cartostream.bench.collectives;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.cartostream.bench.table.LinePlot;
import org.cartostream.collectives.operation.Operation;

/** What collectives cost: a table, a CSV file, and for each operation a plot. */
public final class CollectivesTable {

  private static final String FILE = "bench-collectives.csv";
  private static final String HEAD =
      "operation,algorithm,ending,bytes,members,channel,place,alone_p50_us,alone_p90_us,row_p50_us,"
          + "row_min_us,row_max_us,MB_per_s";
  private static final String ROW =
      "%-10s %-9s %-8s %8s %7s %-11s %-7s %10s %10s %10s %21s %9s %7s";

  private final List<CollectiveCost> rows = new ArrayList<>();

  public void add(List<CollectiveCost> collectiveCost) {
    rows.addAll(collectiveCost);
  }

  public void print(PrintWriter out) {
    out.println(
        String.format(
            Locale.ROOT,
            ROW,
            "operation",
            "algorithm",
            "ending",
            "bytes",
            "members",
            "channel",
            "in",
            "alone us",
            "p90 us",
            "in row us",
            "least-most",
            "MB/s",
            "MPJ/it"));
    rows.forEach(row -> out.println(line(row)));
  }

  private String line(CollectiveCost row) {
    boolean mpj = row.contender().isMpj();
    return String.format(
        Locale.ROOT,
        ROW,
        row.cell().operation(),
        mpj ? "its own" : row.cell().algorithm(),
        row.cell().ending().name().toLowerCase(Locale.ROOT),
        row.cell().bytes(),
        row.members(),
        row.contender().channel(),
        row.contender().place(),
        number(row.aloneMicros()),
        number(row.aloneP90Micros()),
        number(row.rowMicros()),
        number(row.rowLeastMicros()) + "-" + number(row.rowMostMicros()),
        number(row.megabytesPerSecond()),
        mpj ? "" : ratio(row).map(CollectivesTable::number).orElse("-"));
  }

  /** How many times longer MPJ Express takes for the same work, alone, members living alike. */
  private Optional<Double> ratio(CollectiveCost row) {
    return rows.stream()
        .filter(other -> other.contender().isMpj() && other.members() == row.members())
        .filter(other -> other.contender().place().equals(row.contender().place()))
        .filter(other -> other.cell().operation() == row.cell().operation())
        .filter(other -> other.cell().bytes() == row.cell().bytes())
        .findFirst()
        .map(other -> other.aloneMicros() / row.aloneMicros());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }

  /** Writes the figures and the plots, and returns the files. */
  public List<Path> write(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    files.add(folder.resolve(FILE));
    List<String> lines = new ArrayList<>(List.of(HEAD));
    rows.forEach(row -> lines.add(csv(row)));
    Files.write(files.get(0), lines);
    for (Operation operation : Operation.values()) {
      for (int bytes : sizes(operation)) {
        Path file = folder.resolve(operation + "-" + bytes + ".svg");
        plot(operation, bytes).write(file).ifPresent(files::add);
      }
    }
    return files;
  }

  private static String csv(CollectiveCost row) {
    CollectiveCase collectiveCase = row.cell();
    return String.format(
        Locale.ROOT,
        "%s,%s,%s,%d,%d,%s,%s,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f",
        collectiveCase.operation(),
        row.contender().isMpj() ? "its own" : collectiveCase.algorithm(),
        collectiveCase.ending().name().toLowerCase(Locale.ROOT),
        collectiveCase.bytes(),
        row.members(),
        row.contender().channel(),
        row.contender().place(),
        row.aloneMicros(),
        row.aloneP90Micros(),
        row.rowMicros(),
        row.rowLeastMicros(),
        row.rowMostMicros(),
        row.megabytesPerSecond());
  }

  private List<Integer> sizes(Operation operation) {
    return rows.stream()
        .filter(row -> row.cell().operation() == operation)
        .map(row -> row.cell().bytes())
        .distinct()
        .sorted()
        .toList();
  }

  /** Time in a row over the number of members; whiskers from the fastest block to the slowest. */
  private LinePlot plot(Operation operation, int bytes) {
    Map<String, List<LinePlot.Point>> lines = new LinkedHashMap<>();
    for (CollectiveCost row : rows) {
      if (row.cell().operation() == operation && row.cell().bytes() == bytes) {
        lines
            .computeIfAbsent(name(row), each -> new ArrayList<>())
            .add(
                new LinePlot.Point(
                    row.members(), row.rowMicros(), row.rowLeastMicros(), row.rowMostMicros()));
      }
    }
    return new LinePlot(operation + " of " + bytes + " bytes, us in a row", "members", lines);
  }

  private static String name(CollectiveCost row) {
    String channel = row.contender().channel() + ", " + row.contender().place();
    return row.contender().isMpj()
        ? channel
        : "%s, %s, %s"
            .formatted(
                channel,
                row.cell().algorithm(),
                row.cell().ending().name().toLowerCase(Locale.ROOT));
  }
}
