package org.cartostream.ros.tcpros;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.cartostream.ros.node.RosNodeListener;

/**
 * The TCPROS server of a node, for subscribers and callers of services (wiki.ros.org/ROS/TCPROS).
 *
 * <p>Owns the listening socket, the connections it accepted and a thread for each, and the topics
 * and services by their global names.
 */
final class TcprosServer implements AutoCloseable {

  /** Maximum number of connections of a node, each of which has a thread. */
  static final int MAX_CONNECTIONS = 256;

  private static final int HEADER_TIMEOUT_MILLIS = 5000;

  private final String node;
  private final ServerSocket socket;
  private final int maxConnections;
  private final RosNodeListener listener;
  private final Map<String, Publication<?>> topics = new ConcurrentHashMap<>();
  private final Map<String, ServiceEndpoint<?, ?>> services = new ConcurrentHashMap<>();
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

  private TcprosServer(
      String node, ServerSocket socket, int maxConnections, RosNodeListener listener) {
    this.node = node;
    this.socket = socket;
    this.maxConnections = maxConnections;
    this.listener = listener;
  }

  /**
   * Listens on a free port.
   *
   * @param maxConnections maximum number of connections; further ones are refused
   */
  static TcprosServer open(
      String node, InetAddress bind, int maxConnections, RosNodeListener listener)
      throws IOException {
    TcprosServer tcprosServer =
        new TcprosServer(node, new ServerSocket(0, 50, bind), maxConnections, listener);
    NodeThreads.start(node + " accepts", tcprosServer::accept);
    return tcprosServer;
  }

  int port() {
    return socket.getLocalPort();
  }

  Map<String, Publication<?>> topics() {
    return topics;
  }

  Map<String, ServiceEndpoint<?, ?>> services() {
    return services;
  }

  private void accept() {
    try {
      while (true) {
        acceptConnection(socket.accept());
      }
    } catch (IOException e) {
      if (!socket.isClosed()) {
        listener.onFailure("no connections can be accepted any more: " + e.getMessage());
      }
    }
  }

  private void acceptConnection(Socket connection) throws IOException {
    connections.add(connection);
    boolean full = connections.size() > maxConnections;
    if (full) {
      listener.onTrouble(
          node,
          maxConnections
              + " subscribers and callers are connected; any other is turned away until one of them"
              + " leaves");
    }
    if (full || socket.isClosed()) {
      connections.remove(connection);
      connection.close();
      return;
    }
    NodeThreads.start(
        node + " serves " + connection.getRemoteSocketAddress(), () -> serve(connection));
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      TcpKeepAlive.on(connection);
      connection.setSoTimeout(HEADER_TIMEOUT_MILLIS);
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(connection.getInputStream()));
      ConnectionHeader header = ConnectionHeader.read(in);
      connection.setSoTimeout(0);
      serve(connection, in, header);
    } catch (IOException e) {
      // The other side is gone, which is how a connection ends.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connections.remove(connection);
    }
  }

  private void serve(Socket connection, DataInputStream in, ConnectionHeader header)
      throws IOException, InterruptedException {
    Publication<?> topic = topics.get(header.get("topic"));
    ServiceEndpoint<?, ?> service = services.get(header.get("service"));
    if (topic != null) {
      String mismatch = topic.mismatch(header);
      if (mismatch == null) {
        topic.serve(connection, in);
      } else {
        listener.onTrouble(
            header.get("topic") + " for " + header.get("callerid"), "it is refused: " + mismatch);
        refuse(connection, mismatch);
      }
    } else if (service != null) {
      String mismatch = service.mismatch(header);
      if (mismatch == null) {
        service.serve(connection, in, header);
      } else {
        refuse(connection, mismatch);
      }
    } else {
      refuse(connection, node + " has no " + header.get("topic") + header.get("service"));
    }
  }

  private static void refuse(Socket connection, String why) throws IOException {
    connection.getOutputStream().write(ConnectionHeader.of("error", why).bytes());
  }

  @Override
  public void close() {
    NodeThreads.close(socket);
    connections.forEach(NodeThreads::close);
  }
}
