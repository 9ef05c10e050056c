package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people are told who ask for logs that cannot be written. */
@Quick
class FaultyLogsTest {

  @TempDir private Path folder;

  private String said(int exitCode, Object... words) {
    String[] arguments = new String[words.length];
    for (int i = 0; i < words.length; i++) {
      arguments[i] = words[i].toString();
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(said, true, StandardCharsets.UTF_8);
    assertThat(FaultyLogs.run(arguments, both, both)).isEqualTo(exitCode);
    return said.toString(StandardCharsets.UTF_8).strip();
  }

  @Test
  void asksForNumbers() {
    String wanted = "FaultyLogs: SEED and READINGS are whole numbers, READINGS from 1 on; ";
    assertThat(said(2, folder, "one")).isEqualTo(wanted + "For input string: \"one\"");
  }

  @Test
  void namesALogThatIsNotThereAndMakesNoFolder() {
    Path log = folder.resolve("none.clf");
    Path out = folder.resolve("out");
    assertThat(said(1, out, 1, log, log))
        .isEqualTo("FaultyLogs: " + log + ": there is no such file");
    assertThat(out).doesNotExist();
  }

  @Test
  void leavesOutAFaultForWhichTheLogIsTooShort() throws IOException {
    Recording log = SimulatedLog.of(World.office(), Route.deadEnds(), 1).first(60);
    log.write(folder, "short");
    Path out = folder.resolve("out");
    Path reference = folder.resolve("short.reference.tum");

    assertThat(said(0, out, 1, folder.resolve("short.clf"), reference))
        .contains("short-wheel-slip is left out: a drive of ");
    assertThat(out.resolve("short-heading-drift.clf")).exists();
    assertThat(out.resolve("short-wheel-slip.clf")).doesNotExist();
  }

  @Test
  void saysWhatALogOfOneReadingLacks() throws IOException {
    SimulatedLog.of(World.office(), Route.deadEnds(), 1).first(1).write(folder, "one");
    Path reference = folder.resolve("one.reference.tum");

    assertThat(said(0, folder.resolve("out"), 1, folder.resolve("one.clf"), reference))
        .contains(
            "one-restarted-odometry is left out: a log of 1 readings has none before which odometry"
                + " can start anew",
            "one-frozen-odometry is left out: a log of 1 readings has no room for 10 frozen ones");
  }

  @Test
  void saysHowItIsUsed() {
    assertThat(said(2, folder)).startsWith("usage: FaultyLogs FOLDER SEED");
  }
}
