package org.cartostream.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Table of the times of test classes. A committed table decides the order of jobs and the nightly
 * slices; each run writes a new one.
 */
final class TestTimes {

  /** Assumed time of a class that is not in the table. */
  private static final double GUESS_SECONDS = 5;

  private static final String HEADING = "class,group,tests,seconds,cpuSeconds";

  private final Map<String, Double> seconds = new HashMap<>();

  TestTimes(Path file) throws IOException {
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String[] cells = line.split(",");
        if (!line.startsWith("#") && !line.equals(HEADING)) {
          seconds.put(cells[0] + " " + cells[1], Double.valueOf(cells[3]));
        }
      }
    }
  }

  double seconds(String className, TestGroup group) {
    return seconds.getOrDefault(className + " " + group.word(), GUESS_SECONDS);
  }

  static void write(Path file, Map<TestJob, ClassResult> results) throws IOException {
    List<String> rows =
        results.entrySet().stream()
            .sorted((a, b) -> Double.compare(b.getValue().seconds(), a.getValue().seconds()))
            .map(each -> row(each.getKey(), each.getValue()))
            .toList();
    Files.createDirectories(file.getParent());
    Files.write(file, Stream.concat(Stream.of(HEADING), rows.stream()).toList());
  }

  private static String row(TestJob job, ClassResult result) {
    return String.format(
        Locale.ROOT,
        "%s,%s,%d,%.1f,%.1f",
        job.className(),
        job.group().word(),
        result.tests(),
        result.seconds(),
        result.cpuSeconds());
  }
}
