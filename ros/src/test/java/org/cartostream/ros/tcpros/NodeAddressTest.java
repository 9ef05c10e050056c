package org.cartostream.ros.tcpros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.cartostream.ros.RosException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class NodeAddressTest {

  private static final URI HERE = URI.create("http://127.0.0.1:11311");

  private static String advertised(Map<String, String> environment) {
    return NodeAddress.of(HERE, environment).advertised();
  }

  @Test
  void isWhatTheEnvironmentSaysElseTheWayToTheMaster() {
    assertThat(advertised(Map.of("ROS_HOSTNAME", "localhost", "ROS_IP", "127.0.0.9")))
        .isEqualTo("localhost");
    assertThat(advertised(Map.of("ROS_IP", "127.0.0.9"))).isEqualTo("127.0.0.9");
    assertThat(advertised(Map.of())).isEqualTo("127.0.0.1");
  }

  /** As {@code export ROS_HOSTNAME=} leaves it in a shell. */
  @Test
  void takesAnEmptyVariableForNone() {
    assertThat(advertised(Map.of("ROS_HOSTNAME", "", "ROS_IP", "127.0.0.9")))
        .isEqualTo("127.0.0.9");
    assertThat(advertised(Map.of("ROS_HOSTNAME", "", "ROS_IP", ""))).isEqualTo("127.0.0.1");
  }

  @Test
  void saysThatTheMastersHostIsNotKnown() {
    URI nowhere = URI.create("http://my_robot.invalid:11311");
    assertThatThrownBy(() -> NodeAddress.of(nowhere, Map.of()))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("the host 'my_robot.invalid' of the ROS master")
        .hasMessageNotContaining("ROS_IP");
  }
}
