package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.cartostream.run.exit.ExitException;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people are told who ask for logs that cannot be written. */
@Quick
class BenchFaultyLogsCommandTest {

  @TempDir private Path folder;

  @Test
  void namesALogThatIsNotThereAndMakesNoFolder() {
    Path log = folder.resolve("none.clf");
    Path out = folder.resolve("out");
    Bench bench = Bench.run("faulty-logs", out, 1, log, log);
    assertThat(bench.complaint()).isEqualTo("there is no file '" + log + "'");
    assertThat(bench.exitCode()).isEqualTo(ExitException.FAILED);
    assertThat(out).doesNotExist();
  }

  @Test
  void asksForALogAndItsReferenceWhereItNeedsThem() {
    for (Object[] words :
        new Object[][] {
          {"faulty-logs", folder, 1, "my.clf"}, {"faulty-logs", folder, 1, "--lesser"}
        }) {
      Bench bench = Bench.run(words);
      assertThat(bench.complaint()).contains("LOG REFERENCE");
      assertThat(bench.exitCode()).isEqualTo(ExitException.WRONG_USAGE);
    }
    assertThat(Bench.run("faulty-logs", folder, 1, "my.clf", "my.tum", "--lasers").complaint())
        .contains("'my.clf'");
  }

  @Test
  void leavesOutAFaultForWhichTheLogIsTooShort() throws IOException {
    Recording log = SimulatedLog.of(World.office(), Route.deadEnds(), 1).first(60);
    log.write(folder, "short");
    Path out = folder.resolve("out");

    assertThat(written(out, "short")).contains("short-wheel-slip is left out: a drive of ");
    assertThat(out.resolve("short-heading-drift.clf")).exists();
    assertThat(out.resolve("short-wheel-slip.clf")).doesNotExist();
  }

  @Test
  void saysWhatALogOfOneReadingLacks() throws IOException {
    SimulatedLog.of(World.office(), Route.deadEnds(), 1).first(1).write(folder, "one");

    assertThat(written(folder.resolve("out"), "one"))
        .contains(
            "one-restarted-odometry is left out: a log of 1 readings has none before which odometry"
                + " can start anew",
            "one-frozen-odometry is left out: a log of 1 readings has no room for 10 frozen ones");
  }

  @Test
  void writesNoMoreOfALogThanItsLimit() throws IOException {
    SimulatedLog.of(World.office(), Route.deadEnds(), 1).first(60).write(folder, "long");
    Path out = folder.resolve("out");

    written(out, "long", "--lesser", "--limit", 30);

    Path log = out.resolve("long-four-metres-heading-drift.clf");
    Path reference = out.resolve("long-four-metres-heading-drift.reference.tum");
    assertThat(Recording.read(CarmenLog.open(log, CarmenSettings.defaults()), reference).readings())
        .hasSize(30);
  }

  /** What is said of the logs that are made of the folder's log with that name. */
  private String written(Path out, String name, Object... options) {
    Object[] words = new Object[5 + options.length];
    words[0] = "faulty-logs";
    words[1] = out;
    words[2] = 1;
    words[3] = folder.resolve(name + ".clf");
    words[4] = folder.resolve(name + ".reference.tum");
    System.arraycopy(options, 0, words, 5, options.length);
    Bench bench = Bench.run(words);
    assertThat(bench.exitCode()).as(bench.err()).isZero();
    return bench.out();
  }
}
