package org.cartostream.ros.rtps.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.cartostream.ros.serialization.WireWriter;

/** Addresses that a participant can be reached at (9.3.2.3). Only UDP over IPv4 is used. */
public final class Locators {

  private static final int UDP_V4 = 1;
  private static final int GREATEST_PORT = 65535;
  private static final int ADDRESS_BYTES = 16;
  private static final int IPV4_BYTES = 4;

  /** Maximum number of locators in a list; a computer has few interfaces. */
  private static final int MAX = 16;

  private Locators() {}

  /** Returns the UDP/IPv4 addresses in a parameter of a list. */
  public static List<InetSocketAddress> all(ParameterList parameters, int id) {
    return parameters.all(id).stream()
        .map(value -> PacketReader.bounded(() -> read(value)))
        .flatMap(Optional::stream)
        .limit(MAX)
        .toList();
  }

  private static Optional<InetSocketAddress> read(ByteBuffer in) {
    int kind = in.getInt();
    int port = in.getInt();
    byte[] address = new byte[IPV4_BYTES];
    in.position(in.position() + ADDRESS_BYTES - IPV4_BYTES).get(address);
    if (kind != UDP_V4 || port < 1 || port > GREATEST_PORT) {
      return Optional.empty();
    }
    try {
      return Optional.of(new InetSocketAddress(InetAddress.getByAddress(address), port));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  /** Returns an address as it crosses the wire. */
  public static byte[] bytes(InetSocketAddress address) {
    WireWriter out = new WireWriter();
    out.room(2 * Integer.BYTES + ADDRESS_BYTES)
        .putInt(UDP_V4)
        .putInt(address.getPort())
        .put(new byte[ADDRESS_BYTES - IPV4_BYTES])
        .put(address.getAddress().getAddress());
    return out.bytes();
  }
}
