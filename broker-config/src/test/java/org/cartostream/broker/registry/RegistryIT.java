package org.cartostream.broker.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.transaction.TransactionOp;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a real ZooKeeper. */
@Default
class RegistryIT {

  private static final String NODE = "/cartostream/robots/r2-d2";
  private static final Duration SOON = Duration.ofSeconds(40);

  private final RegistryEntry robot =
      new RegistryEntry("r2-d2", RegistryEntry.LOG, "host-a, process 1", "0.1.0", 0, 0);
  private final RegistryEntry other =
      new RegistryEntry("c-3po", RegistryEntry.ROS_1, "host-b, process 2", "0.1.0", 0, 0);
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

  private RegistrySettings settings(String... changes) {
    Map<String, String> values = changes.length == 0 ? Map.of() : Map.of(changes[0], changes[1]);
    return Settings.build(RegistrySettings.class, values);
  }

  private Registry with(RegistryEntry registryEntry) throws InterruptedException {
    return with(registryEntry, settings());
  }

  private Registry with(RegistryEntry registryEntry, RegistrySettings settings)
      throws InterruptedException {
    Registry registry = Registry.open(access(), settings);
    registry.register(Registry.Kind.ROBOTS, registryEntry);
    return registry;
  }

  private List<RegistryEntry> robots() throws InterruptedException {
    try (Registry registry = Registry.open(access(), settings())) {
      return registry.list(Registry.Kind.ROBOTS);
    }
  }

  @Test
  void showsARobotWhileItsGatewayIsThere() throws Exception {
    try (Registry registry = with(robot)) {
      assertThat(registry).isNotNull();
      Map<?, ?> json = new ObjectMapper().readValue(observer.getData().forPath(NODE), Map.class);
      assertThat(json)
          .isEqualTo(
              Map.of(
                  "id", "r2-d2",
                  "type", "log",
                  "address", "host-a, process 1",
                  "version", "0.1.0",
                  "sessionSeconds", 20));
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
    assertThat(RegistryEntry.ofThisProcess("r2-d2", RegistryEntry.LOG).address())
        .startsWith(host)
        .endsWith(", process " + ProcessHandle.current().pid());
  }

  @Test
  void listsWhoIsRegistered() throws Exception {
    assertThat(robots()).isEmpty();
    try (Registry one = with(robot);
        Registry two = with(other)) {
      assertThat(one).isNotSameAs(two);
      assertThat(robots()).containsExactly(other, robot);
    }
    assertThat(robots()).isEmpty();
  }

  /** As another program leaves it, or a later version that knows other fields. */
  @Test
  void listsTheOthersBesideANodeThatIsNoEntry() throws Exception {
    try (Registry registry = with(robot)) {
      assertThat(registry).isNotNull();
      byte[] garbage = "not JSON".getBytes(StandardCharsets.UTF_8);
      observer.create().forPath("/cartostream/robots/a", garbage);
      observer.create().forPath("/cartostream/robots/b", new byte[0]);
      byte[] later = "{\"id\":\"z\",\"colour\":\"red\"}".getBytes(StandardCharsets.UTF_8);
      observer.create().forPath("/cartostream/robots/z", later);
      assertThat(robots()).containsExactly(robot, new RegistryEntry("z", null, null, null, 0, 0));
    }
  }

  @Test
  void refusesASecondGatewayWithTheSameId() throws Exception {
    try (Registry first = with(robot);
        Registry registry = Registry.open(access(), settings())) {
      assertThat(first).isNotNull();
      RegistryEntry second = new RegistryEntry("r2-d2", RegistryEntry.LOG, "host-b", "0.1.0", 0, 0);
      assertThatThrownBy(() -> registry.register(Registry.Kind.ROBOTS, second))
          .isInstanceOf(RegistryException.class)
          .hasMessageContaining("'r2-d2' is registered already by the replay at host-a, process 1")
          .hasMessageContaining("another id");
      assertThat(robots()).containsExactly(robot);
    }
  }

  @Test
  void takesSeveralServicesOfOneName() throws Exception {
    RegistryEntry service =
        new RegistryEntry("service", RegistryEntry.SERVICE, "host-a", "0.1.0", 0, 0);
    try (Registry one = Registry.open(access(), settings());
        Registry two = Registry.open(access(), settings())) {
      one.register(Registry.Kind.SERVICES, service);
      two.register(Registry.Kind.SERVICES, service);
      assertThat(one.list(Registry.Kind.SERVICES)).containsExactly(service, service);
      assertThat(robots()).isEmpty();
    }
  }

  @Test
  void anEntryIsRenewedWhereItIs() throws Exception {
    RegistryEntry service =
        new RegistryEntry("service", RegistryEntry.SERVICE, "host-a", "0.1.0", 0, 0);
    try (Registry registry = Registry.open(access(), settings())) {
      registry.register(Registry.Kind.SERVICES, service);
      registry.updateAsync(Registry.Kind.SERVICES, service.durableAt(77));
      Awaitility.await()
          .atMost(SOON)
          .until(
              () -> registry.list(Registry.Kind.SERVICES).equals(List.of(service.durableAt(77))));
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
    try (Registry registry = with(robot, settings("sessionSeconds", "4"))) {
      assertThat(registry).isNotNull();
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
    try (Registry before = with(robot);
        Registry looking = Registry.open(access(), settings());
        Registry registry = Registry.openAsync(access(), settings("sessionSeconds", "2"))) {
      RegistryEntry again = new RegistryEntry("r2-d2", RegistryEntry.LOG, "host-c", "0.1.0", 0, 0);
      registry.registerAsync(Registry.Kind.ROBOTS, again);
      registry.registerAsync(Registry.Kind.ROBOTS, other);
      Awaitility.await()
          .atMost(SOON)
          .until(() -> looking.list(Registry.Kind.ROBOTS).equals(List.of(other, robot)));
      before.close();
      Awaitility.await()
          .atMost(SOON)
          .until(() -> looking.list(Registry.Kind.ROBOTS).equals(List.of(other, again)));
    }
  }

  /** It says nothing of its end: who is silent for a session's length is taken off. */
  @Test
  void takesOffWhoWasKilledAndMakesRoomForItsSuccessor() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    Process gateway = KilledGateway.start(server.getConnectString(), "r2-d2");
    try (Registry watching = Registry.open(access(), settings());
        Registry successor = Registry.open(access(), settings("sessionSeconds", "8"))) {
      watching.watch(Registry.Kind.ROBOTS, noting(heard));
      Awaitility.await().atMost(SOON).until(() -> heard.equals(List.of("+r2-d2")));
      gateway.destroyForcibly().waitFor();
      assertThatThrownBy(() -> successor.register(Registry.Kind.ROBOTS, robot))
          .hasMessageContaining("'r2-d2' is registered already")
          .hasMessageContaining("process " + gateway.pid());

      successor.registerAsync(Registry.Kind.ROBOTS, robot);
      Awaitility.await().atMost(SOON).until(() -> heard.size() == 3);
      assertThat(heard).containsExactly("+r2-d2", "-r2-d2", "+r2-d2");
      assertThat(robots()).containsExactly(robot);
    } finally {
      gateway.destroyForcibly();
    }
  }

  @Test
  void isClaimedWhenTheSessionOfAKilledOwnerHasEndedAndSaysForWhomItWaits() throws Exception {
    List<String> said = new ArrayList<>();
    Process killed = KilledGateway.start(server.getConnectString(), "r2-d2");
    try (Registry successor = Registry.open(access(), settings("sessionSeconds", "8"))) {
      Awaitility.await().atMost(SOON).until(() -> robots().size() == 1);
      killed.destroyForcibly().waitFor();

      successor.claim(Registry.Kind.ROBOTS, robot, false, said::add);

      assertThat(robots()).containsExactly(robot);
      assertThat(said)
          .isNotEmpty()
          .allMatch(each -> each.contains("'r2-d2' is held by the replay at "))
          .allMatch(each -> each.contains("process " + killed.pid()));
    } finally {
      killed.destroyForcibly();
    }
  }

  @Test
  void isNotClaimedFromAnOwnerWhoLivesButByForceWhichFencesIt() throws Exception {
    RegistryEntry second = new RegistryEntry("r2-d2", RegistryEntry.LOG, "host-b", "0.1.0", 0, 0);
    try (Registry first = with(robot, settings("sessionSeconds", "2"));
        Registry claiming = Registry.open(access(), settings("sessionSeconds", "2"))) {
      assertThatThrownBy(() -> claiming.claim(Registry.Kind.ROBOTS, second, false, waits -> {}))
          .isInstanceOf(RegistryException.class)
          .hasMessageContaining("'r2-d2' is held by the replay at host-a, process 1, which is")
          .hasMessageContaining("take its place by --force");
      assertThat(robots()).containsExactly(robot);
      long epoch = observer.checkExists().forPath(NODE).getCzxid();

      claiming.claim(Registry.Kind.ROBOTS, second, true, waits -> {});

      assertThat(first.isFenced()).as("it asks, and does not wait for a check").isTrue();
      assertThat(first.fenced().get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo("host-b");
      assertThat(robots())
          .containsExactly(
              new RegistryEntry("r2-d2", RegistryEntry.LOG, "host-b", "0.1.0", 0, epoch));
      assertThat(claiming.fenced()).isNotDone();
    }
  }

  /** Its session has ended, which it need not know yet. A robot that drives is not ended so. */
  @Test
  void theOwnerOfATopologyIsFencedByWhoHasItNow() throws Exception {
    RegistryEntry heir = new RegistryEntry("r2-d2", RegistryEntry.LOG, "host-b", "0.1.0", 0, 0);
    try (Registry driving = with(robot, settings("sessionSeconds", "2"));
        Registry owning = Registry.open(access(), settings("sessionSeconds", "2"))) {
      owning.claim(Registry.Kind.OWNERS, robot, false, waits -> {});
      replaced(Registry.Kind.ROBOTS, json(heir));
      replaced(Registry.Kind.OWNERS, json(heir));

      assertThat(owning.fenced().get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo("host-b");
      assertThat(driving.fenced()).isNotDone();
    }
  }

  /** Who has it now may not be known at the first look. */
  @Test
  void theOwnerIsFencedThoughItCannotReadByWhomAtOnce() throws Exception {
    try (Registry owning = Registry.open(access(), settings())) {
      owning.claim(Registry.Kind.OWNERS, robot, false, waits -> {});
      replaced(Registry.Kind.OWNERS, "no entry yet".getBytes(StandardCharsets.UTF_8));
      assertThat(owning.isFenced()).isFalse();
      observer.setData().forPath(path(Registry.Kind.OWNERS), json(robot));
      assertThat(owning.isFenced()).isTrue();
      assertThat(owning.fenced()).isCompletedWithValue("host-a, process 1");
    }
  }

  /** As when it slept while another took the topology and was through with it. */
  @Test
  void theOwnerWhoseEntryIsGoneMakesNoOtherAndIsFenced() throws Exception {
    try (Registry owning = Registry.open(access(), settings())) {
      owning.claim(Registry.Kind.OWNERS, robot, false, waits -> {});
      assertThat(owning.isFenced()).isFalse();
      observer.delete().forPath(path(Registry.Kind.OWNERS));
      assertThat(owning.isFenced()).isTrue();
      assertThat(observer.checkExists().forPath(path(Registry.Kind.OWNERS))).isNull();
    }
  }

  /** ZooKeeper still has its entry, from the session before: nobody can have had its run. */
  @Test
  void theOwnerKeepsItsRunThroughAnOutageOfZooKeeper() throws Exception {
    try (Registry owning = Registry.open(access(), settings("sessionSeconds", "4"));
        CuratorFramework outage =
            CuratorFrameworkFactory.newClient(
                server.getConnectString(), 6000, 1000, new RetryOneTime(100))) {
      AtomicBoolean lost = new AtomicBoolean();
      outage
          .getConnectionStateListenable()
          .addListener((client, state) -> lost.compareAndSet(false, state == ConnectionState.LOST));
      outage.start();
      outage.blockUntilConnected();
      owning.claim(Registry.Kind.OWNERS, robot, false, waits -> {});
      long made = observer.checkExists().forPath(path(Registry.Kind.OWNERS)).getCzxid();
      server.stop();
      Awaitility.await().atMost(SOON).untilTrue(lost);
      server.restart();
      Awaitility.await()
          .atMost(SOON)
          .ignoreExceptions()
          .until(
              () -> observer.checkExists().forPath(path(Registry.Kind.OWNERS)).getCzxid() > made);
      assertThat(owning.isFenced()).isFalse();
    }
  }

  /** That of the one before, for ZooKeeper goes by it. */
  @Test
  void waitsAsLongAsTheSessionOfTheOneBeforeMayLast() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    try (Registry first = with(robot, settings("sessionSeconds", "30"));
        Registry claiming = Registry.open(access(), settings("sessionSeconds", "2"))) {
      assertThat(first.isFenced()).isFalse();
      Thread claim =
          new Thread(
              () ->
                  assertThatThrownBy(
                          () -> claiming.claim(Registry.Kind.ROBOTS, robot, false, said::add))
                      .isInstanceOf(InterruptedException.class));
      claim.start();
      Awaitility.await().atMost(SOON).until(() -> !said.isEmpty());
      claim.interrupt();
      claim.join();
      assertThat(said.get(0)).matches(".* ends within (3[5-9]|40) s");
    }
  }

  private static String path(Registry.Kind kind) {
    return "/cartostream/" + kind.name().toLowerCase(Locale.ROOT) + "/r2-d2";
  }

  private static byte[] json(RegistryEntry entry) throws Exception {
    return new ObjectMapper().writeValueAsBytes(entry);
  }

  /** As when the session of who was there has ended, and another was faster than it. */
  private void replaced(Registry.Kind kind, byte[] by) throws Exception {
    TransactionOp op = observer.transactionOp();
    observer
        .transaction()
        .forOperations(op.delete().forPath(path(kind)), op.create().forPath(path(kind), by));
  }

  private static Registry.Watcher noting(List<String> heard) {
    return new Registry.Watcher() {
      @Override
      public void arrived(RegistryEntry registryEntry) {
        heard.add("+" + registryEntry.id());
      }

      @Override
      public void left(RegistryEntry registryEntry) {
        heard.add("-" + registryEntry.id());
      }
    };
  }

  @Test
  void tellsWhoComesAndGoes() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    try (Registry early = with(robot);
        Registry watching = Registry.openAsync(access(), settings())) {
      watching.watch(Registry.Kind.ROBOTS, noting(heard));
      Awaitility.await().atMost(SOON).until(() -> heard.equals(List.of("+r2-d2")));
      try (Registry late = with(other)) { // Who is gone before anybody looks was never there.
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
    assertThatThrownBy(() -> Registry.open(access(), settings("timeoutSeconds", "1")))
        .isInstanceOf(RegistryException.class)
        .hasMessage("no ZooKeeper answers at " + server.getConnectString());
  }
}
