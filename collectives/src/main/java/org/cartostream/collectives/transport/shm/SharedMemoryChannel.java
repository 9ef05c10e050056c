package org.cartostream.collectives.transport.shm;

import io.netty.buffer.ByteBuf;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.FrameDecoder;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.Seat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel by shared memory to the members on this host, and by another channel to all others. A
 * member is on this host if it has a socket in the group's {@link SharedFolder}. The sender's
 * thread writes a frame into the ring to its receiver; the receiver's thread reads the payload into
 * the arrays of the call's result. A thread that has nothing to read waits for its sockets, by
 * which it is woken.
 *
 * <p>Owns the other channel, its socket, the ways to and from other members, and the thread. Where
 * there is no shared memory it says so, and all goes by the other channel.
 */
final class SharedMemoryChannel implements GroupChannel {

  private static final Logger LOG = LoggerFactory.getLogger(SharedMemoryChannel.class);

  private final Seat me;
  private final GroupChannel far;
  private final SharedMemoryPeer[] peers;
  private final List<Incoming> incoming = new ArrayList<>();

  /** The ring that came last from each rank: the end of an earlier one is not the member's. */
  private final Map<Integer, Incoming> latest = new HashMap<>();

  private SharedFolder folder;
  private Selector selector;
  private ServerSocketChannel listening;
  private Thread reader;
  private Receiver receiver;
  private volatile boolean closed;

  /** Listens at once. */
  SharedMemoryChannel(Seat me, GroupChannel far) {
    this.me = me;
    this.far = far;
    this.peers = new SharedMemoryPeer[me.size()];
    try {
      folder = SharedFolder.of(me.group() + " of " + me.size());
      selector = Selector.open();
      listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      Path draft = folder.draft();
      listening.bind(UnixDomainSocketAddress.of(draft), me.size() + 16);
      listening.configureBlocking(false);
      listening.register(selector, SelectionKey.OP_ACCEPT);
      // So that it takes the place of one that a killed member has left.
      Files.move(draft, folder.socketOf(me.rank()), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.warn("rank {} of {} has no shared memory: {}", me.rank(), me.group(), e.toString());
      close(listening);
      folder = null;
    }
  }

  static void close(Closeable channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      LOG.debug("a socket does not close: {}", e.getMessage());
    }
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
    return far.partBytes();
  }

  @Override
  public int maxFrameBytes() {
    return far.maxFrameBytes();
  }

  @Override
  public int port() {
    return far.port();
  }

  @Override
  public void open(Receiver itsReceiver) {
    receiver = itsReceiver;
    far.open(receiver);
    if (folder != null) {
      Arrays.setAll(peers, rank -> new SharedMemoryPeer(me, rank, folder, selector, receiver));
      reader = new Thread(this::read, "collectives-shared-memory-" + rank());
      reader.setDaemon(true);
      reader.start();
    }
  }

  @Override
  public void send(Frame frame, int... to) {
    int[] elsewhere =
        folder == null ? to : Arrays.stream(to).filter(rank -> !peers[rank].send(frame)).toArray();
    if (elsewhere.length > 0) {
      far.send(frame, elsewhere);
    }
  }

  private void read() {
    try {
      while (!closed) {
        boolean waits = true;
        for (Incoming each : List.copyOf(incoming)) {
          waits &= !each.read();
        }
        for (Incoming each : incoming) {
          waits = waits && each.waits();
        }
        if (waits) {
          selector.select(this::ready);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.error("rank {} of {} reads no more shared memory", rank(), me.group(), e);
      close(listening);
      folder.leave(rank());
      List.copyOf(incoming).forEach(each -> each.end("its receiver reads no more"));
      Arrays.stream(peers).forEach(peer -> peer.broken("this member reads no more"));
    }
  }

  private void ready(SelectionKey key) {
    if (key.attachment() instanceof Incoming each) {
      each.woken();
    } else if (key.attachment() instanceof SharedMemoryPeer peer) {
      try {
        if (((SocketChannel) key.channel()).read(ByteBuffer.allocate(Long.BYTES)) < 0) {
          peer.broken("it closed the connection");
        } else {
          peer.writeQueued();
        }
      } catch (IOException | IllegalStateException e) {
        peer.broken("the way to it broke: " + e.getMessage());
      }
    } else {
      accept();
    }
  }

  private void accept() {
    try {
      SocketChannel socket = listening.accept();
      socket.configureBlocking(false);
      Incoming each = new Incoming(socket);
      socket.register(selector, SelectionKey.OP_READ, each);
      incoming.add(each);
    } catch (IOException e) {
      LOG.warn("rank {} of {} lets nobody in: {}", rank(), me.group(), e.getMessage());
    }
  }

  /** The ring from one other member, of which the first message on its socket tells. */
  private final class Incoming {

    private final SocketChannel socket;
    private final ByteBuffer greeting = ByteBuffer.allocate(SharedMemoryPeer.GREETING_BYTES);
    private final FrameDecoder decoder =
        new FrameDecoder(size(), me.settings().frameLimitBytes(), this::room);
    private ByteRing ring;
    private int from = -1;
    private int left;

    Incoming(SocketChannel socket) {
      this.socket = socket;
    }

    private byte[] room(int length) {
      byte[] spare = receiver.spare(length);
      return spare == null ? new byte[length] : spare;
    }

    /** Takes what has come on the socket. */
    void woken() {
      try {
        ByteBuffer in = ring == null ? greeting : ByteBuffer.allocate(Long.BYTES);
        if (socket.read(in) < 0) {
          while (read()) {
            // What came before the end counts.
          }
          end("it closed the connection");
        } else if (ring == null && !greeting.hasRemaining()) {
          openRing();
        }
      } catch (IOException e) {
        end(e.getMessage());
      }
    }

    private void openRing() throws IOException {
      int rank = greeting.flip().getInt();
      if (rank < 0 || rank >= size()) {
        throw new IOException("rank %d calls a group of %d".formatted(rank, size()));
      }
      Path file = folder.ring(rank, greeting.getLong());
      ring = ByteRing.open(file, size());
      Files.delete(file); // Both have it open: nothing is left when they are gone.
      from = rank;
      latest.put(from, this);
    }

    /** Reads frames; returns false if there was nothing to read. */
    boolean read() {
      if (ring == null) {
        return false;
      }
      try {
        ByteBuf in = ring.readable();
        int before = in.readableBytes();
        for (Frame frame; (frame = decoder.next(in)) != null; ) {
          if (frame.source() != from) {
            throw new IllegalArgumentException(
                "rank " + from + " sent a frame in the name of rank " + frame.source());
          }
          receiver.receive(frame);
        }
        left = in.readableBytes();
        ring.consume(before - left);
        if (before > left && ring.mustWakeWriter()) {
          SharedMemoryPeer.wake(socket);
        }
        return before > left;
      } catch (IOException | RuntimeException | Error e) {
        LOG.warn("rank {} of {} ends the way from {}: {}", rank(), me.group(), from, e.toString());
        end(e.getMessage());
        return false;
      }
    }

    /** Says that this thread is about to wait; returns false if there is something to read. */
    boolean waits() {
      try {
        return ring == null || ring.readerWaits(left);
      } catch (IllegalStateException e) {
        return false; // The next read fails likewise, and ends this way alone.
      }
    }

    private void end(String why) {
      SharedMemoryChannel.close(socket);
      incoming.remove(this);
      ring = null;
      if (latest.remove(from, this) && !closed) {
        receiver.lost(List.of(from), why);
      }
    }
  }

  /**
   * Leaves the group. Waits until frames on their way to other members are sent, for {@code
   * connectTimeoutMillis} at most for each channel.
   */
  @Override
  public void close() {
    if (reader != null) {
      long end =
          System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(me.settings().connectTimeoutMillis());
      Arrays.stream(peers).forEach(peer -> peer.leave(end));
      closed = true;
      selector.wakeup();
      try {
        reader.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      Arrays.stream(peers).forEach(SharedMemoryPeer::close);
      incoming.forEach(each -> close(each.socket));
    }
    if (folder != null) {
      close(listening);
      close(selector);
      folder.leave(me.rank());
    }
    far.close();
  }
}
