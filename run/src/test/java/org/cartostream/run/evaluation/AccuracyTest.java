package org.cartostream.run.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.cartostream.run.metrics.LivePath;
import org.cartostream.run.report.RunReport;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class AccuracyTest {

  private static final ObjectMapper JSON = RunReport.json();

  /** What is not measured is null. */
  private static Accuracy measured(Accuracy.Live live) {
    return new Accuracy(
        0.1, 0.2, 3, 3, false, null, null, null, null, null, null, null, null, List.of(), live);
  }

  private static JsonNode json(Accuracy accuracy) {
    return JSON.valueToTree(accuracy);
  }

  @Test
  void theReportHasTheCorrectionsBesideTheLargestJump() {
    Accuracy accuracy =
        measured(new Accuracy.Live(0.3, 0.4, null, null, new LivePath.Moves(0.15, 3, 7, 0.834)));
    assertThat(json(accuracy).at("/live/largestJumpMetres").asDouble()).isEqualTo(0.15);
    assertThat(json(accuracy).at("/live/jumps").asInt()).isEqualTo(3);
    assertThat(json(accuracy).at("/live/corrections").asInt()).isEqualTo(7);
    assertThat(json(accuracy).at("/live/largestCorrectionMetres").asDouble()).isEqualTo(0.834);
    assertThat(accuracy.lines())
        .contains(
            "the pose jumps by up to 0.15 m, 3 times by more than 0.1 m",
            "corrected it 7 times, by up to 0.83 m");
  }

  @Test
  void aRunWithoutCorrectionsSaysSoInItsReportOnly() {
    Accuracy accuracy = measured(null).withLive(measured(null), new LivePath());
    assertThat(json(accuracy).at("/live/corrections").isInt()).isTrue();
    assertThat(json(accuracy).at("/live/corrections").asInt()).isZero();
    assertThat(accuracy.lines()).contains("on the way").doesNotContain("corrected");
  }
}
