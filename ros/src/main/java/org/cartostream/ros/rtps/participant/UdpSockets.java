package org.cartostream.ros.rtps.participant;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.ros.RosException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A participant's UDP sockets (9.6.1): one for sending and for unicast, and one for multicast. Owns
 * the sockets.
 */
final class UdpSockets implements AutoCloseable {

  /** Multicast group of all participants (9.6.1.4.1). */
  private static final String GROUP = "239.255.0.1";

  private static final Logger LOG = LoggerFactory.getLogger(UdpSockets.class);

  /**
   * Requested receive buffer, bytes. Linux limits it to net.core.rmem_max; packets lost by a full
   * buffer are sent again.
   */
  private static final int BUFFER_BYTES = 4 << 20;

  private static final int MAX_PARTICIPANTS = 120;

  private final DomainAccess access;
  private final Selector selector;
  private final DatagramChannel unicast;
  private final List<DatagramChannel> channels = new ArrayList<>();
  private final List<NetworkInterface> multicastInterfaces = new ArrayList<>();
  private final ByteBuffer received = ByteBuffer.allocate(1 << 16);
  private String lastFailure = "";

  /**
   * @throws RosException if there is no port left, or no interface with one of the addresses
   */
  UdpSockets(DomainAccess access) {
    this.access = access;
    try {
      selector = Selector.open();
      unicast = channel();
      bindUnicast();
      if (access.multicast()) {
        openMulticast();
      }
    } catch (IOException e) {
      throw new RosException("cannot join domain " + access.domain() + ": " + e.getMessage(), e);
    }
  }

  private DatagramChannel channel() throws IOException {
    DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
    channels.add(channel);
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
    channel.register(selector, SelectionKey.OP_READ);
    return channel;
  }

  /**
   * Binds the first free unicast port of the domain: unicast discovery tries all of these ports.
   */
  private void bindUnicast() throws IOException {
    boolean bindsToOne = access.isAlone() && access.interfaces().size() == 1;
    for (int participant = 0; participant < MAX_PARTICIPANTS; participant++) {
      int port = UdpPorts.unicast(access.domain(), participant);
      try {
        unicast.bind(
            bindsToOne
                ? new InetSocketAddress(access.interfaces().get(0), port)
                : new InetSocketAddress(port));
        return;
      } catch (BindException e) {
        LOG.debug("port {} is taken: {}", port, e.getMessage());
      }
    }
    throw new RosException(
        "domain "
            + access.domain()
            + " has no port left on "
            + access.interfaces()
            + ", or one of these is no address of this computer");
  }

  private void openMulticast() throws IOException {
    DatagramChannel multicast = channel();
    multicast.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    multicast.setOption(StandardSocketOptions.SO_REUSEPORT, true);
    multicast.bind(new InetSocketAddress(UdpPorts.multicast(access.domain())));
    for (InetAddress address : access.interfaces()) {
      NetworkInterface each = NetworkInterface.getByInetAddress(address);
      if (each != null
          && (each.supportsMulticast() || each.isLoopback())
          && !multicastInterfaces.contains(each)) {
        multicast.join(group(), each);
        multicastInterfaces.add(each);
      }
    }
  }

  private static InetAddress group() throws UnknownHostException {
    return InetAddress.getByName(GROUP);
  }

  Selector selector() {
    return selector;
  }

  /** Returns the unicast addresses of this participant. */
  List<InetSocketAddress> addresses() {
    int port = unicast.socket().getLocalPort();
    return access.interfaces().stream().map(each -> new InetSocketAddress(each, port)).toList();
  }

  /** Returns the next packet that has come; null if none has. */
  ByteBuffer receive() {
    for (DatagramChannel channel : channels) {
      try {
        received.clear();
        if (channel.receive(received) != null) {
          return received.flip();
        }
      } catch (IOException e) {
        onFailure(e);
      }
    }
    return null;
  }

  /** Sends a packet; false if the send buffer is full. */
  boolean send(byte[] packet, InetSocketAddress to) {
    try {
      return unicast.send(ByteBuffer.wrap(packet), to) > 0;
    } catch (IOException e) {
      onFailure(e); // As if it were lost on the way: an interface may come back.
      return true;
    }
  }

  /** Sends a packet to the multicast group, on each interface. */
  void sendToAll(byte[] packet) {
    for (NetworkInterface each : multicastInterfaces) {
      try {
        unicast.setOption(StandardSocketOptions.IP_MULTICAST_IF, each);
        unicast.send(
            ByteBuffer.wrap(packet),
            new InetSocketAddress(group(), UdpPorts.multicast(access.domain())));
      } catch (IOException e) {
        onFailure(e);
      }
    }
  }

  private void onFailure(IOException e) {
    String failure = String.valueOf(e.getMessage());
    if (!failure.equals(lastFailure)) {
      lastFailure = failure;
      LOG.warn("a packet of domain {} cannot be sent: {}", access.domain(), failure);
    }
  }

  @Override
  public void close() {
    try {
      for (DatagramChannel channel : channels) {
        channel.close();
      }
      selector.close();
    } catch (IOException e) {
      LOG.debug("a socket could not be closed", e);
    }
  }
}
