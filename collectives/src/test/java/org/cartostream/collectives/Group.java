package org.cartostream.collectives;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.cartostream.broker.connection.AmqpConnections;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.collectives.membership.MemberDirectory;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.GroupTransport;
import org.cartostream.collectives.transport.Seat;
import org.cartostream.collectives.transport.memory.MemoryGroup;
import org.cartostream.collectives.transport.rabbitmq.RabbitMqAccess;

/** Members of one group in this JVM. Owns them. */
public final class Group implements AutoCloseable {

  /** Nothing may take longer than this, whatever it waits for. */
  public static final long BOUND_SECONDS = 20;

  public static final String ROBOT = "robot-1";

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final List<Communicator> members = new ArrayList<>();
  private final List<GroupTransport> owned = new ArrayList<>();

  /** Members by channel, in rank order. */
  public Group(List<GroupChannel> groupChannels, CollectiveSettings settings) {
    groupChannels.forEach(groupChannel -> members.add(Communicator.open(groupChannel, settings)));
  }

  public static Group inMemory(int size, CollectiveSettings settings) {
    MemoryGroup group = new MemoryGroup(size, settings);
    return new Group(IntStream.range(0, size).mapToObj(group::channel).toList(), settings);
  }

  /**
   * Members of 127.0.0.1 by a transport of a name, as the topology opens them.
   *
   * @param change what a test does to each channel
   * @param access what the transport needs
   */
  public static Group by(
      String transport,
      int size,
      CollectiveSettings settings,
      UnaryOperator<GroupChannel> change,
      Object... access)
      throws IOException {
    String name = "test-" + NUMBERS.incrementAndGet();
    int[] ports = new int[size];
    List<GroupTransport> owned = new ArrayList<>();
    List<GroupChannel> channels = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      MemberDirectory members =
          other ->
              Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), ports[other]));
      owned.add(GroupTransport.named(transport));
      Seat seat = new Seat(name, rank, size, "127.0.0.1", members, settings, List.of(access));
      GroupChannel channel = owned.get(rank).channel(seat);
      ports[rank] = channel.port();
      channels.add(change.apply(channel));
    }
    Group group = new Group(channels, settings);
    group.owned.addAll(owned);
    return group;
  }

  /** Access to a broker that takes large messages. */
  public static RabbitMqAccess access(BrokerSettings broker) {
    return access(broker, 1 << 24);
  }

  public static RabbitMqAccess access(BrokerSettings broker, int maxMessageBytes) {
    return new RabbitMqAccess(
        () -> AmqpConnections.factory(broker),
        broker.minReconnectMillis(),
        broker.maxReconnectMillis(),
        maxMessageBytes);
  }

  public Communicator member(int rank) {
    return members.get(rank);
  }

  public int size() {
    return members.size();
  }

  public static OperationKey round(long round) {
    return new OperationKey(ROBOT, 1, round);
  }

  /** The result of a call that ends well, soon. */
  public static <T> T result(CollectiveFuture<T> collectiveFuture) {
    try {
      return collectiveFuture.get(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      throw new AssertionError("the call did not end well: " + e, e);
    }
  }

  /** Waits for the end of a call, which comes soon; returns whether it is a result. */
  public static boolean endsWell(CollectiveFuture<?> call) {
    return call.handle((result, failure) -> failure == null)
        .orTimeout(BOUND_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  /** Why a call ended badly, soon. */
  public static CollectiveException failure(CollectiveFuture<?> collectiveFuture) {
    try {
      throw new AssertionError(
          "the call ended well, with " + collectiveFuture.get(BOUND_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return (CollectiveException) e.getCause();
    } catch (TimeoutException | InterruptedException e) {
      throw new AssertionError("the call did not end", e);
    }
  }

  @Override
  public void close() {
    members.forEach(Communicator::close);
    owned.forEach(GroupTransport::close);
  }
}
