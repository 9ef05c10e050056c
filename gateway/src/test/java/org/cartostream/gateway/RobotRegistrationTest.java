package org.cartostream.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.cartostream.broker.ZooKeeperAccess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RobotRegistrationTest {

  private static final String NODE = RobotRegistration.ROBOTS + "/r2-d2";

  private final RobotDescription robot =
      new RobotDescription("r2-d2", "log", "host-a, process 1", "0.1.0");
  private final GatewaySettings settings = GatewaySettings.defaults();
  private TestingServer server;
  private CuratorFramework observer;

  @BeforeEach
  void start() throws Exception {
    server = new TestingServer();
    observer = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
    observer.start();
  }

  @AfterEach
  void stop() throws Exception {
    observer.close();
    server.close();
  }

  private ZooKeeperAccess access() {
    return ZooKeeperAccess.plain(server.getConnectString());
  }

  private RobotRegistration register(RobotDescription who) throws InterruptedException {
    return RobotRegistration.register(access(), who, settings);
  }

  @Test
  void showsTheRobotWhileItsGatewayIsThere() throws Exception {
    try (RobotRegistration registration = register(robot)) {
      assertThat(registration).isNotNull();
      Map<?, ?> json = new ObjectMapper().readValue(observer.getData().forPath(NODE), Map.class);
      assertThat(json)
          .isEqualTo(
              Map.of(
                  "id", "r2-d2",
                  "type", "log",
                  "address", "host-a, process 1",
                  "version", "0.1.0"));
      assertThat(observer.checkExists().forPath(NODE).getEphemeralOwner()).isNotZero();
    }
    assertThat(observer.checkExists().forPath(NODE)).isNull();
  }

  @Test
  void listsWhoIsRegistered() throws Exception {
    assertThat(RobotRegistration.registered(access(), settings)).isEmpty();
    RobotDescription other = new RobotDescription("c-3po", "ros", "host-b, process 2", "0.1.0");
    try (RobotRegistration one = register(robot);
        RobotRegistration two = register(other)) {
      assertThat(one).isNotSameAs(two);
      assertThat(RobotRegistration.registered(access(), settings)).containsExactly(other, robot);
    }
    assertThat(RobotRegistration.registered(access(), settings)).isEmpty();
  }

  @Test
  void refusesASecondGatewayWithTheSameId() throws Exception {
    try (RobotRegistration first = register(robot)) {
      assertThat(first).isNotNull();
      RobotDescription second = new RobotDescription("r2-d2", "log", "host-b", "0.1.0");
      assertThatThrownBy(() -> register(second))
          .isInstanceOf(GatewayException.class)
          .hasMessageContaining("'r2-d2' is registered already by the gateway at host-a, process 1")
          .hasMessageContaining("another id");
      assertThat(observer.getData().forPath(NODE)).asString().contains("host-a");
    }
  }

  @Test
  void canBeRegisteredAgainAfterItsGatewayWent() throws Exception {
    register(robot).close();
    register(robot).close();
    assertThat(observer.checkExists().forPath(NODE)).isNull();
  }

  @Test
  void comesBackAfterItsSessionEnded() throws Exception {
    try (RobotRegistration registration = register(robot)) {
      assertThat(registration).isNotNull();
      int port = server.getPort();
      server.close();
      server = new TestingServer(port); // It knows no session and no robot.
      Awaitility.await()
          .atMost(Duration.ofSeconds(40))
          .ignoreExceptions()
          .until(() -> observer.checkExists().forPath(NODE) != null);
      assertThat(observer.getData().forPath(NODE)).asString().contains("host-a");
    }
  }

  @Test
  void saysThatNoZooKeeperAnswers() throws Exception {
    String nobody = "127.0.0.1:" + server.getPort();
    server.stop();
    GatewaySettings hasty = new GatewaySettings(2, 60, 1, 20, 50, 64, "");
    assertThatThrownBy(
            () -> RobotRegistration.register(ZooKeeperAccess.plain(nobody), robot, hasty))
        .isInstanceOf(GatewayException.class)
        .hasMessage("no ZooKeeper answers at " + nobody);
  }
}
