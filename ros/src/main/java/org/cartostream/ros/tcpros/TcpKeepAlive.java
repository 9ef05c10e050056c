package org.cartostream.ros.tcpros;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;

/**
 * Switch for TCP's keep-alive, so that a connection whose other side went silently, as when it left
 * the radio's reach, is noticed to be dead: after 150 s, as in roscpp, where Linux by default takes
 * more than two hours.
 */
final class TcpKeepAlive {

  private static final Map<SocketOption<Integer>, Integer> PACE =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE, 60, // s of silence before the first question,
          ExtendedSocketOptions.TCP_KEEPINTERVAL, 10, // s to the next,
          ExtendedSocketOptions.TCP_KEEPCOUNT, 9); // and so many without an answer.

  private TcpKeepAlive() {}

  /** Turns keep-alive on; if the system cannot set the intervals, its own are used. */
  static void on(Socket socket) throws IOException {
    socket.setKeepAlive(true);
    for (Map.Entry<SocketOption<Integer>, Integer> option : PACE.entrySet()) {
      if (socket.supportedOptions().contains(option.getKey())) {
        socket.setOption(option.getKey(), option.getValue());
      }
    }
  }
}
