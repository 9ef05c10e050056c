package org.cartostream.bench.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cartostream.broker.RobotId;
import org.cartostream.run.exit.ExitException;

/**
 * File of frozen answers: each line is a case, its cells separated by tabs, or a comment that
 * begins with {@code #}. A case whose hashes are {@code -} has no answer yet.
 */
final class GoldenFile {

  private static final String COMMENT = "#";
  private static final String NO_HASH = "-";
  private static final int CELLS = 9;

  private final Path file;

  public GoldenFile(Path file) {
    this.file = file;
  }

  /**
   * Returns the cases, in the file's order.
   *
   * @throws ExitException if a line is no case
   */
  public List<GoldenCase> cases() throws IOException {
    List<GoldenCase> cases = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      if (isCase(lines.get(i))) {
        cases.add(parse(lines.get(i), i + 1));
      }
    }
    return cases;
  }

  /** Writes the answers of some cases, by name, and leaves every other line as it is. */
  public void write(Map<String, GoldenHashes> answers) throws IOException {
    List<String> lines = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      GoldenCase known = isCase(line) ? parse(line, number) : null;
      GoldenHashes answer = known == null ? null : answers.get(known.name());
      lines.add(answer == null ? line : format(known.withHashes(answer)));
    }
    Files.write(file, lines);
  }

  private static boolean isCase(String line) {
    return !line.isBlank() && !line.startsWith(COMMENT);
  }

  private GoldenCase parse(String line, int number) {
    String[] cells = line.split("\t", -1);
    try {
      if (cells.length != CELLS) {
        throw new IllegalArgumentException(
            cells.length + " cells between tabs; there must be " + CELLS);
      }
      return new GoldenCase(
          RobotId.check(cells[0]),
          cells[1],
          Integer.parseInt(cells[2]),
          Integer.parseInt(cells[3]),
          Long.parseLong(cells[4]),
          Double.parseDouble(cells[5]),
          cells[6].equals(NO_HASH)
              ? Optional.empty()
              : Optional.of(new GoldenHashes(cells[6], cells[7], cells[8])));
    } catch (RuntimeException e) {
      throw ExitException.failed(file + ", line " + number + ": " + e.getMessage(), e);
    }
  }

  private static String format(GoldenCase one) {
    return String.join(
        "\t",
        one.name(),
        one.log(),
        Integer.toString(one.readings()),
        Integer.toString(one.particles()),
        Long.toString(one.seed()),
        Double.toString(one.resampleBelow()),
        one.hashes().map(GoldenHashes::trajectory).orElse(NO_HASH),
        one.hashes().map(GoldenHashes::map).orElse(NO_HASH),
        one.hashes().map(GoldenHashes::live).orElse(NO_HASH));
  }
}
