package org.cartostream.bench.collectives;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.connection.AmqpConnections;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.collectives.Communicator;
import org.cartostream.collectives.membership.MemberDirectory;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.memory.MemoryGroup;
import org.cartostream.collectives.transport.rabbitmq.RabbitMqAccess;
import org.cartostream.collectives.transport.rabbitmq.RabbitMqChannel;
import org.cartostream.collectives.transport.tcp.TcpChannel;
import org.cartostream.collectives.transport.tcp.TcpTransport;

/**
 * Main class of a process that measures, with one member or with all. Its last two arguments are
 * the folder and the implementation; before them stand the arguments of MPJ Express, or the rank
 * and the number of members.
 *
 * <p>The folder contains the cases; each member writes its times there ({@link MemberTimer}).
 */
final class MemberProcess {

  private static final int WHOLE_GROUP = -1;

  private MemberProcess() {}

  /** Measures all cases of the folder. */
  public static void main(String[] arguments) throws Exception {
    int last = arguments.length - 1;
    Path folder = Path.of(arguments[last - 1]);
    Implementation implementation = Implementation.valueOf(arguments[last]);
    if (implementation.isMpj()) {
      measure(new MpjMember(arguments), folder);
      return; // MPJ Express ends the JVM when all members have left.
    }
    int rank = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    if (rank != WHOLE_GROUP) {
      try (TcpTransport transport = TcpTransport.plain(1)) {
        measure(new CommunicatorMember(open(tcp(transport, folder, rank, size))), folder);
      }
    } else if (implementation == Implementation.MEMORY) {
      MemoryGroup group = new MemoryGroup(size, settings());
      inThreads(size, each -> group.channel(each), folder);
    } else if (implementation == Implementation.RABBITMQ) {
      String uri = Files.readString(folder.resolve(GroupLauncher.BROKER));
      BrokerSettings broker = BrokerSettings.defaults().withUri(uri);
      RabbitMqAccess access =
          new RabbitMqAccess(
              () -> AmqpConnections.factory(broker),
              broker.minReconnectMillis(),
              broker.maxReconnectMillis(),
              FrameFragmentation.PIECE_BYTES);
      inThreads(size, each -> new RabbitMqChannel(access, "bench", each, size, settings()), folder);
    } else {
      try (TcpTransport transport = TcpTransport.plain(2)) {
        inThreads(size, each -> tcp(transport, folder, each, size), folder);
      }
    }
  }

  private static CollectiveSettings settings() {
    return CollectiveSettings.defaults();
  }

  private static Communicator open(GroupChannel groupChannel) {
    return Communicator.open(groupChannel, settings());
  }

  /** Opens a TCP channel; members find each other by files in the folder. */
  private static GroupChannel tcp(TcpTransport transport, Path folder, int rank, int size)
      throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    MemberDirectory memberDirectory =
        other -> port(folder, other).map(port -> new InetSocketAddress(loopback, port));
    TcpChannel channel =
        new TcpChannel(
            transport,
            "bench",
            rank,
            size,
            new InetSocketAddress(loopback, 0),
            memberDirectory,
            settings());
    Path draft = folder.resolve("port-draft-" + rank);
    Files.writeString(draft, Integer.toString(channel.address().getPort()));
    Files.move(draft, folder.resolve("port-" + rank), StandardCopyOption.ATOMIC_MOVE);
    return channel;
  }

  private static Optional<Integer> port(Path folder, int rank) {
    try {
      Path file = folder.resolve("port-" + rank);
      return Files.exists(file)
          ? Optional.of(Integer.valueOf(Files.readString(file)))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private interface ChannelFactory {
    GroupChannel channel(int rank) throws IOException;
  }

  private static void inThreads(int size, ChannelFactory channelFactory, Path folder)
      throws Exception {
    List<GroupChannel> groupChannels = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      groupChannels.add(channelFactory.channel(rank));
    }
    ExecutorService threads = Executors.newFixedThreadPool(size);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (GroupChannel groupChannel : groupChannels) {
        ends.add(
            threads.submit(
                () -> {
                  measure(new CommunicatorMember(open(groupChannel)), folder);
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow(); // If one has failed, the others would keep the process alive.
    }
  }

  private static void measure(MeasuredMember measuredMember, Path folder) throws Exception {
    try (measuredMember) {
      MemberTimer memberTimer = new MemberTimer(measuredMember);
      List<CollectiveCase> collectiveCases =
          Files.readAllLines(folder.resolve(GroupLauncher.CELLS)).stream()
              .map(CollectiveCase::parse)
              .toList();
      for (CollectiveCase collectiveCase : collectiveCases) {
        memberTimer.warmUp(collectiveCase);
      }
      for (CollectiveCase collectiveCase : collectiveCases) {
        memberTimer.measure(collectiveCase);
      }
      memberTimer.write(folder);
      measuredMember.barrier();
    }
  }
}
