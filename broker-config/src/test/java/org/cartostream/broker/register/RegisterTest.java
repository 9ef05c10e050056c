package org.cartostream.broker.register;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.slam.config.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a real ZooKeeper. */
class RegisterTest {

  private static final String NODE = "/cartostream/robots/r2-d2";
  private static final Duration SOON = Duration.ofSeconds(40);

  private final Entry robot = new Entry("r2-d2", Entry.LOG, "host-a, process 1", "0.1.0");
  private final Entry other = new Entry("c-3po", Entry.ROS_1, "host-b, process 2", "0.1.0");
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

  private RegisterSettings settings(String... changes) {
    Map<String, String> values = changes.length == 0 ? Map.of() : Map.of(changes[0], changes[1]);
    return Settings.build(RegisterSettings.class, values);
  }

  private Register with(Entry entry) throws InterruptedException {
    return with(entry, settings());
  }

  private Register with(Entry entry, RegisterSettings settings) throws InterruptedException {
    Register register = Register.open(access(), settings);
    register.enter(Register.Kind.ROBOTS, entry);
    return register;
  }

  private List<Entry> robots() throws InterruptedException {
    try (Register register = Register.open(access(), settings())) {
      return register.list(Register.Kind.ROBOTS);
    }
  }

  @Test
  void showsARobotWhileItsGatewayIsThere() throws Exception {
    try (Register register = with(robot)) {
      assertThat(register).isNotNull();
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
  void namesThisComputerAndProcess() throws Exception {
    String host =
        new String(
                new ProcessBuilder("hostname").start().getInputStream().readAllBytes(),
                StandardCharsets.UTF_8)
            .trim();
    assertThat(Entry.ofThisProcess("r2-d2", Entry.LOG).address())
        .startsWith(host)
        .endsWith(", process " + ProcessHandle.current().pid());
  }

  @Test
  void listsWhoIsRegistered() throws Exception {
    assertThat(robots()).isEmpty();
    try (Register one = with(robot);
        Register two = with(other)) {
      assertThat(one).isNotSameAs(two);
      assertThat(robots()).containsExactly(other, robot);
    }
    assertThat(robots()).isEmpty();
  }

  /** As another program leaves it, or a later version that knows other fields. */
  @Test
  void listsTheOthersBesideANodeThatIsNoEntry() throws Exception {
    try (Register register = with(robot)) {
      assertThat(register).isNotNull();
      byte[] garbage = "not JSON".getBytes(StandardCharsets.UTF_8);
      observer.create().forPath("/cartostream/robots/a", garbage);
      observer.create().forPath("/cartostream/robots/b", new byte[0]);
      byte[] later = "{\"id\":\"z\",\"colour\":\"red\"}".getBytes(StandardCharsets.UTF_8);
      observer.create().forPath("/cartostream/robots/z", later);
      assertThat(robots()).containsExactly(robot, new Entry("z", null, null, null));
    }
  }

  @Test
  void refusesASecondGatewayWithTheSameId() throws Exception {
    try (Register first = with(robot);
        Register register = Register.open(access(), settings())) {
      assertThat(first).isNotNull();
      Entry second = new Entry("r2-d2", Entry.LOG, "host-b", "0.1.0");
      assertThatThrownBy(() -> register.enter(Register.Kind.ROBOTS, second))
          .isInstanceOf(RegisterException.class)
          .hasMessageContaining("'r2-d2' is registered already by the gateway at host-a, process 1")
          .hasMessageContaining("another id");
      assertThat(robots()).containsExactly(robot);
    }
  }

  @Test
  void takesSeveralServicesOfOneName() throws Exception {
    Entry service = new Entry("service", Entry.SERVICE, "host-a", "0.1.0");
    try (Register one = Register.open(access(), settings());
        Register two = Register.open(access(), settings())) {
      one.enter(Register.Kind.SERVICES, service);
      two.enter(Register.Kind.SERVICES, service);
      assertThat(one.list(Register.Kind.SERVICES)).containsExactly(service, service);
      assertThat(robots()).isEmpty();
    }
  }

  @Test
  void canBeEnteredAgainAfterItsGatewayWent() throws Exception {
    with(robot).close();
    with(robot).close();
    assertThat(observer.checkExists().forPath(NODE)).isNull();
  }

  @Test
  void comesBackAfterItsSessionEnded() throws Exception {
    try (Register register = with(robot, settings("sessionSeconds", "4"))) {
      assertThat(register).isNotNull();
      int port = server.getPort();
      server.close();
      server = new TestingServer(port); // It knows no session and no robot.
      Awaitility.await()
          .atMost(SOON)
          .ignoreExceptions()
          .until(() -> observer.checkExists().forPath(NODE) != null);
      assertThat(observer.getData().forPath(NODE)).asString().contains("host-a");
    }
  }

  /** As that of an earlier session of the same gateway, which ZooKeeper has not ended yet. */
  @Test
  void isEnteredAsSoonAsTheIdIsFree() throws Exception {
    try (Register before = with(robot);
        Register looking = Register.open(access(), settings());
        Register register = Register.opening(access(), settings("sessionSeconds", "2"))) {
      Entry again = new Entry("r2-d2", Entry.LOG, "host-c", "0.1.0");
      register.enterSoon(Register.Kind.ROBOTS, again);
      register.enterSoon(Register.Kind.ROBOTS, other);
      Awaitility.await()
          .atMost(SOON)
          .until(() -> looking.list(Register.Kind.ROBOTS).equals(List.of(other, robot)));
      before.close();
      Awaitility.await()
          .atMost(SOON)
          .until(() -> looking.list(Register.Kind.ROBOTS).equals(List.of(other, again)));
    }
  }

  /** It says nothing of its end: who is silent for a session's length is taken off. */
  @Test
  void takesOffWhoWasKilledAndMakesRoomForItsSuccessor() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    Process gateway = KilledGateway.start(server.getConnectString(), "r2-d2");
    try (Register watching = Register.open(access(), settings());
        Register successor = Register.open(access(), settings("sessionSeconds", "8"))) {
      watching.watch(Register.Kind.ROBOTS, noting(heard));
      Awaitility.await().atMost(SOON).until(() -> heard.equals(List.of("+r2-d2")));
      gateway.destroyForcibly().waitFor();
      assertThatThrownBy(() -> successor.enter(Register.Kind.ROBOTS, robot))
          .hasMessageContaining("'r2-d2' is registered already")
          .hasMessageContaining("process " + gateway.pid());

      successor.enterSoon(Register.Kind.ROBOTS, robot);
      Awaitility.await().atMost(SOON).until(() -> heard.size() == 3);
      assertThat(heard).containsExactly("+r2-d2", "-r2-d2", "+r2-d2");
      assertThat(robots()).containsExactly(robot);
    } finally {
      gateway.destroyForcibly();
    }
  }

  private static Register.Watcher noting(List<String> heard) {
    return new Register.Watcher() {
      @Override
      public void arrived(Entry entry) {
        heard.add("+" + entry.id());
      }

      @Override
      public void left(Entry entry) {
        heard.add("-" + entry.id());
      }
    };
  }

  @Test
  void tellsWhoComesAndGoes() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    try (Register early = with(robot);
        Register watching = Register.opening(access(), settings())) {
      watching.watch(Register.Kind.ROBOTS, noting(heard));
      Awaitility.await().atMost(SOON).until(() -> heard.equals(List.of("+r2-d2")));
      try (Register late = with(other)) { // Who is gone before anybody looks was never there.
        assertThat(late).isNotNull();
        Awaitility.await().atMost(SOON).until(() -> heard.equals(List.of("+r2-d2", "+c-3po")));
      }
      Awaitility.await().atMost(SOON).until(() -> heard.contains("-c-3po"));
      early.close();
      Awaitility.await()
          .atMost(SOON)
          .until(() -> heard.equals(List.of("+r2-d2", "+c-3po", "-c-3po", "-r2-d2")));
    }
  }

  @Test
  void saysThatNoZooKeeperAnswers() throws Exception {
    server.stop();
    assertThatThrownBy(() -> Register.open(access(), settings("timeoutSeconds", "1")))
        .isInstanceOf(RegisterException.class)
        .hasMessage("no ZooKeeper answers at " + server.getConnectString());
  }
}
