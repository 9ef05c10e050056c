package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.checkpoint.RunState;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * At the end of a run one of two paths is taken: that of the loops closed on the way, or that of
 * the search at the end. Which one does not depend on how the run was processed.
 */
@Default
class ChosenPathTest {

  private static final int FIRST = 170;

  @TempDir private Path folder;

  private static void replay(int seed, Path log, Path out, Object... more) {
    List<Object> all = new ArrayList<>(List.of("replay", log, "--out", out, "--robot", "r1"));
    all.addAll(List.of("--engine", "serial", "--particles", 12, "--seed", seed));
    all.addAll(List.of(more));
    Cartostream run = Cartostream.run(all.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private static JsonNode loops(Path out) throws IOException {
    return new ObjectMapper().readTree(out.resolve("report.json").toFile()).get("loops");
  }

  private static void assertSame(Path out, Path expected) throws IOException {
    for (String name : List.of("trajectory.tum", "map.pgm", "map.yaml")) {
      assertThat(out.resolve(name)).as(name).hasSameBinaryContentAs(expected.resolve(name));
    }
    for (String name : List.of("path", "wayBits", "endBits", "closed", "places")) {
      assertThat(loops(out).get(name)).as(name).isEqualTo(loops(expected).get(name));
    }
  }

  /** Seeds at which each of the two is taken. */
  @ParameterizedTest
  @CsvSource({"1, way", "4, end"})
  void isTheSameAfterAnEndAResumeAndAContinuation(int seed, String path) throws IOException {
    List<String> lines = Files.readAllLines(Logs.OFFICE);
    Path second = Files.write(folder.resolve("second.clf"), lines.subList(FIRST, lines.size()));
    Path oneGo = folder.resolve("one-go");
    replay(seed, Logs.OFFICE, oneGo);
    assertThat(loops(oneGo).get("path").asText()).isEqualTo(path);
    assertThat(loops(oneGo).get("closed").asInt()).isPositive();

    Path first = Files.write(folder.resolve("first.clf"), lines.subList(0, FIRST));
    Path begun = folder.resolve("begun");
    replay(seed, first, begun);
    Path continued = folder.resolve("continued");
    replay(seed, second, continued, "--continue", begun.resolve(RunState.FILE));
    assertSame(continued, oneGo);

    Path stopped = folder.resolve("stopped");
    replay(seed, Logs.OFFICE, stopped, "--limit", FIRST);
    assertThat(loops(stopped).get("path").asText()).isEqualTo(loops(begun).get("path").asText());
    replay(seed, Logs.OFFICE, stopped, "--resume");
    assertSame(stopped, oneGo);
  }
}
