package org.cartostream.collectives.transport;

import java.util.List;
import java.util.Optional;
import org.cartostream.collectives.membership.MemberDirectory;
import org.cartostream.collectives.operation.CollectiveSettings;

/**
 * The place of a member in its group, and what a channel may need there.
 *
 * @param group the group's name; members of other groups are strangers
 * @param rank the member's rank, 0 to {@code size} - 1
 * @param size number of members of the group
 * @param host name or address at which the member's host is reached by the others
 * @param memberDirectory addresses of the other members
 * @param access what particular transports need, at most one object of a class, such as {@link
 *     TlsFiles}
 */
public record Seat(
    String group,
    int rank,
    int size,
    String host,
    MemberDirectory memberDirectory,
    CollectiveSettings settings,
    List<Object> access) {

  /** Returns the object of a class in {@link #access}. */
  public <T> Optional<T> access(Class<T> type) {
    return access.stream().filter(type::isInstance).map(type::cast).findFirst();
  }
}
