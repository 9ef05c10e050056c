package org.cartostream.ros.tcpros;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;

/**
 * Lets TCP itself ask whether the other side is still there, so that a link is noticed to be dead
 * whose other side went without a word, as when it left the radio's reach: after 150 s, as in
 * roscpp, where Linux by default takes more than two hours.
 */
final class TcpKeepAlive {

  private static final Map<SocketOption<Integer>, Integer> PACE =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE, 60, // s of silence before the first question,
          ExtendedSocketOptions.TCP_KEEPINTERVAL, 10, // s to the next,
          ExtendedSocketOptions.TCP_KEEPCOUNT, 9); // and so many without an answer.

  private TcpKeepAlive() {}

  /** Where the system cannot set the pace, its own holds. */
  static void on(Socket socket) throws IOException {
    socket.setKeepAlive(true);
    for (Map.Entry<SocketOption<Integer>, Integer> option : PACE.entrySet()) {
      if (socket.supportedOptions().contains(option.getKey())) {
        socket.setOption(option.getKey(), option.getValue());
      }
    }
  }
}
