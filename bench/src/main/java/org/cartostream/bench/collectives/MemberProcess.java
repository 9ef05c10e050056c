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
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.GroupTransport;
import org.cartostream.collectives.transport.Seat;
import org.cartostream.collectives.transport.rabbitmq.RabbitMqAccess;

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
    if (implementation == Implementation.UNIX_SOCKETS_JVMS) {
      measure(new UnixSocketMember(folder, rank, size), folder);
    } else if (rank == WHOLE_GROUP) {
      inThreads(implementation, size, folder);
    } else {
      try (GroupTransport transport = GroupTransport.named(implementation.channel())) {
        measure(member(transport, folder, rank, size), folder);
      }
    }
  }

  /** Makes a member; members find each other by files in the folder. */
  private static CommunicatorMember member(
      GroupTransport transport, Path folder, int rank, int size) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    BrokerSettings broker =
        BrokerSettings.defaults().withUri(Files.readString(folder.resolve(GroupLauncher.BROKER)));
    RabbitMqAccess access =
        new RabbitMqAccess(
            () -> AmqpConnections.factory(broker),
            broker.minReconnectMillis(),
            broker.maxReconnectMillis(),
            FrameFragmentation.PIECE_BYTES);
    CollectiveSettings settings = CollectiveSettings.defaults();
    GroupChannel channel =
        transport.channel(
            new Seat(
                folder.toString(),
                rank,
                size,
                loopback.getHostAddress(),
                other -> port(folder, other).map(port -> new InetSocketAddress(loopback, port)),
                settings,
                List.of(access)));
    Path draft = folder.resolve("port-draft-" + rank);
    Files.writeString(draft, Integer.toString(channel.port()));
    Files.move(draft, folder.resolve("port-" + rank), StandardCopyOption.ATOMIC_MOVE);
    return new CommunicatorMember(Communicator.open(channel, settings));
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

  private static void inThreads(Implementation implementation, int size, Path folder)
      throws Exception {
    List<GroupTransport> transports = new ArrayList<>();
    List<CommunicatorMember> members = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      transports.add(GroupTransport.named(implementation.channel()));
      members.add(member(transports.get(rank), folder, rank, size));
    }
    ExecutorService threads = Executors.newFixedThreadPool(size);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (CommunicatorMember member : members) {
        ends.add(
            threads.submit(
                () -> {
                  measure(member, folder);
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow(); // If one has failed, the others would keep the process alive.
      transports.forEach(GroupTransport::close);
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
