package org.cartostream.collectives.transport.shm;

import java.io.IOException;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.GroupTransport;
import org.cartostream.collectives.transport.Seat;
import org.cartostream.collectives.transport.tcp.TcpGroupTransport;

/** Transport {@code shared-memory}: by rings within a host, and by {@code tcp} to other hosts. */
public final class SharedMemoryGroupTransport implements GroupTransport {

  private final GroupTransport far = new TcpGroupTransport();

  @Override
  public String name() {
    return "shared-memory";
  }

  @Override
  public boolean crossesProcesses() {
    return true;
  }

  @Override
  public GroupChannel channel(Seat seat) throws IOException {
    return new SharedMemoryChannel(seat, far.channel(seat));
  }

  @Override
  public void close() {
    far.close();
  }
}
