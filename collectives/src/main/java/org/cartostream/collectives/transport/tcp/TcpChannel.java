package org.cartostream.collectives.transport.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.collectives.membership.MemberDirectory;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.FrameCodec;
import org.cartostream.collectives.transport.FrameDecoder;
import org.cartostream.collectives.transport.GroupChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel by TCP. Each member opens a connection to every member that it sends to, and sends a
 * {@link Handshake} first. A connection carries frames in one direction, from the member that
 * opened it.
 *
 * <p>The sender's thread copies a frame out of the heap once, whatever the number of its receivers;
 * frames that wait for the socket leave together. The receiver's thread reads the payload into the
 * arrays of the call's result.
 *
 * <p>Owns the port on which it listens and the connections.
 */
public final class TcpChannel implements GroupChannel {

  private static final Logger LOG = LoggerFactory.getLogger(TcpChannel.class);

  /** Number of bytes read from a socket at a time, at most. */
  private static final int RECEIVE_BYTES = 256 << 10;

  /**
   * Requested size of sockets' buffers, bytes: a large payload is to leave the sender in one go.
   */
  private static final int SOCKET_BYTES = 512 << 10;

  private final TcpTransport transport;
  private final Handshake me;
  private final CollectiveSettings settings;
  private final ChannelGroup incoming = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Map<Integer, io.netty.channel.Channel> latest = new ConcurrentHashMap<>();
  private final TcpPeer[] peers;
  private final InetSocketAddress bind;
  private final MemberDirectory memberDirectory;
  private io.netty.channel.Channel listening;
  private volatile Receiver receiver;
  private volatile boolean closed;

  /**
   * Listens at once, so that the address can be made known; bytes that come before {@link #open}
   * wait in the sockets.
   *
   * @param group the group's name; members of other groups are refused
   * @param bind address to listen at; port 0 for any free port
   * @param memberDirectory addresses of the other members
   * @throws IOException if the address cannot be bound
   */
  public TcpChannel(
      TcpTransport transport,
      String group,
      int rank,
      int size,
      InetSocketAddress bind,
      MemberDirectory memberDirectory,
      CollectiveSettings settings)
      throws IOException {
    this.transport = transport;
    this.me = new Handshake(group, size, rank);
    this.settings = settings;
    this.peers = new TcpPeer[size];
    this.bind = bind;
    this.memberDirectory = memberDirectory;
    this.listening = listen();
  }

  private io.netty.channel.Channel listen() throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(transport.loops())
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, 1024)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_RCVBUF, SOCKET_BYTES)
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_BYTES))
            .childHandler(initializer(this::accept))
            .bind(bind)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException("cannot listen at " + bind + ": " + bound.cause().getMessage());
    }
    return bound.channel();
  }

  private interface Setup {
    void of(SocketChannel socket);
  }

  private static ChannelInitializer<SocketChannel> initializer(Setup setup) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel socket) {
        setup.of(socket);
      }
    };
  }

  /** Accepts a connection. Nothing is read from it until this member is {@linkplain #open open}. */
  void accept(io.netty.channel.Channel socket) {
    if (transport.server() != null) {
      socket.pipeline().addLast(transport.server().newHandler(socket.alloc()));
    }
    socket
        .pipeline()
        .addLast(new FrameDecoder(size(), settings.frameLimitBytes(), this::room), new Incoming());
    incoming.add(socket);
    if (receiver != null) {
      // Never set to false: open() may have set it to true just now.
      socket.config().setAutoRead(true);
    }
  }

  private byte[] room(int length) {
    byte[] spare = receiver.spare(length);
    return spare == null ? new byte[length] : spare;
  }

  @Override
  public int port() {
    return address().getPort();
  }

  /** Returns the address at which this member listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  @Override
  public int rank() {
    return me.rank();
  }

  @Override
  public int size() {
    return me.size();
  }

  @Override
  public int partBytes() {
    return settings.partBytes();
  }

  @Override
  public int maxFrameBytes() {
    return settings.maxFrameBytes();
  }

  @Override
  public void open(Receiver itsReceiver) {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(transport.loops())
            .channel(NioSocketChannel.class)
            .resolver(transport.names())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_SNDBUF, SOCKET_BYTES)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, settings.connectTimeoutMillis())
            .handler(initializer(this::outgoing));
    for (int rank = 0; rank < size(); rank++) {
      peers[rank] = new TcpPeer(rank, memberDirectory, bootstrap, me, settings, itsReceiver);
    }
    receiver = itsReceiver;
    incoming.forEach(socket -> socket.config().setAutoRead(true));
  }

  private void outgoing(SocketChannel socket) {
    if (transport.client() != null) {
      socket.pipeline().addLast(transport.client().newHandler(socket.alloc()));
    }
  }

  @Override
  public void send(Frame frame, int... to) {
    ByteBuf bytes = FrameCodec.encode(frame, PooledByteBufAllocator.DEFAULT::directBuffer);
    Frame head = frame.head();
    for (int rank : to) {
      peers[rank].send(head, bytes.retainedDuplicate());
    }
    bytes.release();
  }

  /**
   * Leaves the group. Waits until frames on their way to other members are sent, for {@code
   * connectTimeoutMillis} at most.
   */
  @Override
  public void close() {
    closed = true;
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.connectTimeoutMillis());
    ChannelFuture deaf = listening.close();
    List<TcpPeer> known = Stream.of(peers).filter(Objects::nonNull).toList();
    known.forEach(TcpPeer::leave);
    deaf.awaitUninterruptibly(millisUntil(end));
    known.forEach(peer -> peer.close(millisUntil(end)));
    incoming.close().awaitUninterruptibly(millisUntil(end));
  }

  private static long millisUntil(long nanoTime) {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nanoTime - System.nanoTime()));
  }

  /**
   * Handler of the frames that come on one connection. Owns the rank of the member at the other
   * end.
   */
  private final class Incoming extends SimpleChannelInboundHandler<Frame> {

    private int from = -1;

    @Override
    protected void channelRead0(ChannelHandlerContext context, Frame frame) {
      if (from < 0) {
        from = Handshake.of(frame, me.group(), size()).rank();
        latest.put(from, context.channel());
      } else if (frame.source() != from) {
        throw new IllegalArgumentException(
            "rank " + from + " sent a frame in the name of rank " + frame.source());
      } else {
        receiver.receive(frame);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      if (from >= 0 && latest.remove(from, context.channel()) && !closed) {
        receiver.lost(List.of(from), "it closed the connection");
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      LOG.warn(
          "rank {} of group {} closes the connection of {}: {}",
          rank(),
          me.group(),
          context.channel().remoteAddress(),
          cause.getMessage());
      context.close();
    }
  }
}
