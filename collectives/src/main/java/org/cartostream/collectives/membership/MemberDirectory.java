package org.cartostream.collectives.membership;

import java.net.InetSocketAddress;
import java.util.Optional;

/** Directory of the addresses of a group's members. Asked before every attempt to connect. */
@FunctionalInterface
public interface MemberDirectory {

  /**
   * A member's address, resolved or not; empty as long as nobody with that rank is known. Does not
   * block.
   */
  Optional<InetSocketAddress> addressOf(int rank);
}
