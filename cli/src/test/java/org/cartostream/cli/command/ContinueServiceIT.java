package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that go on from a state where a service had the first part, or has the second. */
@Nightly(cluster = true)
class ContinueServiceIT {

  private static final int SCANS = 60;
  private static final int FIRST = 35;

  @TempDir private Path folder;

  private Cartostream replay(Path log, String out, Object... more) {
    List<Object> all = new ArrayList<>(List.of("replay", log, "--out", folder.resolve(out)));
    all.addAll(List.of("--set", "slam.resampleBelow=0.9", "--particles", 12));
    all.addAll(List.of(more));
    return Cartostream.run(all.toArray());
  }

  @ParameterizedTest
  @CsvSource({"dataflow, 1", "dataflow, 3", "bsp, 2"})
  void theRestOfTheLogGivesTheBytesOfOneGo(String mode, int tasks) throws IOException {
    List<String> lines = Logs.office(SCANS);
    Path whole = Files.write(folder.resolve("whole.clf"), lines);
    Path first = Files.write(folder.resolve("first.clf"), lines.subList(0, FIRST));
    Path second = Files.write(folder.resolve("second.clf"), lines.subList(FIRST, SCANS));
    replay(whole, "one-go", "--robot", "r-1", "--seed", 7, "--engine", "serial");
    Cartostream service =
        replay(first, "begun", "--robot", "r-1", "--seed", 7, "--mode", mode, "--tasks", tasks);
    assertThat(service.exitCode()).isZero();
    Path state = folder.resolve("begun/run.state");

    Cartostream run = replay(second, "whole", "--continue", state);

    assertThat(run.err()).doesNotContain("cartostream:");
    assertThat(run.out()).containsPattern("(?m)^resumed +behind reading " + FIRST);
    assertAsInOneGo("whole");
    assertThat(replay(whole, "again", "--continue", state).complaint())
        .contains("before the state's end: a state that a service left goes on with what follows");
  }

  /** From the state of one thread, or of a service with another layout. */
  @ParameterizedTest
  @CsvSource({
    "serial, dataflow, 1",
    "serial, dataflow, 3",
    "serial, bsp, 2",
    "storm, dataflow, 3",
    "storm, bsp, 1"
  })
  void aServiceGoesOnToTheBytesOfOneGo(String engine, String mode, int tasks) throws IOException {
    List<String> lines = Logs.office(SCANS);
    Path whole = Files.write(folder.resolve("whole.clf"), lines);
    Path first = Files.write(folder.resolve("first.clf"), lines.subList(0, FIRST));
    Path second = Files.write(folder.resolve("second.clf"), lines.subList(FIRST, SCANS));
    replay(whole, "one-go", "--robot", "r-1", "--seed", 7, "--engine", "serial");
    assertThat(replay(first, "begun", "--robot", "r-1", "--seed", 7, "--engine", engine).exitCode())
        .isZero();
    Path state = folder.resolve("begun/run.state");
    Object[] storm = {"--engine", "storm", "--mode", mode, "--tasks", tasks, "--continue", state};

    Cartostream run = replay(second, "whole", storm);

    assertThat(run.err()).doesNotContain("cartostream:");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("(?m)^readings +25 processed, 0 refused, 0 skipped, 0 lost")
        .containsPattern("(?m)^resumed +behind reading " + FIRST);
    assertAsInOneGo("whole");
    assertThat(Files.readAllLines(folder.resolve("whole/live.tum"))).hasSize(SCANS - FIRST);

    // And once more, from the state that it left.
    Path third = folder.resolve("third.clf");
    Files.write(third, Logs.office(SCANS + 10).subList(SCANS, SCANS + 10));
    Path its = folder.resolve("whole/run.state");
    assertThat(replay(third, "more", "--continue", its).exitCode()).isZero();
    assertThat(Files.readAllLines(folder.resolve("more/trajectory.tum"))).hasSize(SCANS + 10);
  }

  /** The robot was carried to where a pose says; the state is of any engine, as is what goes on. */
  @ParameterizedTest
  @CsvSource({"serial, bsp, 2", "storm, dataflow, 3"})
  void aServiceGoesOnWithARobotThatWasCarried(String engine, String mode, int tasks)
      throws IOException {
    List<String> lines = Logs.office(SCANS);
    Path first = Files.write(folder.resolve("first.clf"), lines);
    List<String> later = ContinueCarriedTest.carried(lines.subList(10, FIRST));
    Path second = Files.write(folder.resolve("second.clf"), later);
    assertThat(replay(first, "begun", "--robot", "r-1", "--engine", engine).exitCode()).isZero();
    Pose there = TumFile.read(folder.resolve("begun/trajectory.tum")).get(10).pose();
    Pose said = there.then(new Pose(0.2, 0.1, -0.1));
    Object[] carried = {
      "--continue", folder.resolve("begun/run.state"), "--at", ContinueCarriedTest.at(said)
    };
    assertThat(replay(second, "one-go", carried).exitCode()).isZero();
    List<StampedPose> path = TumFile.read(folder.resolve("one-go/trajectory.tum"));
    assertThat(path.get(SCANS).pose().distance(there)).as("it is found").isLessThan(0.1);
    Object[] storm = with(carried, "--engine", "storm", "--mode", mode, "--tasks", tasks);

    Cartostream run = replay(second, "whole", storm);

    assertThat(run.err()).doesNotContain("cartostream:");
    assertThat(run.exitCode()).isZero();
    assertAsInOneGo("whole");
  }

  /** Nobody knows where the robot was carried to: it is found at the same pose on any engine. */
  @Test
  void aServiceGoesOnWithARobotThatIsFound() throws IOException {
    List<String> lines = Logs.office(SCANS);
    Path first = Files.write(folder.resolve("first.clf"), lines);
    List<String> later = ContinueCarriedTest.carried(lines.subList(10, SCANS));
    Path second = Files.write(folder.resolve("second.clf"), later);
    assertThat(replay(first, "begun", "--robot", "r-1", "--engine", "storm").exitCode()).isZero();
    Object[] anywhere = {"--continue", folder.resolve("begun/run.state"), "--at", "anywhere"};
    Cartostream serial = replay(second, "one-go", anywhere);
    assertThat(serial.exitCode()).as(serial.err()).isZero();
    Pose there = TumFile.read(folder.resolve("begun/trajectory.tum")).get(10).pose();
    List<StampedPose> path = TumFile.read(folder.resolve("one-go/trajectory.tum"));
    assertThat(path.get(SCANS).pose().distance(there)).as("it is found").isLessThan(0.1);

    Cartostream run = replay(second, "whole", with(anywhere, "--engine", "storm", "--tasks", 2));

    assertThat(run.exitCode()).as(run.err()).isZero();
    String note = "note: --at anywhere: the log begins at ";
    assertThat(run.err().lines().filter(line -> line.startsWith(note)))
        .isNotEmpty()
        .containsExactlyElementsOf(
            serial.err().lines().filter(line -> line.startsWith(note)).toList());
    assertAsInOneGo("whole");
  }

  /** From the map's picture alone; the state that it leaves has the walls of the picture, too. */
  @ParameterizedTest
  @CsvSource({"dataflow, 2", "bsp, 2"})
  void aServiceBeginsWithTheCellsOfAMap(String mode, int tasks) throws IOException {
    List<String> lines = Logs.office(SCANS);
    Path whole = Files.write(folder.resolve("whole.clf"), lines);
    Path first = Files.write(folder.resolve("first.clf"), lines.subList(0, FIRST));
    Path second = Files.write(folder.resolve("second.clf"), lines.subList(FIRST, SCANS));
    assertThat(replay(whole, "known", "--engine", "serial").exitCode()).isZero();
    assertThat(replay(first, "begun", "--engine", "serial").exitCode()).isZero();
    Pose there = TumFile.read(folder.resolve("known/trajectory.tum")).get(FIRST).pose();
    Object[] map = {
      "--robot",
      "r-1",
      "--continue",
      folder.resolve("begun/map.yaml"),
      "--at",
      (there.x() + 0.2) + "," + there.y() + "," + (there.theta() - 0.1)
    };
    Object[] serial = with(map, "--engine", "serial");
    assertThat(replay(second, "one-go", serial).exitCode()).isZero();
    List<StampedPose> gone = TumFile.read(folder.resolve("one-go/trajectory.tum"));
    assertThat(gone.get(0).pose().distance(there)).as("it is found").isLessThan(0.1);
    Object[] storm = with(map, "--engine", "storm", "--mode", mode, "--tasks", tasks);

    Cartostream run = replay(second, "whole", storm);

    assertThat(run.err()).doesNotContain("cartostream:");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("(?m)^readings +25 processed, 0 refused, 0 skipped, 0 lost")
        .doesNotContain("resumed");
    assertAsInOneGo("whole");
    assertThat(Files.readAllLines(folder.resolve("whole/live.tum"))).hasSize(SCANS - FIRST);
    Path third = folder.resolve("third.clf");
    Files.write(third, Logs.office(SCANS + 10).subList(SCANS, SCANS + 10));
    for (String name : List.of("one-go", "whole")) { // Their states have the old map in them.
      Path state = folder.resolve(name).resolve("run.state");
      Cartostream more = replay(third, name + "-more", "--continue", state, "--engine", "serial");
      assertThat(more.exitCode()).as(more.err()).isZero();
      // The map counts as a reading: a service that lacks it must not take the next for the first.
      assertThat(more.out()).containsPattern("(?m)^resumed +behind reading 26");
    }
    assertThat(folder.resolve("whole-more/map.pgm"))
        .hasSameBinaryContentAs(folder.resolve("one-go-more/map.pgm"));
  }

  private static Object[] with(Object[] some, Object... more) {
    return Stream.concat(Stream.of(some), Stream.of(more)).toArray();
  }

  private void assertAsInOneGo(String out) {
    for (String name : List.of("trajectory.tum", "map.pgm", "map.yaml")) {
      assertThat(folder.resolve(out).resolve(name))
          .as(name)
          .hasSameBinaryContentAs(folder.resolve("one-go").resolve(name));
    }
  }

  @Test
  void whatAServiceCannotGoOnWithIsNamed() throws IOException {
    List<String> lines = Logs.office(SCANS);
    Path whole = Files.write(folder.resolve("whole.clf"), lines);
    Path first = Files.write(folder.resolve("first.clf"), lines.subList(0, FIRST));
    Path second = Files.write(folder.resolve("second.clf"), lines.subList(FIRST, SCANS));
    replay(first, "begun", "--robot", "r-1", "--engine", "serial");
    Object[] storm = {"--engine", "storm", "--continue", folder.resolve("begun/run.state")};

    assertThat(replay(whole, "again", storm).complaint())
        .contains("the state has the first 35 readings of this log already")
        .contains("--engine serial passes them over");
    assertThat(replay(second, "again", with(storm, "--seed", 8)).complaint())
        .contains("seed was 1 and is 8 now");
    String off = "checkpoint.everySeconds=0";
    assertThat(replay(second, "again", with(storm, "--set", off)).complaint())
        .contains("a service goes on from a checkpoint, and checkpoint.everySeconds is 0");
    assertThat(folder.resolve("again/trajectory.tum")).doesNotExist();
  }
}
