package org.cartostream.collectives;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.collectives.membership.GroupMembership;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.GroupTransport;
import org.cartostream.collectives.transport.Seat;

/** A member in a process of its own: it gathers again and again, until somebody is gone. */
final class SurvivingMember {

  private SurvivingMember() {}

  /**
   * @param arguments ZooKeeper, rank, size and transport
   */
  public static void main(String[] arguments) throws Exception {
    int rank = Integer.parseInt(arguments[1]);
    int size = Integer.parseInt(arguments[2]);
    CollectiveSettings settings = CollectiveSettings.defaults();
    AtomicReference<GroupMembership> groupMembership = new AtomicReference<>();
    AtomicReference<Communicator> communicator = new AtomicReference<>();
    Seat seat =
        new Seat(
            "mourners " + arguments[0],
            rank,
            size,
            "127.0.0.1",
            other ->
                Optional.ofNullable(groupMembership.get()).flatMap(all -> all.addressOf(other)),
            settings,
            List.of());
    try (GroupTransport transport = GroupTransport.named(arguments[3]);
        GroupChannel channel = transport.channel(seat);
        Communicator member = Communicator.open(channel, settings);
        GroupMembership here =
            GroupMembership.join(
                ZooKeeperAccess.plain(arguments[0])::client,
                10_000,
                "mourners",
                size,
                List.of(new GroupMembership.Entry(rank, "127.0.0.1", channel.port(), 1)),
                (lost, why) -> communicator.get().lost(lost, why))) {
      communicator.set(member);
      groupMembership.set(here);
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
