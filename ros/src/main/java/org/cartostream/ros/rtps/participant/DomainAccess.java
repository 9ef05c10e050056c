package org.cartostream.ros.rtps.participant;

import java.net.InetAddress;
import java.util.List;

/**
 * Domain that a participant joins, and the interfaces and peers by which it does.
 *
 * @param domain number of the domain
 * @param interfaces addresses of this computer's network interfaces to use; not empty
 * @param isAlone true if the computer has other interfaces, by which nothing is received
 * @param multicast true to find others by multicast
 * @param peers computers whose participants are found by unicast
 */
public record DomainAccess(
    int domain,
    List<InetAddress> interfaces,
    boolean isAlone,
    boolean multicast,
    List<InetAddress> peers) {}
