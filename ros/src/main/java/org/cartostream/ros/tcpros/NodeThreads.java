package org.cartostream.ros.tcpros;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Threads of a node: none keeps the process alive, and each ends when its socket is closed. */
final class NodeThreads {

  private NodeThreads() {}

  static Thread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Closes a socket, which ends the threads that wait on it. */
  static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("a socket cannot be closed", e);
    }
  }
}
