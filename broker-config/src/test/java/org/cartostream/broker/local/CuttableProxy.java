package org.cartostream.broker.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A wire to a port of this machine that can be cut while bytes are on it, or hold them, for tests
 * and demonstrations of a bad link. Owns its listener and the connections through it.
 */
public final class CuttableProxy implements AutoCloseable {

  private final ServerSocket listener;
  private final int target;
  private final List<Socket> ends = new CopyOnWriteArrayList<>();
  private volatile boolean down;
  private boolean held;

  public CuttableProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    start(this::accept, "wire");
  }

  /** Where the wire begins, on 127.0.0.1. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Cuts what goes through it now; whoever connects again gets through. */
  public void cut() {
    for (Socket end : ends) {
      // One by one: whoever connects again meanwhile must be found by the next cut.
      ends.remove(end);
      close(end);
    }
  }

  /** Cuts it, and nobody gets through until it is mended. */
  public void takeDown() {
    down = true;
    cut();
  }

  public void mend() {
    down = false;
  }

  /** Carries nothing until it is released; nobody is told. */
  public synchronized void hold() {
    held = true;
  }

  public synchronized void release() {
    held = false;
    notifyAll();
  }

  private synchronized void awaitRelease() throws InterruptedException {
    while (held) {
      wait();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket near = listener.accept();
        if (down) {
          near.close();
          continue;
        }
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        near.setTcpNoDelay(true); // Else small frames wait for the other side's acknowledgement.
        far.setTcpNoDelay(true);
        ends.add(near);
        ends.add(far);
        if (down) {
          cut();
        }
        start(() -> forward(near, far), "wire there");
        start(() -> forward(far, near), "wire back");
      } catch (IOException e) {
        cut(); // The wire is taken down, or the other side is: either way it is cut.
      }
    }
  }

  private void forward(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      byte[] bytes = new byte[1 << 13];
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        awaitRelease();
        out.write(bytes, 0, count);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
    release();
  }
}
