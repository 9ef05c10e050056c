package org.cartostream.collectives.transport;

import java.io.IOException;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * A kind of channel between the members of a group, chosen by its name. It is a plug-in: {@link
 * ServiceLoader} finds its class, which has a constructor without parameters, by the file {@code
 * META-INF/services/org.cartostream.collectives.transport.GroupTransport} of its jar.
 *
 * <p>Serves one member, and owns what that member's channel needs besides itself, such as threads.
 */
public interface GroupTransport extends AutoCloseable {

  /** Returns the name by which settings choose this transport. */
  String name();

  /**
   * Returns true if members may be in several processes. Then they are registered in ZooKeeper,
   * from which each gets a {@link Seat#memberDirectory}.
   */
  boolean crossesProcesses();

  /**
   * Makes the channel of a member; called once.
   *
   * @throws IOException if there is nothing to listen at, or to connect to
   */
  GroupChannel channel(Seat seat) throws IOException;

  /** Gives back what this transport owns; called after the channel was closed. */
  @Override
  void close();

  /**
   * Returns a new transport.
   *
   * @throws IllegalArgumentException if there is none of that name, with the names of all
   */
  static GroupTransport named(String name) {
    TreeMap<String, GroupTransport> byName = new TreeMap<>();
    ServiceLoader.load(GroupTransport.class).forEach(each -> byName.put(each.name(), each));
    if (!byName.containsKey(name)) {
      throw new IllegalArgumentException(
          "'%s' is no transport; there are %s".formatted(name, String.join(", ", byName.keySet())));
    }
    return byName.get(name);
  }
}
