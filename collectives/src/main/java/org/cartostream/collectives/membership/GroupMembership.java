package org.cartostream.collectives.membership;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.curator.RetryPolicy;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The register of a group's members and their addresses: the ephemeral nodes {@code
 * /cartostream/collectives/<group>/<rank>} in ZooKeeper, each with an {@link Entry} as JSON. A rank
 * belongs to the member with the latest epoch, which deletes the node of a member with an earlier
 * epoch if that node is still there.
 *
 * <p>Owns its session with ZooKeeper. If the session ends because ZooKeeper was away for too long,
 * the next session makes the entry again.
 */
public final class GroupMembership implements MemberDirectory, AutoCloseable {

  /** The ZooKeeper path under which all groups lie. */
  public static final String GROUPS = "/cartostream/collectives";

  private static final Logger LOG = LoggerFactory.getLogger(GroupMembership.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int FIRST_PAUSE_MILLIS = 100;
  private static final int MAX_PAUSE_MILLIS = 2000;
  private static final int ATTEMPTS = 3;

  /**
   * Time, milliseconds, that a deleted entry has to come again before its member counts as gone: a
   * member with a new session deletes the old session's entry and then makes its own.
   */
  private static final long GRACE_MILLIS = 2000;

  private final CuratorFramework zookeeper;
  private final CuratorCache cache;
  private final String folder;
  private final int size;
  private final List<Entry> mine;
  private final BiConsumer<Integer, String> gone;
  private final Executor afterGrace;
  private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();

  /** Deleted entries by rank, which may come again within the grace time. */
  private final Map<Integer, Entry> leaving = new ConcurrentHashMap<>();

  /** Factory of ZooKeeper clients, which are not started yet. */
  @FunctionalInterface
  public interface Clients {
    CuratorFramework client(int sessionMillis, int connectMillis, RetryPolicy retry);
  }

  /**
   * A member's entry in ZooKeeper.
   *
   * @param rank the member's rank
   * @param host name or address of the host where the member listens
   * @param port port on which the member listens
   * @param epoch first epoch in which the member has the rank; a member with a later epoch takes
   *     the rank over
   */
  public record Entry(int rank, String host, int port, long epoch) {}

  private GroupMembership(
      CuratorFramework zookeeper,
      String group,
      int size,
      List<Entry> mine,
      BiConsumer<Integer, String> gone,
      Executor afterGrace) {
    this.zookeeper = zookeeper;
    this.folder = GROUPS + "/" + group;
    this.size = size;
    this.mine = mine;
    this.gone = gone;
    this.afterGrace = afterGrace;
    this.cache = CuratorCache.build(zookeeper, folder);
  }

  /**
   * Enters a group.
   *
   * @param clients makes the client, which the membership owns
   * @param sessionMillis silence after which ZooKeeper takes a member as gone, milliseconds
   * @param group the group's name, without a slash
   * @param size number of members of the group
   * @param mine entries of this process: as a rule one; several if members share a connection
   * @param gone learns the rank of each member whose entry goes and does not come again, and why;
   *     as a rule {@code Communicator.lost}. Called by ZooKeeper's thread or a thread of Java's
   *     common pool
   * @throws IOException if ZooKeeper does not answer, or the rank belongs to a member of the same
   *     or a later epoch
   */
  public static GroupMembership join(
      Clients clients,
      int sessionMillis,
      String group,
      int size,
      List<Entry> mine,
      BiConsumer<Integer, String> gone)
      throws IOException, InterruptedException {
    Executor afterGrace = CompletableFuture.delayedExecutor(GRACE_MILLIS, TimeUnit.MILLISECONDS);
    return join(clients, sessionMillis, group, size, mine, gone, afterGrace);
  }

  /**
   * Enters a group.
   *
   * @param afterGrace runs a task after the grace time
   */
  static GroupMembership join(
      Clients clients,
      int sessionMillis,
      String group,
      int size,
      List<Entry> mine,
      BiConsumer<Integer, String> gone,
      Executor afterGrace)
      throws IOException, InterruptedException {
    CuratorFramework zookeeper =
        clients.client(
            sessionMillis,
            sessionMillis,
            new BoundedExponentialBackoffRetry(FIRST_PAUSE_MILLIS, MAX_PAUSE_MILLIS, ATTEMPTS));
    GroupMembership groupMembership =
        new GroupMembership(zookeeper, group, size, mine, gone, afterGrace);
    try {
      zookeeper.start();
      if (!zookeeper.blockUntilConnected(sessionMillis, TimeUnit.MILLISECONDS)) {
        throw new IOException("no ZooKeeper answers at " + addressOf(zookeeper));
      }
      groupMembership.enter();
      groupMembership.watch();
      return groupMembership;
    } catch (IOException | InterruptedException e) {
      groupMembership.close();
      throw e;
    }
  }

  private static String addressOf(CuratorFramework zookeeper) {
    return zookeeper.getZookeeperClient().getCurrentConnectionString();
  }

  private String path(int rank) {
    return folder + "/" + rank;
  }

  private void enter() throws IOException, InterruptedException {
    for (Entry me : mine) {
      enter(me);
    }
  }

  private void enter(Entry me) throws IOException, InterruptedException {
    try {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (create(me) || isMine(me)) {
          return;
        }
      }
    } catch (InterruptedException | IOException e) {
      throw e;
    } catch (Exception e) { // Curator's methods declare it.
      throw new IOException(me + " cannot be entered in ZooKeeper: " + e.getMessage(), e);
    }
    throw new IOException(me + " cannot be entered in ZooKeeper: others want its rank, too");
  }

  private boolean create(Entry me) throws Exception {
    try {
      zookeeper
          .create()
          .creatingParentsIfNeeded()
          .withMode(CreateMode.EPHEMERAL)
          .forPath(path(me.rank), JSON.writeValueAsBytes(me));
      return true;
    } catch (KeeperException.NodeExistsException e) {
      return false;
    }
  }

  /**
   * Returns true if the node at this member's rank belongs to this session. Deletes the node if it
   * is from an earlier session of this member, or of a member with an earlier epoch.
   */
  private boolean isMine(Entry me) throws Exception {
    try {
      Entry other = JSON.readValue(zookeeper.getData().forPath(path(me.rank)), Entry.class);
      long session = zookeeper.getZookeeperClient().getZooKeeper().getSessionId();
      var node = zookeeper.checkExists().forPath(path(me.rank));
      if (node != null && node.getEphemeralOwner() == session) {
        return true;
      }
      if (other.epoch > me.epoch || (other.epoch == me.epoch && !other.equals(me))) {
        throw new IOException(
            "rank %d belongs to the member at %s:%d since epoch %d; this one's is %d"
                .formatted(me.rank, other.host, other.port, other.epoch, me.epoch));
      }
      zookeeper.delete().quietly().forPath(path(me.rank));
    } catch (KeeperException.NoNodeException e) {
      LOG.debug("{} has just gone", path(me.rank));
    }
    return false;
  }

  private void watch() {
    cache
        .listenable()
        .addListener(
            CuratorCacheListener.builder()
                .forCreates(this::present)
                .forChanges((before, after) -> present(after))
                .forDeletes(this::absent)
                .build());
    zookeeper
        .getConnectionStateListenable()
        .addListener(
            (client, state) -> {
              if (state == ConnectionState.RECONNECTED) {
                enterAgain();
              }
            });
    cache.start();
  }

  private void enterAgain() {
    try {
      enter();
    } catch (IOException e) {
      LOG.warn("{} are not in their group any more: {}", mine, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void present(ChildData node) {
    read(node)
        .ifPresent(
            entry -> {
              Entry before = leaving.remove(entry.rank);
              if (before != null && !before.equals(entry)) {
                gone.accept(entry.rank, "another has taken its rank");
              }
              synchronized (this) {
                entries.put(entry.rank, entry);
                notifyAll();
              }
            });
  }

  private void absent(ChildData node) {
    read(node)
        .ifPresent(
            entry -> {
              if (entries.remove(entry.rank, entry) && !isOwn(entry.rank)) {
                leaving.put(entry.rank, entry);
                afterGrace.execute(() -> giveUp(entry));
              }
            });
  }

  private boolean isOwn(int rank) {
    return mine.stream().anyMatch(me -> me.rank == rank);
  }

  private void giveUp(Entry entry) {
    if (leaving.remove(entry.rank, entry)) {
      gone.accept(entry.rank, "its entry in ZooKeeper is gone");
    }
  }

  /** Returns the entry in a ZooKeeper node; empty if the node holds no member of this group. */
  private Optional<Entry> read(ChildData node) {
    if (!node.getPath().startsWith(folder + "/")) {
      return Optional.empty();
    }
    try {
      Entry entry = JSON.readValue(node.getData(), Entry.class);
      return node.getPath().equals(path(entry.rank)) && entry.rank < size
          ? Optional.of(entry)
          : Optional.empty();
    } catch (IOException e) {
      LOG.warn("{} holds no member: {}", node.getPath(), e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Waits until each rank has a member; returns false if that takes longer than {@code maxMillis}.
   */
  public synchronized boolean awaitAll(long maxMillis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(maxMillis);
    while (entries.size() < size) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  /** Returns the ranks without a member. */
  public SortedSet<Integer> missing() {
    return IntStream.range(0, size)
        .filter(rank -> !entries.containsKey(rank))
        .boxed()
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public Optional<InetSocketAddress> addressOf(int rank) {
    return Optional.ofNullable(entries.get(rank))
        // InetSocketAddress's constructor would wait for the name service.
        .map(entry -> InetSocketAddress.createUnresolved(entry.host, entry.port));
  }

  /** Leaves the group. */
  @Override
  public void close() {
    leaving.clear();
    cache.close();
    zookeeper.close();
  }
}
