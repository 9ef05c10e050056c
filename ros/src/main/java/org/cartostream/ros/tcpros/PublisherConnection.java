package org.cartostream.ros.tcpros;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.node.RosNodeListener;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.ros.xmlrpc.XmlRpcClient;

/**
 * The connection from one publisher of a topic to this node: requested by XML-RPC, then TCPROS.
 * Reconnects as long as the master names the publisher.
 *
 * <p>Owns its socket; one thread runs it.
 */
final class PublisherConnection<M extends Record> implements Runnable {

  private static final int TIMEOUT_MILLIS = 5000;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long MAX_PAUSE_MILLIS = 5000;
  private static final int BUFFER_BYTES = 1 << 16;

  private final Subscription<M> subscription;
  private final URI publisher;
  private final XmlRpcClient xmlRpcClient;
  private final String node;
  private final RosNodeListener reports;
  private Socket socket;
  private boolean closed;

  PublisherConnection(
      Subscription<M> subscription,
      URI publisher,
      XmlRpcClient xmlRpcClient,
      String node,
      RosNodeListener reports) {
    this.subscription = subscription;
    this.publisher = publisher;
    this.xmlRpcClient = xmlRpcClient;
    this.node = node;
    this.reports = reports;
  }

  URI publisher() {
    return publisher;
  }

  @Override
  public void run() {
    long pause = FIRST_PAUSE_MILLIS;
    try {
      while (subscription.shouldReconnect(this)) {
        if (receiveUntilBroken()) {
          pause = FIRST_PAUSE_MILLIS;
        }
        TimeUnit.MILLISECONDS.sleep(pause);
        pause = Math.min(2 * pause, MAX_PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Connects and receives until the connection breaks; true if it was up. */
  private boolean receiveUntilBroken() throws InterruptedException {
    boolean up = false;
    try (Socket connection = open()) {
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(connection.getInputStream(), BUFFER_BYTES));
      handshake(connection, in);
      up = true;
      while (true) {
        subscription.deliver(
            subscription.type().decode(TcprosFraming.read(in, TcprosFraming.MAX_BYTES)));
      }
    } catch (EOFException e) {
      // The publisher is gone. The master will report it, or it comes back.
      return up;
    } catch (IOException | RuntimeException e) { // Also what the listener throws: no link may die.
      if (!isClosed()) {
        reports.onTrouble(
            subscription.topic() + " from " + publisher, "nothing is received: " + reason(e));
      }
      return up;
    }
  }

  private static String reason(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private Socket open() throws IOException, InterruptedException {
    Object answer =
        xmlRpcClient.call(
            publisher, "requestTopic", subscription.topic(), List.of(List.of("TCPROS")));
    if (!(answer instanceof List<?> way)
        || way.size() < 3
        || !(way.get(1) instanceof String host)
        || !(way.get(2) instanceof Integer port)) {
      throw new IOException("it offers no TCPROS but " + answer);
    }
    Socket opened = new Socket();
    synchronized (this) {
      socket = opened;
      if (closed) {
        opened.close();
      }
    }
    try {
      opened.setTcpNoDelay(true);
      TcpKeepAlive.on(opened);
      opened.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      return opened;
    } catch (IOException | RuntimeException e) {
      NodeThreads.close(opened); // An unknown host leaves it open, and its file with it.
      throw e;
    }
  }

  private void handshake(Socket connection, DataInputStream in) throws IOException {
    MessageType<M> type = subscription.type();
    connection.setSoTimeout(TIMEOUT_MILLIS);
    connection
        .getOutputStream()
        .write(
            ConnectionHeader.of(
                    "callerid", node,
                    "topic", subscription.topic(),
                    "type", type.name(),
                    "md5sum", type.md5(),
                    "tcp_nodelay", "1")
                .bytes());
    ConnectionHeader theirs = ConnectionHeader.read(in);
    connection.setSoTimeout(0);
    if (!theirs.get("error").isEmpty()) {
      throw new IOException("it refuses: " + theirs.get("error"));
    }
    if (!theirs.accepts("md5sum", type.md5())) {
      throw new IOException(
          "the topic is " + theirs.get("type") + " there; it should be " + type.name());
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  synchronized void close() {
    closed = true;
    if (socket != null) {
      NodeThreads.close(socket);
    }
  }
}
