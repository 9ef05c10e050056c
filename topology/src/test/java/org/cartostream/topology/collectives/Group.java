package org.cartostream.topology.collectives;

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
import org.cartostream.broker.Access;
import org.cartostream.broker.BrokerSettings;

/** Members of one group in this JVM. Owns them. */
final class Group implements AutoCloseable {

  /** Nothing may take longer than this, whatever it waits for. */
  static final long BOUND_SECONDS = 20;

  static final String ROBOT = "robot-1";

  private final List<Communicator> members = new ArrayList<>();

  /** Members by channel, in rank order. */
  Group(List<Channel> channels, CollectiveSettings settings) {
    channels.forEach(channel -> members.add(Communicator.open(channel, settings)));
  }

  static Group inMemory(int size, CollectiveSettings settings) {
    return new Group(memoryChannels(size), settings);
  }

  static List<Channel> memoryChannels(int size) {
    MemoryGroup group = new MemoryGroup(size, CollectiveSettings.defaults());
    return IntStream.range(0, size).mapToObj(group::channel).toList();
  }

  /** On ports of 127.0.0.1; the transport stays open. */
  static Group overTcp(int size, TcpTransport transport, CollectiveSettings settings)
      throws IOException {
    return new Group(tcpChannels(size, transport, settings), settings);
  }

  static List<Channel> tcpChannels(int size, TcpTransport transport, CollectiveSettings settings)
      throws IOException {
    List<InetSocketAddress> addresses = new ArrayList<>();
    List<Channel> channels = new ArrayList<>();
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    for (int rank = 0; rank < size; rank++) {
      Directory directory = other -> Optional.of(addresses.get(other));
      TcpChannel channel =
          new TcpChannel(transport, "test", rank, size, anyPort, directory, settings);
      channels.add(channel);
      addresses.add(channel.address());
    }
    return channels;
  }

  static RabbitMqAccess access(BrokerSettings broker) {
    return new RabbitMqAccess(
        () -> Access.factory(broker), broker.reconnectMinMillis(), broker.reconnectMaxMillis());
  }

  static Group throughABroker(int size, String uri, CollectiveSettings settings)
      throws IOException {
    RabbitMqAccess broker = access(BrokerSettings.defaults().withUri(uri));
    List<Channel> channels = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      channels.add(new RabbitMqChannel(broker, "test" + size, rank, size, settings));
    }
    return new Group(channels, settings);
  }

  Communicator member(int rank) {
    return members.get(rank);
  }

  int size() {
    return members.size();
  }

  static RoundKey round(long round) {
    return new RoundKey(ROBOT, 1, round);
  }

  /** The result of a call that ends well, soon. */
  static <T> T result(Call<T> call) {
    try {
      return call.get(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      throw new AssertionError("the call did not end well: " + e, e);
    }
  }

  /** Why a call ended badly, soon. */
  static CollectiveException failure(Call<?> call) {
    try {
      throw new AssertionError(
          "the call ended well, with " + call.get(BOUND_SECONDS, TimeUnit.SECONDS));
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
