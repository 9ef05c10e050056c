package org.cartostream.bench.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.exit.ExitException;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** When an answer counts as changed, and what is said of it. */
@Quick
class GoldenResultTest {

  private static final GoldenHashes FROZEN = new GoldenHashes("trajectory1", "map1", "live1");

  private final GoldenResult result = asked(Optional.of(FROZEN));

  private static GoldenResult asked(Optional<GoldenHashes> frozen) {
    return new GoldenResult(new GoldenCase("office", "office.clf", 10, 2, 1, 0.25, frozen));
  }

  private static GoldenRuns.Answer answer(String trajectory, String map) {
    Engine.Cost cost =
        new Engine.Cost(
            Map.of(),
            0,
            0,
            0,
            0,
            OdometryStatistics.NONE,
            1,
            TaskBalance.NONE,
            LoopClosureReport.NONE,
            0,
            null,
            null,
            null);
    return new GoldenRuns.Answer(new GoldenHashes(trajectory, map, "live1"), cost);
  }

  @Test
  void saysNothingOfTheFrozenAnswer() {
    result.add(GoldenEngine.SERIAL, answer("trajectory1", "map1"));
    result.add(GoldenEngine.BSP_4, answer("trajectory1", "map1"));
    assertThat(result.changes()).isEmpty();
    assertThat(result.disagreements()).isEmpty();
  }

  @Test
  void namesTheCaseTheEngineAndBothHashes() {
    result.add(GoldenEngine.SERIAL, answer("trajectory1", "map1"));
    result.add(GoldenEngine.BSP_4, answer("trajectory1", "map2"));
    assertThat(result.changes())
        .containsExactly("office, bsp-4: the hash of the map is map2, the frozen one is map1");
    assertThat(result.disagreements()).singleElement().asString().contains("map2", "map1");
  }

  @Test
  void anAnswerThatAllEnginesHaveChangedAlikeCanBeFrozen() {
    result.add(GoldenEngine.SERIAL, answer("trajectory2", "map1"));
    result.add(GoldenEngine.BSP_4, answer("trajectory2", "map1"));
    assertThat(result.changes()).hasSize(2);
    assertThat(result.disagreements()).isEmpty();
  }

  @Test
  void anEngineThatFailsIsADifference() {
    result.add(GoldenEngine.SERIAL, answer("trajectory1", "map1"));
    result.fail(GoldenEngine.DATAFLOW_4, ExitException.failed("no broker"));
    assertThat(result.changes()).containsExactly("office, dataflow-4: no broker");
    assertThat(result.disagreements()).containsExactly("office, dataflow-4: no broker");
  }

  @Test
  void aCaseWithoutAFrozenAnswerIsADifference() {
    GoldenResult fresh = asked(Optional.empty());
    fresh.add(GoldenEngine.SERIAL, answer("trajectory1", "map1"));
    assertThat(fresh.changes()).singleElement().asString().contains("--write");
  }
}
