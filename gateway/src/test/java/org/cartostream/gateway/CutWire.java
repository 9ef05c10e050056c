package org.cartostream.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A wire to a port of this machine that can be cut while bytes are on it; then it is mended. */
final class CutWire implements AutoCloseable {

  private final ServerSocket listener;
  private final int target;
  private final List<Socket> ends = new CopyOnWriteArrayList<>();

  CutWire(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    start(this::accept, "wire");
  }

  int port() {
    return listener.getLocalPort();
  }

  void cut() {
    ends.forEach(CutWire::close);
    ends.clear();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket near = listener.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        near.setTcpNoDelay(true); // Else small frames wait for the other side's acknowledgement.
        far.setTcpNoDelay(true);
        ends.add(near);
        ends.add(far);
        start(() -> carry(near, far), "wire there");
        start(() -> carry(far, near), "wire back");
      } catch (IOException e) {
        cut(); // The wire is taken down, or the other side is: either way it is cut.
      }
    }
  }

  private static void carry(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException e) {
      close(from);
      close(to);
    }
  }

  private static void start(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
