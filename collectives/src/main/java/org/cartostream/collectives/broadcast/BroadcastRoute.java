package org.cartostream.collectives.broadcast;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cartostream.collectives.membership.MemberDirectory;

/**
 * The way of a broadcast from one process: to each process of its own host directly; to each other
 * host once, to the process that has the host's lowest rank, which forwards to the host's others.
 *
 * @param hops the first receivers
 * @param processes the lowest rank of each process that receives, by the process' address
 */
record BroadcastRoute(List<Hop> hops, Map<InetSocketAddress, Integer> processes) {

  /**
   * A receiver from which a message goes further.
   *
   * @param rank rank of the receiver
   * @param onward ranks to which it forwards; empty for none
   */
  record Hop(int rank, int[] onward) {}

  /**
   * Returns the route to the members that are known.
   *
   * @param own address of the sending process, which gets nothing
   * @param ranks ranks of the members that receive; those of one process have the same address
   */
  static BroadcastRoute of(InetSocketAddress own, int ranks, MemberDirectory members) {
    Map<InetSocketAddress, Integer> processes = new LinkedHashMap<>();
    for (int rank = 0; rank < ranks; rank++) {
      int receiver = rank;
      members
          .addressOf(rank)
          .filter(address -> !address.equals(own))
          .ifPresent(address -> processes.putIfAbsent(address, receiver));
    }
    Map<String, List<Integer>> hosts = new TreeMap<>();
    processes.forEach(
        (address, rank) ->
            hosts.computeIfAbsent(address.getHostString(), host -> new ArrayList<>()).add(rank));
    List<Hop> hops = new ArrayList<>();
    hosts.forEach(
        (host, there) -> {
          if (host.equals(own.getHostString())) {
            there.forEach(rank -> hops.add(new Hop(rank, new int[0])));
          } else {
            hops.add(new Hop(there.get(0), array(there.subList(1, there.size()))));
          }
        });
    return new BroadcastRoute(hops, processes);
  }

  private static int[] array(Collection<Integer> ranks) {
    return ranks.stream().mapToInt(rank -> rank).toArray();
  }
}
