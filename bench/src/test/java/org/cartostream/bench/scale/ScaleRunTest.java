package org.cartostream.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Quick
class ScaleRunTest {

  /** The first warms up; in the middle of an even number the faster one counts. */
  @ParameterizedTest
  @CsvSource({
    "7, 7",
    "9 5, 5",
    "1 5, 5",
    "1 6 5, 5",
    "9 6 8 7, 7",
    "1 5 9 6 8, 6",
  })
  void countsTheMedianOfThePassesThatAreNotCold(String passes, double counted) {
    List<Double> millis = Arrays.stream(passes.split(" ")).map(Double::valueOf).toList();
    assertThat(ScaleRun.median(millis)).isEqualTo(counted);
  }

  @Test
  void printsEveryPassAndWhichOneWasCold() {
    assertThat(ScaleRun.inOrder("%.1f", List.of(50.14, 28.0, 30.06))).isEqualTo("(50.1) 28.0 30.1");
    assertThat(ScaleRun.inOrder("%.2f", List.of(7.0))).isEqualTo("7.00");
  }
}
