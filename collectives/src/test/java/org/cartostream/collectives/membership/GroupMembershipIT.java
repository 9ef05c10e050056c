package org.cartostream.collectives.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.tcp.TcpChannel;
import org.cartostream.collectives.transport.tcp.TcpTransport;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Members find each other through ZooKeeper. */
@Default
class GroupMembershipIT {

  private static final int SESSION_MILLIS = 10_000;
  private static final Duration SOON = Duration.ofMinutes(1);

  private static TestingServer zookeeper;

  @BeforeAll
  static void start() throws Exception {
    zookeeper = new TestingServer();
  }

  @AfterAll
  static void stop() throws IOException {
    zookeeper.close();
  }

  private static GroupMembership join(
      String group, int rank, int port, long epoch, Queue<Integer> gone) throws Exception {
    return join(group, rank, port, epoch, gone, Runnable::run);
  }

  private static GroupMembership join(
      String group, int rank, int port, long epoch, Queue<Integer> gone, Executor afterGrace)
      throws Exception {
    return GroupMembership.join(
        ZooKeeperAccess.plain(zookeeper.getConnectString())::client,
        SESSION_MILLIS,
        group,
        3,
        List.of(new GroupMembership.Entry(rank, "127.0.0.1", port, epoch)),
        (lost, why) -> gone.add(lost),
        afterGrace);
  }

  @Test
  void membersThatKnowOnlyZooKeeperDoSomethingTogether() throws Exception {
    CollectiveSettings settings = CollectiveSettings.defaults();
    List<GroupMembership> groupMemberships = new ArrayList<>();
    try (TcpTransport transport = TcpTransport.plain(1)) {
      List<GroupChannel> groupChannels = new ArrayList<>();
      for (int rank = 0; rank < 3; rank++) {
        int mine = rank;
        TcpChannel channel =
            new TcpChannel(
                transport,
                "group",
                rank,
                3,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                other -> groupMemberships.get(mine).addressOf(other),
                settings);
        groupChannels.add(channel);
        groupMemberships.add(
            join("group", rank, channel.address().getPort(), 1, new ConcurrentLinkedQueue<>()));
      }
      for (GroupMembership groupMembership : groupMemberships) {
        assertThat(groupMembership.awaitAll(SESSION_MILLIS)).isTrue();
        // Otherwise a name service would have been asked, by whoever wants to send.
        assertThat(groupMembership.addressOf(1)).get().matches(InetSocketAddress::isUnresolved);
      }
      try (Group group = new Group(groupChannels, settings)) {
        List<CollectiveFuture<byte[][]>> collectiveFutures = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
          collectiveFutures.add(
              group.member(rank).allGather(Group.round(1), new byte[] {(byte) rank}));
        }
        byte[][] all = {{0}, {1}, {2}};
        collectiveFutures.forEach(
            collectiveFuture -> assertThat(Group.result(collectiveFuture)).isDeepEqualTo(all));
      }
    } finally {
      groupMemberships.forEach(GroupMembership::close);
    }
  }

  @Test
  void theOthersLearnWhoIsGone() throws Exception {
    Queue<Integer> gone = new ConcurrentLinkedQueue<>();
    try (GroupMembership here = join("gone", 0, 1, 1, gone)) {
      GroupMembership there = join("gone", 2, 2, 1, new ConcurrentLinkedQueue<>());
      Awaitility.await().atMost(SOON).until(() -> here.addressOf(2).isPresent());
      assertThat(here.awaitAll(1)).isFalse();
      assertThat(here.missing()).containsExactly(1);
      there.close();
      Awaitility.await().atMost(SOON).until(() -> gone.contains(2));
      assertThat(here.addressOf(2)).isEmpty();
    }
  }

  /** As when ZooKeeper was away for longer than its session: it is made anew in another. */
  @Test
  void whoseEntryIsMadeAnewIsNotGone() throws Exception {
    Queue<Integer> gone = new ConcurrentLinkedQueue<>();
    Queue<Runnable> afterGrace = new ConcurrentLinkedQueue<>();
    String path = GroupMembership.GROUPS + "/anew/1";
    try (GroupMembership here = join("anew", 0, 1, 1, gone, afterGrace::add);
        GroupMembership there = join("anew", 1, 2, 1, new ConcurrentLinkedQueue<>());
        GroupMembership last = join("anew", 2, 3, 1, new ConcurrentLinkedQueue<>());
        CuratorFramework hand =
            CuratorFrameworkFactory.newClient(
                zookeeper.getConnectString(), new RetryOneTime(100))) {
      hand.start();
      Awaitility.await().atMost(SOON).until(() -> here.awaitAll(1));
      byte[] entry = hand.getData().forPath(path);
      hand.delete().forPath(path);
      Awaitility.await().atMost(SOON).until(() -> here.missing().contains(1));
      hand.create().forPath(path, entry);
      Awaitility.await().atMost(SOON).until(() -> here.missing().isEmpty());
      last.close();
      Awaitility.await().atMost(SOON).until(() -> afterGrace.size() == 2);
      afterGrace.forEach(Runnable::run);
      assertThat(gone).containsExactly(2);
      assertThat(there.missing()).doesNotContain(1);
    }
  }

  @Test
  void whoTakesARankFromTheDeadIsNotTakenForThem() throws Exception {
    Queue<Integer> gone = new ConcurrentLinkedQueue<>();
    Queue<Runnable> afterGrace = new ConcurrentLinkedQueue<>();
    try (GroupMembership here = join("taken", 0, 1, 1, gone, afterGrace::add)) {
      GroupMembership dead = join("taken", 1, 2, 1, new ConcurrentLinkedQueue<>());
      Awaitility.await().atMost(SOON).until(() -> here.addressOf(1).isPresent());
      dead.close();
      Awaitility.await().atMost(SOON).until(() -> here.missing().contains(1));
      try (GroupMembership heir = join("taken", 1, 3, 2, new ConcurrentLinkedQueue<>())) {
        Awaitility.await().atMost(SOON).until(() -> !here.missing().contains(1));
        assertThat(gone).as("told before the heir is there").containsExactly(1);
        afterGrace.forEach(Runnable::run);
        assertThat(gone).as("told once").containsExactly(1);
        assertThat(heir.addressOf(0)).isPresent();
      }
    }
  }

  @Test
  void aRankBelongsToTheLatestEpoch() throws Exception {
    Queue<Integer> gone = new ConcurrentLinkedQueue<>();
    try (GroupMembership watcher = join("epochs", 0, 1, 1, gone);
        GroupMembership old = join("epochs", 1, 11, 1, new ConcurrentLinkedQueue<>());
        GroupMembership young = join("epochs", 1, 12, 2, new ConcurrentLinkedQueue<>())) {
      Awaitility.await()
          .atMost(SOON)
          .until(() -> watcher.addressOf(1).map(InetSocketAddress::getPort).orElse(0) == 12);
      assertThatThrownBy(() -> join("epochs", 1, 11, 1, gone))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("rank 1 belongs to the member at 127.0.0.1:12 since epoch 2");
      assertThat(old.addressOf(0)).isEqualTo(young.addressOf(0));
    }
  }
}
