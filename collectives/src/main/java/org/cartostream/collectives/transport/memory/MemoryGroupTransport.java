package org.cartostream.collectives.transport.memory;

import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.GroupTransport;
import org.cartostream.collectives.transport.Seat;

/** Transport {@code memory}: members of one JVM meet in the {@link MemoryGroup} of their name. */
public final class MemoryGroupTransport implements GroupTransport {

  private String joined;

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public boolean crossesProcesses() {
    return false;
  }

  @Override
  public GroupChannel channel(Seat seat) {
    MemoryGroup group = MemoryGroup.join(seat.group(), seat.size(), seat.settings());
    joined = seat.group();
    return group.channel(seat.rank());
  }

  @Override
  public void close() {
    if (joined != null) {
      MemoryGroup.leave(joined);
    }
  }
}
