package org.cartostream.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Runner of {@code promtool}, Prometheus' checker of metrics and rules; tests are skipped where it
 * is not installed.
 */
public final class Promtool {

  /** File of the alert rules that come with Cartostream. */
  public static final Path ALERTS =
      Path.of(System.getProperty("cartostream.root"), "docs/prometheus-alerts.yml");

  private static final Path PROGRAM = Path.of("/usr/bin/promtool");

  private Promtool() {}

  /** Asserts that {@code promtool} finds no fault in a page of metrics. */
  public static void checkMetrics(String page) throws IOException, InterruptedException {
    Path file = Files.createTempFile("metrics", ".txt");
    try {
      Files.writeString(file, page);
      run(new ProcessBuilder().redirectInput(file.toFile()), "check", "metrics");
    } finally {
      Files.delete(file);
    }
  }

  /** Runs {@code promtool} with some arguments in a folder; asserts that it succeeds. */
  public static void run(Path folder, String... words) throws IOException, InterruptedException {
    run(new ProcessBuilder().directory(folder.toFile()), words);
  }

  private static void run(ProcessBuilder builder, String... words)
      throws IOException, InterruptedException {
    Assumptions.assumeTrue(Files.isExecutable(PROGRAM), "no promtool: apt install prometheus");
    List<String> command = Stream.concat(Stream.of(PROGRAM.toString()), Stream.of(words)).toList();
    Process process = builder.command(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
  }
}
