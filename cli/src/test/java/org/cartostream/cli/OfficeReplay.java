package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.cartostream.run.Logs;
import org.cartostream.run.report.RunReport;

/** The beginning of the office's log, replayed by the user's command. */
public final class OfficeReplay {

  public static final int SCANS = 60;

  private OfficeReplay() {}

  /** Replays it, and has its files in {@code out}. */
  public static Path replayed(Path out, Object... flags) {
    Cartostream run = Cartostream.run(command(out, flags));
    assertThat(run.err()).doesNotContain("cartostream:");
    assertThat(run.exitCode()).isZero();
    return out;
  }

  public static Object[] command(Path out, Object... flags) {
    Object[] fixed = {"replay", Logs.OFFICE, "--limit", SCANS, "--particles", 12, "--out", out};
    return Stream.of(fixed, flags).flatMap(Stream::of).toArray();
  }

  public static JsonNode report(Path out) throws IOException {
    return RunReport.json().readTree(out.resolve("report.json").toFile());
  }

  /** The path at the end, and behind it the poses on the way with their covariances. */
  public static String paths(Path out) throws IOException {
    return Files.readString(out.resolve("trajectory.tum"))
        + Files.readString(out.resolve("live.tum"))
        + Files.readString(out.resolve("live.covariance.csv"));
  }
}
