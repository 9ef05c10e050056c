package org.cartostream.ros.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.cartostream.ros.HostAndPort;
import org.cartostream.ros.RosException;
import org.cartostream.ros.xmlrpc.XmlRpcClient;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RosArgumentsTest {

  /** As roslaunch starts a node. */
  @Test
  void readsWhatRoslaunchWrites() {
    RosArguments read =
        RosArguments.read(
            List.of(
                "scan:=base_scan",
                "_maxUrange:=8.0",
                "__name:=slam_gmapping",
                "__log:=/tmp/slam.log"),
            Map.of("ROS_MASTER_URI", "http://turtlebot:11311", "ROS_NAMESPACE", "r1"),
            "cartostream");
    assertThat(read.names().node()).isEqualTo("/r1/slam_gmapping");
    assertThat(read.names().resolve("scan")).isEqualTo("/r1/base_scan");
    assertThat(read.parameters()).isEqualTo(Map.of("maxUrange", "8.0"));
    assertThat(read.master()).isEqualTo(URI.create("http://turtlebot:11311"));
  }

  @Test
  void hasRossOwnDefaults() {
    RosArguments read = RosArguments.read(List.of(), Map.of(), "cartostream");
    assertThat(read.names().node()).isEqualTo("/cartostream");
    assertThat(read.master()).isEqualTo(URI.create("http://localhost:11311"));
  }

  @Test
  void letsTheCommandLineWinOverTheEnvironment() {
    RosArguments read =
        RosArguments.read(
            List.of("__ip:=10.0.0.5", "__master:=http://b:1", "__ns:=/r2"),
            Map.of("ROS_HOSTNAME", "a", "ROS_MASTER_URI", "http://a:1", "ROS_NAMESPACE", "/r1"),
            "cartostream");
    assertThat(read.environment()).containsEntry("ROS_IP", "10.0.0.5");
    assertThat(read.environment()).doesNotContainKey("ROS_HOSTNAME");
    assertThat(read.master()).isEqualTo(URI.create("http://b:1"));
    assertThat(read.names().node()).isEqualTo("/r2/cartostream");
  }

  /** As containers are called; {@link URI} knows no such hosts. */
  @Test
  void takesAMasterWhoseHostHasAnUnderscore() {
    RosArguments read =
        RosArguments.read(List.of("__master:=http://ros_master:11311"), Map.of(), "cartostream");
    assertThat(HostAndPort.of(read.master())).contains(new HostAndPort("ros_master", 11311));
  }

  @Test
  void refusesAMasterWithoutAHostOrWithAPortThatIsNone() {
    List<String> all =
        List.of(
            "http://",
            "http://:1",
            "http://a_b:port",
            "ros_master:11311",
            "http://localhost:99999",
            "http://a_b:99999",
            "http://localhost:0");
    for (String wrong : all) {
      assertThatThrownBy(() -> RosArguments.read(List.of("__master:=" + wrong), Map.of(), "n"))
          .isInstanceOf(RosException.class)
          .hasMessageContaining("'" + wrong + "' is no master's address");
    }
  }

  /** Nobody can be asked, but the name is looked up: the JDK's client alone would not take it. */
  @Test
  void aHostWithAnUnderscoreIsLookedUp() {
    assertThatThrownBy(
            () ->
                new XmlRpcClient("/n").call(URI.create("http://my_robot.invalid:11311"), "getPid"))
        .isInstanceOf(UnknownHostException.class)
        .hasMessageContaining("my_robot.invalid");
  }

  @Test
  void refusesWhatIsNoArgument() {
    assertThatThrownBy(() -> RosArguments.read(List.of("scan=base_scan"), Map.of(), "n"))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("'scan=base_scan'");
  }
}
