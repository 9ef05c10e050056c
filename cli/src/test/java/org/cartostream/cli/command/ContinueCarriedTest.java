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
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that goes on from a state though its robot was carried, and its odometry started anew. */
@Quick
class ContinueCarriedTest {

  private static final int FIRST = 100;

  /** The robot is carried back to where it took this scan, seven metres away. */
  private static final int BACK = 20;

  private static final int MORE = 60;

  @TempDir private static Path shared;
  @TempDir private Path folder;

  private static Path first;
  private static Path second;
  private static Path state;

  /** Where the robot was when it took the scans for the first time. */
  private static List<StampedPose> known;

  @BeforeAll
  static void mapTheFirstPart() throws IOException {
    List<String> lines = Logs.office(FIRST);
    first = Files.write(shared.resolve("first.clf"), lines);
    second = Files.write(shared.resolve("second.clf"), carried(lines.subList(BACK, MORE)));
    assertThat(replay(first, shared.resolve("begun"), "--robot", "r1").exitCode()).isZero();
    state = shared.resolve("begun").resolve(RunState.FILE);
    known = TumFile.read(shared.resolve("begun/trajectory.tum"));
    assertThat(known.get(BACK).pose().distance(known.get(FIRST - 1).pose())).isGreaterThan(6);
  }

  private static Cartostream replay(Path log, Path out, Object... more) {
    List<Object> all = new ArrayList<>(List.of("replay", log, "--out", out));
    all.addAll(List.of("--engine", "serial", "--particles", 8));
    all.addAll(List.of(more));
    return Cartostream.run(all.toArray());
  }

  /** The same scans half an hour later, of a robot whose odometry begins at its origin. */
  static List<String> carried(List<String> lines) {
    List<String> later = new ArrayList<>();
    Pose start = null;
    for (String line : lines) {
      String[] words = line.split(" ");
      int laser =
          10 + Integer.parseInt(words[8]); // Its pose is behind the ranges; then the base's.
      start = start == null ? pose(words, laser + 3) : start;
      for (int at : List.of(laser, laser + 3)) {
        Pose moved = start.to(pose(words, at));
        words[at] = String.valueOf(moved.x());
        words[at + 1] = String.valueOf(moved.y());
        words[at + 2] = String.valueOf(moved.theta());
      }
      for (int stamp : List.of(words.length - 3, words.length - 1)) {
        words[stamp] = String.valueOf(Double.parseDouble(words[stamp]) + 1800);
      }
      later.add(String.join(" ", words));
    }
    return later;
  }

  private static Pose pose(String[] words, int at) {
    return new Pose(
        Double.parseDouble(words[at]),
        Double.parseDouble(words[at + 1]),
        Double.parseDouble(words[at + 2]));
  }

  static String at(Pose pose) {
    return pose.x() + "," + pose.y() + "," + pose.theta();
  }

  /** What is said is decimetres and degrees off; the laser puts that right. */
  @Test
  void theRunGoesOnWhereItWasCarriedTo() throws IOException {
    Pose said = known.get(BACK).pose().then(new Pose(0.3, -0.2, 0.1));

    Cartostream run = replay(second, folder, "--continue", state, "--at", at(said));

    assertThat(run.err()).doesNotContain("note: --at");
    assertItGoesOnWhereItWasCarriedTo(run);
  }

  /** Nobody knows where it was carried to. */
  @Test
  void theRobotIsFoundFirst() throws IOException {
    Cartostream run = replay(second, folder, "--continue", state, "--at", "anywhere");

    String note = run.err().lines().filter(line -> line.startsWith("note: --at")).findFirst().get();
    System.out.println(note);
    assertThat(note).startsWith("note: --at anywhere: the log begins at ");
    assertItGoesOnWhereItWasCarriedTo(run);
  }

  private void assertItGoesOnWhereItWasCarriedTo(Cartostream run) throws IOException {
    assertThat(run.err()).doesNotContain("cartostream:");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("(?m)^readings +40 processed, 0 refused")
        .containsPattern("(?m)^resumed +behind reading 100");
    List<StampedPose> whole = TumFile.read(folder.resolve("trajectory.tum"));
    assertThat(whole).as("both parts").hasSize(FIRST + MORE - BACK);
    double far = 0;
    for (int i = 0; i < MORE - BACK; i++) {
      Pose there = known.get(BACK + i).pose();
      far = Math.max(far, whole.get(FIRST + i).pose().distance(there));
    }
    System.out.printf("%.3f m from where it was the first time, at most%n", far);
    assertThat(far).isLessThan(0.1);
  }

  /** Without a pose the odometry that was started anew is a jump, and the place is the old one. */
  @Test
  void itsStateGoesOnToTheSameBytesAfterAnInterruption() throws IOException {
    Object[] carried = {"--continue", state, "--at", at(known.get(BACK).pose())};
    List<String> lines = Files.readAllLines(second).subList(0, 20);
    Path log = Files.write(folder.resolve("second.clf"), lines);
    assertThat(replay(log, folder.resolve("one-go"), carried).exitCode()).isZero();
    List<Object> some = new ArrayList<>(List.of(carried));
    some.addAll(List.of("--limit", 10));
    assertThat(replay(log, folder.resolve("part"), some.toArray()).exitCode()).isZero();
    List<Object> rest = new ArrayList<>(List.of(carried));
    rest.add("--resume");

    Cartostream run = replay(log, folder.resolve("part"), rest.toArray());

    assertThat(run.exitCode()).as(run.err()).isZero();
    for (String name : List.of("trajectory.tum", "map.pgm", "map.yaml")) {
      assertThat(folder.resolve("part").resolve(name))
          .hasSameBinaryContentAs(folder.resolve("one-go").resolve(name));
    }
  }

  /** In another room. */
  @Test
  void aWrongPoseIsSaidAndTheRightOneIsNamed() throws IOException {
    Pose wrong = known.get(FIRST - 1).pose();

    Cartostream run = replay(second, folder, "--continue", state, "--at", at(wrong));

    String note = run.err().lines().filter(line -> line.startsWith("note: --at")).findFirst().get();
    System.out.println(note);
    assertThat(note).contains("the first scan does not fit the map there: 0.").contains("it would");
    String[] named = note.substring(note.lastIndexOf(' ') + 1).split(",");
    Pose right = new Pose(Double.parseDouble(named[0]), Double.parseDouble(named[1]), 0);
    assertThat(right.distance(known.get(BACK).pose())).isLessThan(0.5);
  }

  @Test
  void aRobotThatIsNotFoundIsSaid() throws IOException {
    Path few = Files.write(folder.resolve("few.clf"), Files.readAllLines(second).subList(0, 5));

    Cartostream run = replay(few, folder.resolve("out"), "--continue", state, "--at", "anywhere");

    assertThat(run.complaint())
        .startsWith(
            "--at anywhere: the robot was not found in '" + state + "' by the first 5 readings");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(folder.resolve("out/trajectory.tum")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "second | 500,0,0 | 2 | --at: the start (500.0, 0.0) lies outside the map, which",
        "second | NaN,0,0 | 2 | --at NaN,0,0: three numbers are needed",
        "first  | 0,0,0   | 1 | --at: the state has the first 100 readings of this log already, so the robot is where they end; --at is for another log",
      })
  void whatDoesNotGoTogetherIsNamed(String log, String at, int exitCode, String sentence) {
    Path file = log.equals("first") ? first : second;

    Cartostream run = replay(file, folder.resolve("out"), "--continue", state, "--at", at);

    assertThat(run.complaint()).contains(sentence);
    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(folder.resolve("out/trajectory.tum")).doesNotExist();
  }
}
