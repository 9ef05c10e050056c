package org.cartostream.cli.collectives;

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
import org.cartostream.broker.Access;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.topology.collectives.Channel;
import org.cartostream.topology.collectives.CollectiveSettings;
import org.cartostream.topology.collectives.Communicator;
import org.cartostream.topology.collectives.Directory;
import org.cartostream.topology.collectives.MemoryGroup;
import org.cartostream.topology.collectives.RabbitMqAccess;
import org.cartostream.topology.collectives.RabbitMqChannel;
import org.cartostream.topology.collectives.TcpChannel;
import org.cartostream.topology.collectives.TcpTransport;

/**
 * A process that measures, with one member or with all. Its last two arguments are the folder and
 * the system; what stands before them is MPJ Express' own, or the rank and the number of members.
 *
 * <p>The folder holds the cells; each member leaves its times there ({@link Laps}).
 */
public final class BenchMember {

  private static final int WHOLE_GROUP = -1;

  private BenchMember() {}

  /** Measures all cells of the folder. */
  public static void main(String[] arguments) throws Exception {
    int last = arguments.length - 1;
    Path folder = Path.of(arguments[last - 1]);
    Contender contender = Contender.valueOf(arguments[last]);
    if (contender.isMpj()) {
      measure(new MpjPeer(arguments), folder);
      return; // It ends the threads' JVM itself when all have left.
    }
    int rank = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    if (rank != WHOLE_GROUP) {
      try (TcpTransport transport = TcpTransport.plain(1)) {
        measure(new OurPeer(open(tcp(transport, folder, rank, size))), folder);
      }
    } else if (contender == Contender.MEMORY) {
      MemoryGroup group = new MemoryGroup(size, settings());
      inThreads(size, each -> group.channel(each), folder);
    } else if (contender == Contender.RABBITMQ) {
      String uri = Files.readString(folder.resolve(Launch.BROKER));
      BrokerSettings broker = BrokerSettings.defaults().withUri(uri);
      RabbitMqAccess access =
          new RabbitMqAccess(
              () -> Access.factory(broker),
              broker.reconnectMinMillis(),
              broker.reconnectMaxMillis());
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

  private static Communicator open(Channel channel) {
    return Communicator.open(channel, settings());
  }

  /** Members find each other by files in the folder. */
  private static Channel tcp(TcpTransport transport, Path folder, int rank, int size)
      throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    Directory directory =
        other -> port(folder, other).map(port -> new InetSocketAddress(loopback, port));
    TcpChannel channel =
        new TcpChannel(
            transport,
            "bench",
            rank,
            size,
            new InetSocketAddress(loopback, 0),
            directory,
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

  private interface Seats {
    Channel channel(int rank) throws IOException;
  }

  private static void inThreads(int size, Seats seats, Path folder) throws Exception {
    List<Channel> channels = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      channels.add(seats.channel(rank));
    }
    ExecutorService threads = Executors.newFixedThreadPool(size);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (Channel channel : channels) {
        ends.add(
            threads.submit(
                () -> {
                  measure(new OurPeer(open(channel)), folder);
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow(); // Where one has failed, the others would keep the process.
    }
  }

  private static void measure(Peer peer, Path folder) throws Exception {
    try (peer) {
      Laps laps = new Laps(peer);
      List<Cell> cells =
          Files.readAllLines(folder.resolve(Launch.CELLS)).stream().map(Cell::parse).toList();
      for (Cell cell : cells) {
        laps.warmUp(cell);
      }
      for (Cell cell : cells) {
        laps.measure(cell);
      }
      laps.write(folder);
      peer.barrier();
    }
  }
}
