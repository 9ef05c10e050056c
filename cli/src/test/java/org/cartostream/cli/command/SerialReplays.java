package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.report.RunReport;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that replay logs by the user's command: with few particles, by the serial engine, which
 * needs no servers, into one folder.
 */
abstract class SerialReplays {

  @TempDir Path folder;

  final Cartostream replay(Object... arguments) {
    return replay(new ShutdownRequest(), arguments);
  }

  final Cartostream replay(ShutdownRequest shutdownRequest, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("replay", "--engine", "serial"));
    all.addAll(List.of("--out", out(), "--particles", 5));
    all.addAll(List.of(arguments));
    return Cartostream.run(shutdownRequest, all.toArray());
  }

  final Path out() {
    return folder.resolve("out");
  }

  final JsonNode report() throws IOException {
    return RunReport.json().readTree(out().resolve("report.json").toFile());
  }

  /** It ends with one sentence, which has these words. */
  static void failsWith(int exitCode, Cartostream run, String... words) {
    assertThat(run.complaint()).contains(words);
    assertThat(run.err()).doesNotContain("\tat ");
    assertThat(run.exitCode()).isEqualTo(exitCode);
  }
}
