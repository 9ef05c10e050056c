package org.cartostream.ros.rosbridge;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.cartostream.ros.RosException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class RosbridgeAddressTest {

  /** The JDK's client takes none of them, and the gateway would try for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"ws://robot:99999", "ws://robot:0", "ws://robot:9090/#x", "ws://robot/#"})
  void refusesWhatCanNeverBeReached(String address) {
    assertThatThrownBy(() -> RosbridgeNode.address(address))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("'" + address + "'")
        .hasMessageContaining("1 to 65535");
  }

  /** The JDK's client takes none; and a certificate would not be for the number. */
  @Test
  void blamesTheUnderscoreOfAHost() {
    assertThatThrownBy(() -> RosbridgeNode.address("ws://my_robot:9090"))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("'ws://my_robot:9090'")
        .hasMessageContaining("no underscore");
  }
}
