package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;

/** What the command reports of a whole log. */
@Default(computes = true)
class ReplayCommandAccuracyTest extends SerialReplays {

  /** The robot of the log comes back to where it had been. */
  @Test
  void saysWhichLoopsWereClosed() throws IOException {
    Cartostream run = replay(Logs.OFFICE);
    JsonNode loops = report().at("/loops");
    assertThat(loops.get("closed").asLong()).isPositive();
    assertThat(loops.get("movedMetres").asDouble()).isPositive().isLessThan(1);
    String said =
        String.format(
            Locale.ROOT,
            "%d edges closed in .* s, poses moved by up to %.2f m",
            loops.get("closed").asLong(),
            loops.get("movedMetres").asDouble());
    assertThat(run.out()).containsPattern("loops +" + said);

    run = replay(Logs.OFFICE, "--limit", 20, "--set", "slam.loops.searchMetres=0");
    assertThat(run.out()).doesNotContainPattern("(?m)^loops ");
    assertThat(report().at("/loops/seconds").asDouble(-1)).isZero();
  }

  @Test
  void measuresTheWholeRunByAReference() throws IOException {
    replay(Logs.OFFICE, "--reference", Logs.OFFICE_REFERENCE);
    assertThat(report().at("/accuracy/posesCompared").asInt()).isEqualTo(320);
    assertThat(report().at("/accuracy/ateMetres").asDouble())
        .as("odometry alone: 0.71 m")
        .isPositive()
        .isLessThan(0.3);
  }

  /** Each beam of the log says that it points 0.1 rad further to the left than it does. */
  @Test
  void saysHowFarTheLaserIsTurned() throws IOException {
    List<String> lines =
        Logs.office(320).stream().map(line -> line.replace(" -2.356194 ", " -2.256194 ")).toList();
    Cartostream run = replay(Logs.file(folder, lines));
    JsonNode found = report().at("/odometry/mountError");
    assertThat(found.get("theta").asDouble()).isCloseTo(-0.1, within(0.02));
    String degrees =
        String.format(Locale.ROOT, "%.1f degrees", Math.toDegrees(found.get("theta").asDouble()));
    assertThat(run.out()).containsPattern("mount +laser off .*" + degrees);
    assertThat(found.size()).as("x, y and theta").isEqualTo(3);
  }
}
