package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class SeedsTest {

  @Test
  void areListedOrGivenAsARange() {
    assertThat(Seeds.parse("4").list()).containsExactly(4L);
    assertThat(Seeds.parse("2..4").list()).containsExactly(2L, 3L, 4L);
    assertThat(Seeds.parse("7,1..2,-3").list()).containsExactly(7L, 1L, 2L, -3L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1,", "one", "3..1", "1..", "..2", "1..100000000000"})
  void areNotFoundInOtherText(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Seeds.parse(text));
  }
}
