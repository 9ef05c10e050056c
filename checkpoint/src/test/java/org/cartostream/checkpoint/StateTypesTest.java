package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class StateTypesTest {

  private record Pair(int left, int right) {}

  private static final String PAIR = Pair.class.getName();

  private static StateTypes types(String... lines) {
    return StateTypes.of(List.of(lines), StateTypesTest.class.getClassLoader());
  }

  @Test
  void aTypeAndItsMembersHaveTheNumbersOfTheirLine() {
    StateTypes types = types("# pairs", "", "1017 " + PAIR + " 1:left 4:right");
    assertThat(types.number(Pair.class)).isEqualTo(1017);
    assertThat(types.type(1017)).isSameAs(Pair.class);
    assertThat(types.member(Pair.class, "right")).isEqualTo(4);
  }

  @Test
  void whatHasNoNumberIsNamedWithTheLineThatAddsIt() {
    StateTypes types = types("41 org.cartostream.A", "1044 org.example.Other");
    assertThatThrownBy(() -> types.number(Pair.class))
        .hasMessage(
            "%s cannot be part of a state: the line '42 %1$s 1:left 2:right' in org/cartostream/state-types would add it, if it is data"
                .formatted(PAIR));
    assertThatThrownBy(() -> types.number(Thread.State.class))
        .hasMessageContaining("the line '1045 java.lang.Thread$State 1:NEW 2:RUNNABLE 3:BLOCKED");
    assertThatThrownBy(() -> types("17 " + PAIR + " 1:left").member(Pair.class, "right"))
        .hasMessage(
            "right of %s cannot be part of a state: '2:right' in its line of org/cartostream/state-types, 17, would add it"
                .formatted(PAIR));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9 org.example.Low",
        "x org.example.NoNumber",
        "17",
        "17 org.example.Pose 1:x, 2:y",
        "17 org.example.Pose 1:x 1:y",
        "17 org.example.Pose 1:x 2:x",
        "17 org.example.Pose 0:x",
        "1234567890 org.example.Large",
      })
  void whatIsNoLineIsNamed(String line) {
    assertThatThrownBy(() -> types(line))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'" + line + "' in org/cartostream/state-types");
  }

  @Test
  void numbersThatCollideAreRefused() {
    assertThatThrownBy(() -> types("17 org.example.A", "17 org.example.B"))
        .hasMessageContaining("'17 org.example.B', and had 17 org.example.A before");
    assertThatThrownBy(() -> types("17 org.example.A", "18 org.example.A"))
        .hasMessageContaining("each type has one number");
    assertThatThrownBy(() -> types("17 org.example.A 1:x", "17 org.example.A 2:x"))
        .hasMessageContaining("each type has one number");
    types("17 org.example.A", "17 org.example.A"); // A jar that is there twice.
  }
}
