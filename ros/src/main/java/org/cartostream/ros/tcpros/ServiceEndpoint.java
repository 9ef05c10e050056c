package org.cartostream.ros.tcpros;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.cartostream.ros.RosException;
import org.cartostream.ros.serialization.ServiceType;

/** A service of a node. Each caller is answered in the thread of its connection. */
final class ServiceEndpoint<Q extends Record, A extends Record> {

  private static final int WORKED = 1;
  private static final int FAILED = 0;
  private static final int MAX_REQUEST_BYTES = 1 << 20;

  private final String node;
  private final String name;
  private final ServiceType<Q, A> type;
  private final Function<Q, A> answer;

  ServiceEndpoint(String node, String name, ServiceType<Q, A> type, Function<Q, A> answer) {
    this.node = node;
    this.name = name;
    this.type = type;
    this.answer = answer;
  }

  /** Returns why a caller is refused; null if it is accepted. */
  String mismatch(ConnectionHeader theirs) {
    if (theirs.accepts("md5sum", type.md5())) {
      return null;
    }
    return "the service %s is %s %s, not %s"
        .formatted(name, type.name(), type.md5(), theirs.get("md5sum"));
  }

  /** Answers one call, or all calls of a persistent connection until it ends. */
  void serve(Socket socket, DataInputStream in, ConnectionHeader theirs) throws IOException {
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.write(
        ConnectionHeader.of(
                "callerid", node,
                "md5sum", type.md5(),
                "type", type.name(),
                "request_type", type.request().name(),
                "response_type", type.response().name())
            .bytes());
    boolean more = !theirs.get("probe").equals("1");
    while (more) {
      answer(in, out);
      more = theirs.get("persistent").equals("1");
    }
  }

  private void answer(DataInputStream in, DataOutputStream out) throws IOException {
    byte[] request;
    try {
      request = TcprosFraming.read(in, MAX_REQUEST_BYTES);
    } catch (EOFException e) {
      throw new EOFException("the caller of " + name + " is gone");
    }
    try {
      byte[] response = type.response().encode(answer.apply(type.request().decode(request)));
      out.write(WORKED);
      out.write(TcprosFraming.of(response));
    } catch (RosException e) {
      out.write(FAILED);
      out.write(TcprosFraming.of(e.getMessage().getBytes(StandardCharsets.UTF_8)));
    }
    out.flush();
  }
}
