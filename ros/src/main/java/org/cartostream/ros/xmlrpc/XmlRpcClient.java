package org.cartostream.ros.xmlrpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.ros.HostAndPort;
import org.cartostream.ros.RosException;

/**
 * Client of the master's and other nodes' XML-RPC interfaces, in one node's name
 * (wiki.ros.org/ROS/Master_API and Slave_API). Every call is bounded in time.
 */
public final class XmlRpcClient {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int SUCCESS = 1;

  private final String node;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  public XmlRpcClient(String node) {
    this.node = node;
  }

  /** An answer of the other side that declines the call. */
  public static final class DeclinedException extends IOException {
    private static final long serialVersionUID = 1L;

    private DeclinedException(String sentence) {
      super(sentence);
    }
  }

  /**
   * Calls a method with this node's name and further arguments.
   *
   * @return value in the answer
   * @throws DeclinedException if the status is not success
   * @throws IOException if there is no answer, or an invalid one
   */
  public Object call(URI where, String method, Object... more)
      throws IOException, InterruptedException {
    List<Object> parameters = new ArrayList<>(List.of(node));
    parameters.addAll(List.of(more));
    HttpRequest request =
        HttpRequest.newBuilder(withHost(where))
            .timeout(PATIENCE)
            .header("Content-Type", "text/xml")
            .POST(HttpRequest.BodyPublishers.ofByteArray(XmlRpc.call(method, parameters)))
            .build();
    HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) {
      throw new IOException(where + " answers with HTTP status " + response.statusCode());
    }
    return checked(where, method, response.body());
  }

  /** Replaces a host with an underscore, which the JDK's HTTP client refuses, by its IP address. */
  private static URI withHost(URI where) throws IOException {
    if (where.getHost() != null) {
      return where;
    }
    HostAndPort way =
        HostAndPort.of(where)
            .orElseThrow(() -> new IOException("the address '" + where + "' names no host"));
    String number = InetAddress.getByName(way.host()).getHostAddress();
    try {
      return new URI(where.getScheme(), null, number, way.port(), where.getPath(), null, null);
    } catch (URISyntaxException e) {
      throw new IOException("'" + where + "' is no address: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the value in an answer, which is [status, sentence, value]; throws if the status is not
   * success.
   */
  private static Object checked(URI where, String method, byte[] body) throws IOException {
    Object answer;
    try {
      answer = XmlRpc.readResponse(body);
    } catch (RosException e) {
      throw new IOException(where + ", " + method + ": " + e.getMessage(), e);
    }
    if (!(answer instanceof List<?> triple) || triple.size() != 3) {
      throw new IOException(where + " answers " + method + " with " + answer);
    }
    if (!Integer.valueOf(SUCCESS).equals(triple.get(0))) {
      throw new DeclinedException(where + " declines " + method + ": " + triple.get(1));
    }
    return triple.get(2);
  }
}
