package org.cartostream.collectives.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.GroupTransport;
import org.cartostream.collectives.transport.Seat;
import org.cartostream.collectives.transport.TlsFiles;

/**
 * Transport {@code tcp}: members connect to each other, by TLS where the seat has {@link TlsFiles}.
 * Owns one {@link TcpTransport}.
 */
public final class TcpGroupTransport implements GroupTransport {

  private TcpTransport transport;

  @Override
  public String name() {
    return "tcp";
  }

  @Override
  public boolean crossesProcesses() {
    return true;
  }

  @Override
  public GroupChannel channel(Seat seat) throws IOException {
    Optional<TlsFiles> tls = seat.access(TlsFiles.class);
    transport = tls.isEmpty() ? TcpTransport.plain(1) : TcpTransport.secured(1, tls.get());
    return new TcpChannel(
        transport,
        seat.group(),
        seat.rank(),
        seat.size(),
        new InetSocketAddress(seat.host(), 0),
        seat.memberDirectory(),
        seat.settings());
  }

  @Override
  public void close() {
    if (transport != null) {
      transport.close();
    }
  }
}
