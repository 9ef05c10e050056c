package org.cartostream.gateway.ros.bridge;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.cartostream.gateway.ros.client.RosException;
import org.junit.jupiter.api.Test;

class BridgeAddressTest {

  /** The JDK's client takes none; and a certificate would not be for the number. */
  @Test
  void blamesTheUnderscoreOfAHost() {
    assertThatThrownBy(() -> BridgeNode.address("ws://my_robot:9090"))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("'ws://my_robot:9090'")
        .hasMessageContaining("no underscore");
  }
}
