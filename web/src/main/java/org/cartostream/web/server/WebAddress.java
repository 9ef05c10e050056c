package org.cartostream.web.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.cartostream.broker.connection.TlsFolder;

/**
 * Address at which the page is served.
 *
 * @param host name or IP address
 * @param port TCP port; 0 for any that is free
 * @param tls folder of the server's certificate and its key; empty for a page without TLS
 */
public record WebAddress(String host, int port, Optional<TlsFolder> tls) {

  private static final int MAX_PORT = 65_535;

  /** Address on this computer alone, with the port at which Foxglove looks for a server. */
  public static final WebAddress DEFAULT = new WebAddress("127.0.0.1", 8765);

  /**
   * Parses {@code HOST:PORT} or {@code PORT}.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  public static WebAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? DEFAULT.host : text.substring(0, colon);
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (!host.isBlank() && port >= 0 && port <= MAX_PORT) {
        return new WebAddress(host, port);
      }
    } catch (NumberFormatException e) {
      // The error is thrown below.
    }
    throw new IllegalArgumentException(
        "'%s' is no address: HOST:PORT or PORT is needed, as in 0.0.0.0:8765, with a port from 0 (any that is free) to %d"
            .formatted(text, MAX_PORT));
  }

  /** Creates an address without TLS. */
  public WebAddress(String host, int port) {
    this(host, port, Optional.empty());
  }

  /** Returns a copy with TLS. */
  public WebAddress with(TlsFolder certificate) {
    return new WebAddress(host, port, Optional.of(certificate));
  }

  /** Returns true if nobody on another computer can reach the address. */
  public boolean isLoopback() throws UnknownHostException {
    return InetAddress.getByName(host).isLoopbackAddress();
  }

  /**
   * Returns the host name for browsers: where the host stands for all addresses, this computer's
   * own name.
   */
  String nameForBrowsers() throws UnknownHostException {
    String name =
        InetAddress.getByName(host).isAnyLocalAddress()
            ? InetAddress.getLocalHost().getHostName()
            : host;
    return name.contains(":") ? "[" + name + "]" : name; // An address of IPv6.
  }
}
