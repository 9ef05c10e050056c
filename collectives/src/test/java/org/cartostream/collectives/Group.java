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
import java.util.stream.IntStream;
import org.cartostream.broker.connection.AmqpConnections;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.collectives.membership.MemberDirectory;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.memory.MemoryGroup;
import org.cartostream.collectives.transport.rabbitmq.RabbitMqAccess;
import org.cartostream.collectives.transport.rabbitmq.RabbitMqChannel;
import org.cartostream.collectives.transport.tcp.TcpChannel;
import org.cartostream.collectives.transport.tcp.TcpTransport;

/** Members of one group in this JVM. Owns them. */
public final class Group implements AutoCloseable {

  /** Nothing may take longer than this, whatever it waits for. */
  public static final long BOUND_SECONDS = 20;

  public static final String ROBOT = "robot-1";

  private final List<Communicator> members = new ArrayList<>();

  /** Members by channel, in rank order. */
  public Group(List<GroupChannel> groupChannels, CollectiveSettings settings) {
    groupChannels.forEach(groupChannel -> members.add(Communicator.open(groupChannel, settings)));
  }

  public static Group inMemory(int size, CollectiveSettings settings) {
    return new Group(memoryChannels(size), settings);
  }

  static List<GroupChannel> memoryChannels(int size) {
    MemoryGroup group = new MemoryGroup(size, CollectiveSettings.defaults());
    return IntStream.range(0, size).mapToObj(group::channel).toList();
  }

  /** On ports of 127.0.0.1; the transport stays open. */
  public static Group overTcp(int size, TcpTransport transport, CollectiveSettings settings)
      throws IOException {
    return new Group(tcpChannels(size, transport, settings), settings);
  }

  static List<GroupChannel> tcpChannels(
      int size, TcpTransport transport, CollectiveSettings settings) throws IOException {
    List<InetSocketAddress> addresses = new ArrayList<>();
    List<GroupChannel> groupChannels = new ArrayList<>();
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    for (int rank = 0; rank < size; rank++) {
      MemberDirectory memberDirectory = other -> Optional.of(addresses.get(other));
      TcpChannel channel =
          new TcpChannel(transport, "test", rank, size, anyPort, memberDirectory, settings);
      groupChannels.add(channel);
      addresses.add(channel.address());
    }
    return groupChannels;
  }

  public static RabbitMqAccess access(BrokerSettings broker) {
    return new RabbitMqAccess(
        () -> AmqpConnections.factory(broker),
        broker.minReconnectMillis(),
        broker.maxReconnectMillis());
  }

  public static Group throughABroker(int size, String uri, CollectiveSettings settings)
      throws IOException {
    RabbitMqAccess broker = access(BrokerSettings.defaults().withUri(uri));
    List<GroupChannel> groupChannels = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      groupChannels.add(new RabbitMqChannel(broker, "test" + size, rank, size, settings));
    }
    return new Group(groupChannels, settings);
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
  }
}
