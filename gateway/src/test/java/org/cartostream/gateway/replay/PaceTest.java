package org.cartostream.gateway.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class PaceTest {

  @Test
  void atTenTimesThePaceTenSecondsLastOne() {
    assertThat(Pace.parse("10").replayNanos(10_000_000_000L)).isEqualTo(1_000_000_000L);
  }

  @Test
  void atTheLargestPaceNothingLasts() {
    assertThat(Pace.parse("max").replayNanos(Long.MAX_VALUE)).isZero();
  }

  @Test
  void neverWaitsForStampsThatGoBackwards() {
    assertThat(new Pace(1).replayNanos(-5)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN", "Infinity", "fast", ""})
  void refusesWhatIsNoPace(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Pace.parse(text))
        .withMessageContaining("'" + text + "'")
        .withMessageContaining("'max' or a number above 0");
  }
}
