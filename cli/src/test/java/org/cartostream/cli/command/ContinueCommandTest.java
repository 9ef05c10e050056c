package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.checkpoint.RunState;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that goes on from the state of an earlier one, in one thread. */
@Quick
class ContinueCommandTest {

  private static final int SCANS = 60;
  private static final int FIRST = 25;
  private static final List<Object> FLAGS =
      List.of("--engine", "serial", "--set", "slam.resampleBelow=0.9", "--particles", 12);

  @TempDir private static Path shared;
  @TempDir private Path folder;

  private static Path whole;
  private static Path first;
  private static Path second;
  private static Path state;

  @BeforeAll
  static void mapTheFirstPartAndAllInOneGo() throws IOException {
    List<String> lines = Logs.office(SCANS);
    whole = Files.write(shared.resolve("whole.clf"), lines);
    first = Files.write(shared.resolve("first.clf"), lines.subList(0, FIRST));
    second = Files.write(shared.resolve("second.clf"), lines.subList(FIRST, SCANS));
    assertThat(replay(whole, shared.resolve("one-go"), "--robot", "r1", "--seed", 7).exitCode())
        .isZero();
    assertThat(replay(first, shared.resolve("begun"), "--robot", "r1", "--seed", 7).exitCode())
        .isZero();
    state = shared.resolve("begun").resolve(RunState.FILE);
  }

  private static Cartostream replay(Path log, Path out, Object... more) {
    List<Object> all = new ArrayList<>(List.of("replay", log, "--out", out));
    all.addAll(FLAGS);
    all.addAll(List.of(more));
    return Cartostream.run(all.toArray());
  }

  private Cartostream continueWith(Path log, Object... more) {
    List<Object> all = new ArrayList<>(List.of("--continue", state));
    all.addAll(List.of(more));
    return replay(log, folder, all.toArray());
  }

  private static void assertAsInOneGo(Path out) throws IOException {
    for (String name : List.of("trajectory.tum", "map.pgm", "map.yaml")) {
      assertThat(out.resolve(name))
          .as(name)
          .hasSameBinaryContentAs(shared.resolve("one-go").resolve(name));
    }
  }

  @Test
  void theRestOfTheLogGivesTheBytesOfOneGo() throws IOException {
    Cartostream run = continueWith(second);

    assertThat(run.err()).doesNotContain("cartostream:");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("(?m)^readings +35 processed, 0 refused")
        .containsPattern("(?m)^resumed +behind reading 25");
    assertAsInOneGo(folder);
  }

  /** Known by its first reading: what the state has of it is passed over. */
  @Test
  void theWholeLogDoesSo() throws IOException {
    assertThat(continueWith(whole).exitCode()).isZero();
    assertAsInOneGo(folder);
    assertThat(Files.readAllLines(folder.resolve("live.tum"))).hasSize(SCANS);
  }

  /** The second time with the log that the second state has a part of. */
  @Test
  void itGoesOnTwiceAndAfterAnInterruption() throws IOException {
    Path part = folder.resolve("part");
    assertThat(replay(second, part, "--continue", state, "--limit", 10).exitCode()).isZero();
    Path again = folder.resolve("again");
    Path its = part.resolve(RunState.FILE);
    assertThat(replay(second, again, "--continue", its).exitCode()).isZero();
    assertAsInOneGo(again);

    assertThat(replay(second, part, "--continue", state, "--resume").exitCode()).isZero();
    assertAsInOneGo(part);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--robot r2             | 2 | --robot r2: the state is that of 'r1', and its run goes on as that",
        "--seed 8               | 1 | was another run: seed was 7 and is 8 now",
        "--set slam.seed=8      | 1 | was another run: seed was 7 and is 8 now",
        "--particles=13         | 2 | should be specified only once",
        "--set slam.maxShiftMetres=0.5 | 1 | was another run: maxShiftMetres was",
        "--engine=storm         | 2 | should be specified only once",
        "--localise map.yaml    | 2 | --continue and --localise: a run makes its map, or is found in",
        "--tasks 2              | 2 | --tasks: not with --engine serial, which is the filter alone",
      })
  void whatDoesNotGoTogetherIsNamed(String options, int exitCode, String sentence) {
    Cartostream run = continueWith(second, (Object[]) options.split(" "));

    assertThat(run.err()).contains(sentence);
    assertThat(run.exitCode()).isEqualTo(exitCode);
  }

  /** Where no engine is named, a cluster stands for Storm. */
  @Test
  void aClusterNeedsNoEngineBesideIt() {
    Cartostream run = Cartostream.run("replay", second, "--continue", state, "--cluster=" + folder);

    assertThat(run.complaint()).contains("there is no cluster in " + folder);
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void aLaserThatIsMountedElsewhereIsNamed() throws IOException {
    List<String> moved = new ArrayList<>();
    for (String line : Files.readAllLines(second)) {
      String[] words = line.split(" ");
      int laser = 10 + Integer.parseInt(words[8]); // Its pose is behind the ranges.
      double heading = Double.parseDouble(words[laser + 2]);
      words[laser] = add(words[laser], 0.2 * Math.cos(heading));
      words[laser + 1] = add(words[laser + 1], 0.2 * Math.sin(heading));
      moved.add(String.join(" ", words));
    }

    Cartostream run = continueWith(Files.write(folder.resolve("moved.clf"), moved));

    assertThat(run.complaint())
        .contains("whose laser is mounted at (0.300 m", "that of the state is mounted at (0.100 m");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  private static String add(String number, double what) {
    return String.valueOf(Double.parseDouble(number) + what);
  }

  /** An older run's results are worth more than a mistyped log. */
  @Test
  void aLogThatDoesNotFitLeavesWhatIsInTheFolder() throws IOException {
    Path older = folder.resolve("older");
    assertThat(replay(first, older, "--robot", "r1").exitCode()).isZero();
    byte[] trajectory = Files.readAllBytes(older.resolve("trajectory.tum"));
    byte[] map = Files.readAllBytes(older.resolve("map.pgm"));
    List<String> others = new ArrayList<>(Files.readAllLines(whole));
    others.remove(12);
    Path other = Files.write(folder.resolve("other.clf"), others);

    Cartostream goneOn = replay(other, older, "--continue", state);
    Cartostream resumed = replay(second, older, "--robot", "r1", "--resume");

    for (Cartostream refused : List.of(goneOn, resumed)) {
      assertThat(refused.exitCode()).as(refused.err()).isEqualTo(1);
      assertThat(refused.complaint()).isNotEmpty();
    }
    assertThat(older.resolve("trajectory.tum")).hasBinaryContent(trajectory);
    assertThat(older.resolve("map.pgm")).hasBinaryContent(map);
    assertThat(replay(first, older, "--robot", "r1", "--resume").exitCode())
        .as("its checkpoint is there, too")
        .isZero();
  }

  @Test
  void whatIsNoStateIsNamed() throws IOException {
    Path map = shared.resolve("begun/map.pgm");
    Cartostream run = replay(second, folder, "--continue", map);
    assertThat(run.complaint()).startsWith("'" + map + "' is no state of a run; each run leaves");
    assertThat(run.exitCode()).isEqualTo(1);

    run = replay(second, folder, "--continue", folder.resolve("gone"));
    assertThat(run.complaint()).isEqualTo("there is no file '" + folder.resolve("gone") + "'");
  }

  @Test
  void theStateIsNotReplaced() {
    Cartostream run = replay(second, state.getParent(), "--continue", state);

    assertThat(run.complaint()).contains("holds '" + state + "', which this run begins with");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(state).exists();
  }
}
