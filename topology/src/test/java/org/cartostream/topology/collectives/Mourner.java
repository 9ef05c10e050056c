package org.cartostream.topology.collectives;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.ZooKeeperAccess;

/** A member in a process of its own: it gathers again and again, until somebody is gone. */
final class Mourner {

  private Mourner() {}

  /**
   * @param arguments ZooKeeper, rank and size
   */
  public static void main(String[] arguments) throws Exception {
    int rank = Integer.parseInt(arguments[1]);
    int size = Integer.parseInt(arguments[2]);
    CollectiveSettings settings = CollectiveSettings.defaults();
    AtomicReference<Roster> roster = new AtomicReference<>();
    AtomicReference<Communicator> communicator = new AtomicReference<>();
    try (TcpTransport transport = TcpTransport.plain(1);
        TcpChannel channel =
            new TcpChannel(
                transport,
                "mourners",
                rank,
                size,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                other -> Optional.ofNullable(roster.get()).flatMap(all -> all.addressOf(other)),
                settings);
        Communicator member = Communicator.open(channel, settings);
        Roster here =
            Roster.join(
                ZooKeeperAccess.plain(arguments[0])::client,
                10_000,
                "mourners",
                size,
                new Roster.Entry(rank, "127.0.0.1", channel.address().getPort(), 1),
                (lost, why) -> communicator.get().lost(lost, why))) {
      communicator.set(member);
      roster.set(here);
      here.awaitAll(settings.timeoutMillis());
      for (long round = 1; ; round++) {
        member
            .allGather(Group.round(round), new byte[] {(byte) rank})
            .get(Group.BOUND_SECONDS, TimeUnit.SECONDS);
        System.out.println("round " + round);
      }
    } catch (ExecutionException e) {
      System.out.println("end: " + e.getCause().getMessage());
    }
  }
}
