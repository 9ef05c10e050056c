package org.cartostream.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be a robot's id: it stands in names of queues and files. */
@Quick
class RobotIdTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "a.b", "a/b", "#", "*", "a b", "ä", "a\n", "../up"})
  void refusesWhatIsNoRobotsId(String id) {
    assertThatThrownBy(() -> RobotId.check(id))
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("1 to 64 letters, digits, '-' and '_'");
  }

  @Test
  void boundsTheLengthOfARobotsId() {
    assertThat(RobotId.check("a".repeat(64))).hasSize(64);
    assertThatThrownBy(() -> RobotId.check("a".repeat(65)))
        .isInstanceOf(RefusedMessageException.class);
  }
}
