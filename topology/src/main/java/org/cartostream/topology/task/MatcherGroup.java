package org.cartostream.topology.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.connection.AmqpConnections;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.collectives.Communicator;
import org.cartostream.collectives.membership.GroupMembership;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.GroupTransport;
import org.cartostream.collectives.transport.Seat;
import org.cartostream.collectives.transport.TlsFiles;
import org.cartostream.collectives.transport.rabbitmq.RabbitMqAccess;
import org.cartostream.topology.metrics.DropMeters;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A matcher task's place in the group of all matcher tasks of its topology.
 *
 * <p>Owns the {@link Communicator}, with its channel and its membership of the group.
 */
public final class MatcherGroup implements AutoCloseable {

  /** Folder in ZooKeeper with a group for each topology, named by Storm's id of the topology. */
  public static final String FOLDER = GroupMembership.GROUPS;

  private static final Logger LOG = LoggerFactory.getLogger(MatcherGroup.class);

  /**
   * Time after which ZooKeeper notices that a member's process is gone, milliseconds, if no broken
   * connection shows it sooner.
   */
  private static final int SESSION_MILLIS = (int) TimeUnit.SECONDS.toMillis(10);

  private final AtomicReference<Communicator> communicator = new AtomicReference<>();
  private final AtomicReference<GroupMembership> groupMembership = new AtomicReference<>();
  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final TaskContext taskContext;
  private final CollectiveSettings settings;

  private MatcherGroup(TaskContext taskContext, TopologySettings topology) {
    this.taskContext = taskContext;
    this.settings = CollectiveSettings.defaults().withTimeoutMillis(timeoutMillis(topology));
  }

  /**
   * Returns the time-out of calls, milliseconds: three quarters of {@code
   * topology.readingTimeoutSeconds}, since the restore after a failed call takes time, too.
   */
  public static int timeoutMillis(TopologySettings topology) {
    return (int) Math.min(3_600_000L, topology.readingTimeoutSeconds() * 750L);
  }

  /**
   * Joins the group, and waits until all tasks have joined, but not longer than a call's time-out.
   *
   * @throws UncheckedIOException if the transport cannot be opened, or ZooKeeper does not answer
   */
  public static MatcherGroup of(TaskContext taskContext, ServiceSettings service) {
    MatcherGroup matcherGroup = new MatcherGroup(taskContext, service.topology());
    try {
      matcherGroup.join(service.topology().collectiveTransport(), service.broker());
      return matcherGroup;
    } catch (IOException e) {
      matcherGroup.close();
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      matcherGroup.close();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while joining the other tasks", e);
    }
  }

  private void join(String name, BrokerSettings broker) throws IOException, InterruptedException {
    GroupTransport transport = GroupTransport.named(name);
    closings.push(transport::close);
    GroupChannel channel =
        transport.channel(
            new Seat(
                taskContext.topology(),
                taskContext.task(),
                taskContext.matchers(),
                taskContext.host(),
                rank ->
                    Optional.ofNullable(groupMembership.get()).flatMap(all -> all.addressOf(rank)),
                settings,
                access(broker)));
    open(channel);
    if (transport.crossesProcesses()) {
      enter(channel.port());
    }
  }

  /**
   * Returns what transports may need: the broker, and its certificates if it is connected to by
   * TLS, by which tasks then know each other, too.
   */
  public static List<Object> access(BrokerSettings broker) {
    List<Object> access = new ArrayList<>();
    access.add(
        new RabbitMqAccess(
            () -> AmqpConnections.factory(broker),
            broker.minReconnectMillis(),
            broker.maxReconnectMillis(),
            FrameFragmentation.PIECE_BYTES));
    TlsFolder.of(broker.tls())
        .ifPresent(tls -> access.add(new TlsFiles(tls.certificate(), tls.key(), tls.authority())));
    return access;
  }

  private void open(GroupChannel groupChannel) {
    Communicator opened = Communicator.open(groupChannel, settings);
    communicator.set(opened);
    closings.push(opened::close);
    DropMeters meters = new DropMeters(taskContext.task(), opened);
    closings.push(meters::close);
  }

  /** Enters this task in the register of members, where it may replace a task that has died. */
  private void enter(int port) throws IOException, InterruptedException {
    GroupMembership joined =
        GroupMembership.join(
            taskContext.zookeeper()::client,
            SESSION_MILLIS,
            taskContext.topology(),
            taskContext.matchers(),
            List.of(
                new GroupMembership.Entry(
                    taskContext.task(), taskContext.host(), port, FencingToken.next(taskContext))),
            (rank, why) -> communicator.get().lost(rank, why));
    groupMembership.set(joined);
    closings.push(joined::close);
    if (!joined.awaitAll(settings.timeoutMillis())) {
      LOG.warn(
          "task {} goes on without tasks {}: they have not come within {} ms",
          taskContext.task(),
          joined.missing(),
          settings.timeoutMillis());
    }
  }

  public Communicator communicator() {
    return communicator.get();
  }

  @Override
  public void close() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }
}
