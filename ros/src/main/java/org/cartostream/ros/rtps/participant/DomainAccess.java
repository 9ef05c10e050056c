package org.cartostream.ros.rtps.participant;

import java.net.InetAddress;
import java.util.List;

/**
 * Domain that a participant joins, and the interfaces and peers by which it does.
 *
 * @param domain its number
 * @param interfaces addresses of this computer's own that are used; not empty
 * @param isAlone true if these are not all that this computer has, so nothing comes by others
 * @param multicast true to find others by multicast
 * @param peers computers whose participants are asked for one by one
 */
public record DomainAccess(
    int domain,
    List<InetAddress> interfaces,
    boolean isAlone,
    boolean multicast,
    List<InetAddress> peers) {}
