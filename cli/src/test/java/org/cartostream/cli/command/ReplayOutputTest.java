package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.cartostream.cli.OfficeReplay.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** The output folder: where it cannot be, and which of its files stay when a run ends early. */
@Quick
class ReplayOutputTest extends SerialReplays {

  /** As of a script's variable that is empty: the files would be strewn about. */
  @Test
  void wantsAnOutputFolderWithAName() {
    failsWith(2, Cartostream.run("replay", Logs.OFFICE, "--out", ""), "''", "--out DIR");
  }

  @Test
  void namesAnOutputFolderThatIsAFile() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "mine");
    failsWith(1, Cartostream.run("replay", Logs.OFFICE, "--out", file), "file' is a file");
    assertThat(file).hasContent("mine");
  }

  @Test
  void namesAnOutputFolderThatCannotBeWritten() {
    Path locked = Path.of("/proc/cartostream"); // not even root may write there
    assumeThat(Path.of("/proc/self")).exists();
    failsWith(
        1,
        Cartostream.run("replay", Logs.OFFICE, "--out", locked),
        "cannot write",
        "nothing can be made at '/proc/cartostream'",
        "--out");
  }

  @Test
  void saysWhyAnOutputFolderCannotBeMade() throws IOException {
    Path below = Files.writeString(folder.resolve("file"), "mine").resolve("sub");
    failsWith(
        1, Cartostream.run("replay", Logs.OFFICE, "--out", below), "': Not a directory; --out");
  }

  /** Hours of computing may be in the folder, and an address is soon mistyped. */
  @Test
  void keepsAnOlderRunsFilesIfItCannotBegin() throws IOException {
    assertThat(replay(Logs.OFFICE, "--limit", 3).exitCode()).isZero();
    String before = Files.readString(out().resolve("report.json"));
    Cartostream run =
        Cartostream.run(
            "replay", Logs.OFFICE, "--out", out(), "--broker", "amqp://guest:guest@127.0.0.1:1");
    failsWith(1, run, "127.0.0.1:1");
    assertThat(out().resolve("report.json")).hasContent(before);
    assertThat(out().resolve("map.png")).exists();
  }

  @Test
  void keepsAnOlderRunsFilesWhenInterruptedBeforeTheFirstReading() throws IOException {
    assertThat(replay(Logs.OFFICE, "--limit", 3).exitCode()).isZero();
    String before = Files.readString(out().resolve("report.json"));
    ShutdownRequest shutdownRequest = new ShutdownRequest();
    shutdownRequest.request(130);
    Cartostream run = replay(shutdownRequest, Logs.OFFICE, "--reference", Logs.OFFICE_REFERENCE);
    assertThat(run.exitCode()).isEqualTo(130);
    assertThat(run.out())
        .isEqualToNormalizingNewlines(
            "office.clf: ended before the first reading\n"
                + "written:     nothing, for nothing was read\n");
    assertThat(out().resolve("report.json")).hasContent(before);
    assertThat(out().resolve("trajectory.tum")).isNotEmptyFile();
    assertThat(out().resolve("map.png")).exists();
  }

  @Test
  void writesTheTrajectoryOfAMapThatIsTooLargeToBeDrawn() throws IOException {
    List<String> lines = new ArrayList<>(Logs.office(5));
    lines.set(2, farAtBothEndsOfADiagonal(lines.get(2)));
    Cartostream run =
        replay(
            Logs.file(folder, lines),
            "--set",
            "slam.cellMetres=0.005",
            "--set",
            "slam.matcher.sigmaHitMetres=0.015");
    assertThat(run.complaint()).contains("too large to be drawn", "larger cells", "is in " + out());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(Files.readAllLines(out().resolve("trajectory.tum"))).hasSize(5);
    assertThat(out().resolve("map.pgm")).doesNotExist();
    assertThat(report().at("/end").asText()).isEqualTo("FAILED");
  }

  /** A scan line of the office with two beams of 240 m, at -135 and at 45 degrees. */
  private static String farAtBothEndsOfADiagonal(String line) {
    String[] words = line.split(" ");
    words[5] = "5000"; // maximum_range
    words[9] = "240";
    words[9 + 120] = "240";
    return String.join(" ", words);
  }
}
