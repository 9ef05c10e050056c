package org.cartostream.bench.collectives;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rendezvous at which processes of MPJ Express exchange their addresses, as in MPJ Express' own
 * launcher (its class {@code runtime.starter.MPJRun}, version 0.44): each process connects, sends a
 * greeting, its port for writing, its port for reading and its rank; when all have done so, each
 * receives the addresses of all.
 *
 * <p>Owns its port and a thread that ends when all have received the addresses, or on close.
 */
final class MpjRendezvous implements AutoCloseable {

  /** Default size from which MPJ Express asks the receiver before it sends a message, bytes. */
  private static final int PROTOCOL_LIMIT_BYTES = 131072;

  private static final int NO_DEBUG_PORT = 0;

  private final int members;
  private final ServerSocket server;

  MpjRendezvous(int members) throws IOException {
    this.members = members;
    this.server = new ServerSocket(0, members, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "mpj-desk");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns the configuration by which a process finds this rendezvous. */
  String configuration() {
    return "#Number of Processes;%d;#Protocol Switch Limit;%d;#Server Name;127.0.0.1;#Server Port;%d"
        .formatted(members, PROTOCOL_LIMIT_BYTES, server.getLocalPort());
  }

  private void serve() {
    List<Socket> callers = new ArrayList<>();
    String[] entries = new String[members];
    try {
      while (callers.size() < members) {
        Socket caller = server.accept();
        callers.add(caller);
        DataInputStream in = new DataInputStream(caller.getInputStream());
        in.readUTF();
        int writePort = in.readInt();
        int readPort = in.readInt();
        int rank = in.readInt();
        entries[rank] = "127.0.0.1@%d@%d@%d@%d".formatted(readPort, writePort, rank, NO_DEBUG_PORT);
      }
      for (Socket caller : callers) {
        new DataOutputStream(caller.getOutputStream())
            .writeUTF("#Peer Information;" + String.join(";", entries));
        caller.close();
      }
    } catch (SocketException e) {
      return; // Closed: the processes have ended before all had connected.
    } catch (IOException e) {
      throw new IllegalStateException("MPJ Express' processes cannot exchange their addresses", e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
