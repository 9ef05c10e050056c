package org.cartostream.ros.tcpros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import jdk.net.ExtendedSocketOptions;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class TcpKeepAliveTest {

  /** The two hours themselves are the kernel's, and are not waited for. */
  @Test
  void asksWhereItCanAfterAMinuteOfSilence() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
      TcpKeepAlive.on(socket);
      assertThat(socket.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
      assumeThat(socket.supportedOptions()).contains(ExtendedSocketOptions.TCP_KEEPIDLE);
      assertThat(socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(60);
      assertThat(socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL)).isEqualTo(10);
      assertThat(socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT)).isEqualTo(9);
    }
  }
}
