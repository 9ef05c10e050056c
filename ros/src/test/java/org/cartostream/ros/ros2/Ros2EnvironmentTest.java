package org.cartostream.ros.ros2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.Map;
import org.cartostream.ros.RosException;
import org.cartostream.ros.rtps.participant.DomainAccess;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class Ros2EnvironmentTest {

  private static DomainAccess access(String variable, String value) {
    return Ros2Environment.access(Map.of(variable, value), "");
  }

  @Test
  void withoutVariablesItIsDomainZeroOnAllInterfacesByMulticast() {
    DomainAccess access = Ros2Environment.access(Map.of(), "");
    assertThat(access.domain()).isZero();
    assertThat(access.multicast()).isTrue();
    assertThat(access.isAlone()).isFalse();
    assertThat(access.interfaces()).isNotEmpty();
  }

  @Test
  void localhostIsLoopbackWithoutMulticast() throws Exception {
    DomainAccess access = access("ROS_AUTOMATIC_DISCOVERY_RANGE", "localhost");
    assertThat(access.multicast()).isFalse();
    assertThat(access.interfaces()).containsExactly(InetAddress.getByName("127.0.0.1"));
    assertThat(access.peers()).isEqualTo(access.interfaces());
  }

  @Test
  void offAsksNobody() {
    assertThat(access("ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF").peers()).isEmpty();
  }

  @Test
  void staticPeersAreAskedByAddress() throws Exception {
    assertThat(access("ROS_STATIC_PEERS", "10.1.2.3;10.1.2.4").peers())
        .contains(InetAddress.getByName("10.1.2.3"), InetAddress.getByName("10.1.2.4"));
  }

  @Test
  void whatMakesNoSenseIsRefusedWithItsName() {
    assertThatThrownBy(() -> access("ROS_DOMAIN_ID", "one"))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("'one'")
        .hasMessageContaining("0 to 232");
    assertThatThrownBy(() -> access("ROS_AUTOMATIC_DISCOVERY_RANGE", "WORLD"))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("'WORLD'")
        .hasMessageContaining("SUBNET");
  }

  @Test
  void namesAreThoseOfDds() {
    assertThat(DdsNames.topic("/robot1/scan")).isEqualTo("rt/robot1/scan");
    assertThat(DdsNames.type("sensor_msgs/msg/LaserScan", ""))
        .isEqualTo("sensor_msgs::msg::dds_::LaserScan_");
    assertThat(DdsNames.type("nav_msgs/srv/GetMap", "_Request"))
        .isEqualTo("nav_msgs::srv::dds_::GetMap_Request_");
    assertThat(DdsNames.request("/dynamic_map")).isEqualTo("rq/dynamic_mapRequest");
    assertThat(DdsNames.reply("/dynamic_map")).isEqualTo("rr/dynamic_mapReply");
  }
}
