package org.cartostream.topology.broadcast;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.storm.task.TopologyContext;
import org.cartostream.collectives.broadcast.ProcessBroadcast;
import org.cartostream.collectives.membership.GroupMembership;
import org.cartostream.collectives.membership.MemberDirectory;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.GroupTransport;
import org.cartostream.collectives.transport.Seat;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.PayloadSerializer;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.FencingToken;
import org.cartostream.topology.task.MatcherGroup;
import org.cartostream.topology.task.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker's end of the broadcasts to all matcher tasks of a topology. A payload is serialized
 * once, by the sender's worker, and crosses once to each other worker ({@link ProcessBroadcast});
 * each worker hands each of its matchers the same object. Storm would serialize it for every task.
 *
 * <p>The tasks that send or receive have ranks: the matchers first, then dispatcher and resampler.
 * If one worker has all of them, nothing is serialized and no socket is open.
 *
 * <p>Owns the inboxes of this worker's matchers, and the worker's place in the group of workers. It
 * is shared by the worker's tasks of the topology, and closed when the last of them has left.
 */
public final class WorkerBroadcast implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerBroadcast.class);
  private static final Map<String, WorkerBroadcast> BY_TOPOLOGY = new ConcurrentHashMap<>();

  /**
   * Between hosts, and where there is no shared memory, this is TCP, by which Storm's workers reach
   * each other, too; so it works wherever they do.
   */
  private static final String TRANSPORT = "shared-memory";

  private static final int SESSION_MILLIS = (int) TimeUnit.SECONDS.toMillis(10);

  private final String topology;
  private final int waitMillis;
  private final SortedMap<Integer, MatcherInbox> inboxes = new TreeMap<>();
  private final PayloadSerializer packer = new PayloadSerializer();
  private final PayloadSerializer unpacker = new PayloadSerializer();

  /** The way to other workers, with what it needs; null if this worker has all tasks. */
  private volatile Remote remote;

  /** Number of tasks that use this object; changed only by computations of the map. */
  private int tasks;

  private record Remote(
      GroupTransport transport, ProcessBroadcast broadcast, GroupMembership members) {}

  private WorkerBroadcast(String topology, int waitMillis) {
    this.topology = topology;
    this.waitMillis = waitMillis;
  }

  /** Returns the name of the group of a topology's workers in {@link MatcherGroup#FOLDER}. */
  public static String group(String topology) {
    return topology + "-broadcast";
  }

  /**
   * Returns the broadcasts of a topology in this worker.
   *
   * @param here any task of the topology in this worker
   * @throws UncheckedIOException if no port can be opened, or ZooKeeper does not answer
   */
  public static WorkerBroadcast join(
      TopologyContext storm, TaskContext here, ServiceSettings settings) {
    return BY_TOPOLOGY.compute(
        here.topology(),
        (name, there) -> {
          WorkerBroadcast joined = there == null ? open(storm, here, settings) : there;
          joined.tasks++;
          return joined;
        });
  }

  private static WorkerBroadcast open(
      TopologyContext storm, TaskContext here, ServiceSettings settings) {
    WorkerBroadcast opened =
        new WorkerBroadcast(here.topology(), MatcherGroup.timeoutMillis(settings.topology()));
    List<Integer> all = tasks(storm);
    List<Integer> ranks =
        storm.getThisWorkerTasks().stream().map(all::indexOf).filter(rank -> rank >= 0).toList();
    ranks.stream()
        .filter(rank -> rank < here.matchers())
        .forEach(rank -> opened.inboxes.put(rank, new MatcherInbox()));
    if (ranks.size() < all.size()) {
      try {
        opened.connect(ranks.stream().sorted().toList(), all.size(), here, settings);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while joining the other workers", e);
      }
    }
    return opened;
  }

  /** Returns Storm's numbers of the tasks that send or receive, by rank. */
  private static List<Integer> tasks(TopologyContext storm) {
    return java.util.stream.Stream.of(
            Component.Matchers.class, Component.Dispatcher.class, Component.Resampler.class)
        .map(Component::nameOf)
        .filter(storm.getComponentIds()::contains)
        .flatMap(component -> storm.getComponentTasks(component).stream())
        .toList();
  }

  private void connect(List<Integer> ranks, int size, TaskContext here, ServiceSettings settings)
      throws IOException, InterruptedException {
    CollectiveSettings limits = CollectiveSettings.defaults();
    String group = group(topology);
    long epoch = FencingToken.next(here);
    MemberDirectory directory =
        rank -> Optional.ofNullable(remote).flatMap(all -> all.members.addressOf(rank));
    GroupTransport transport = GroupTransport.named(TRANSPORT);
    GroupChannel channel =
        transport.channel(
            new Seat(
                group,
                ranks.get(0),
                size,
                here.host(),
                directory,
                limits,
                MatcherGroup.access(settings.broker())));
    int port = channel.port();
    ProcessBroadcast broadcast =
        new ProcessBroadcast(
            channel,
            InetSocketAddress.createUnresolved(here.host(), port),
            directory,
            here.matchers(),
            epoch,
            limits.maxPayloadBytes(),
            new Receiver());
    List<GroupMembership.Entry> mine =
        ranks.stream()
            .map(rank -> new GroupMembership.Entry(rank, here.host(), port, epoch))
            .toList();
    try {
      GroupMembership members =
          GroupMembership.join(
              here.zookeeper()::client,
              SESSION_MILLIS,
              group,
              size,
              mine,
              (rank, why) -> LOG.info("the worker of rank {} has left: {}", rank, why));
      remote = new Remote(transport, broadcast, members);
    } catch (IOException | InterruptedException | RuntimeException e) {
      broadcast.close();
      transport.close();
      throw e;
    }
  }

  /** Returns the inbox of a matcher task of this worker, by its index. */
  public MatcherInbox inbox(int matcher) {
    return inboxes.get(matcher);
  }

  /**
   * Waits until all tasks have joined, so that none misses the first messages; but not for longer
   * than {@link MatcherGroup#timeoutMillis}: a task that is gone gets later messages when it is
   * back.
   */
  public void awaitAll() {
    try {
      if (remote != null && !remote.members.awaitAll(waitMillis)) {
        LOG.warn(
            "goes on without the workers of ranks {}: they have not come within {} ms",
            remote.members.missing(),
            waitMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the other workers", e);
    }
  }

  /**
   * Sends a payload to all matchers, in the order of the calls. Never waits.
   *
   * @param values values of the tuple, as for Storm
   */
  public void send(Stream<?, ?, ?> stream, List<Object> values) {
    List<Object> relayed = Stream.broadcast(stream, values);
    if (remote != null) {
      synchronized (packer) {
        remote.broadcast.send(packer.packBroadcast(relayed));
      }
    }
    deliver(relayed);
  }

  /** Tells other workers how much was sent; to be called about every second. */
  public void beat() {
    if (remote != null) {
      remote.broadcast.beat();
    }
  }

  /** Returns false if a matcher or a worker is so far behind that no key frames should be sent. */
  public boolean hasRoom() {
    return (remote == null || remote.broadcast.hasRoom()) && inboxesHaveRoom();
  }

  private boolean inboxesHaveRoom() {
    return inboxes.values().stream().allMatch(MatcherInbox::hasRoom);
  }

  private void deliver(List<Object> relayed) {
    inboxes.values().forEach(inbox -> inbox.put(relayed));
  }

  /** Takes what other workers send. */
  private final class Receiver implements ProcessBroadcast.Listener {

    @Override
    public void received(byte[] message) {
      deliver(unpacker.broadcast(message));
    }

    @Override
    public void missed(String sentence) {
      LOG.info("{}; runs that these tasks have are restored", sentence);
      inboxes.values().forEach(inbox -> inbox.missed(sentence));
    }

    @Override
    public boolean hasRoom() {
      return inboxesHaveRoom();
    }
  }

  /** Notes that a task has left. */
  @Override
  public void close() {
    BY_TOPOLOGY.computeIfPresent(
        topology,
        (name, same) -> {
          tasks--;
          if (tasks == 0 && remote != null) {
            remote.members.close();
            remote.broadcast.close();
            remote.transport.close();
          }
          return tasks == 0 ? null : this;
        });
  }
}
