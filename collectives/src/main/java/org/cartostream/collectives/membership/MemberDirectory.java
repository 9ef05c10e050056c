package org.cartostream.collectives.membership;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Directory of the addresses of a group's members. A channel asks it before every attempt to
 * connect.
 */
@FunctionalInterface
public interface MemberDirectory {

  /**
   * Returns a member's address, resolved or not; empty as long as no member with that rank is
   * known. Does not block.
   */
  Optional<InetSocketAddress> addressOf(int rank);
}
