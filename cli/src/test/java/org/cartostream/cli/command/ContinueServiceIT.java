package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that a service had, and that goes on from its state in one thread. */
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
    for (String name : List.of("trajectory.tum", "map.pgm", "map.yaml")) {
      assertThat(folder.resolve("whole").resolve(name))
          .as(name)
          .hasSameBinaryContentAs(folder.resolve("one-go").resolve(name));
    }
    assertThat(replay(whole, "again", "--continue", state).complaint())
        .contains("before the state's end: a state that a service left goes on with what follows");
  }
}
