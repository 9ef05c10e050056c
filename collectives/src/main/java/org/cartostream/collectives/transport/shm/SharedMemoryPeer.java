package org.cartostream.collectives.transport.shm;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.FrameCodec;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.Seat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one other member on this host: a ring, and a socket by which both wake each other.
 * Opened for the first frame; the sender's thread writes into the ring. What finds no room there
 * waits in a queue.
 *
 * <p>Owns the ring, the socket and the queue, guarded by its own lock.
 */
final class SharedMemoryPeer {

  /** Length of what is written to the socket first: the writer's rank, and its ring's number. */
  static final int GREETING_BYTES = Integer.BYTES + Long.BYTES;

  private static final Logger LOG = LoggerFactory.getLogger(SharedMemoryPeer.class);

  private final Seat me;
  private final int rank;
  private final SharedFolder folder;
  private final Selector selector;
  private final GroupChannel.Receiver receiver;
  private final Queue<QueuedFrame> queue = new ArrayDeque<>();
  private long queuedBytes;
  private ByteRing ring;
  private SocketChannel socket;
  private boolean closed;

  private record QueuedFrame(Frame head, ByteBuf bytes, int size) {}

  /**
   * @param rank rank of the other member
   * @param selector waits for what the other member writes to the socket
   */
  SharedMemoryPeer(
      Seat me, int rank, SharedFolder folder, Selector selector, GroupChannel.Receiver receiver) {
    this.me = me;
    this.rank = rank;
    this.folder = folder;
    this.selector = selector;
    this.receiver = receiver;
  }

  /** Wakes the other side; if the socket is full, it has not read what woke it before. */
  static void wake(SocketChannel socket) throws IOException {
    socket.write(ByteBuffer.wrap(new byte[1]));
  }

  /** Sends a frame; returns false if the member is not on this host, or cannot be reached here. */
  boolean send(Frame frame) {
    String refusal;
    synchronized (this) {
      if (closed || (ring == null && !connect())) {
        return false;
      }
      try {
        refusal = write(frame);
      } catch (IOException | IllegalStateException e) {
        refusal = "the way to it broke: " + e.getMessage();
      }
    }
    if (refusal != null) {
      receiver.undeliverable(frame.head(), rank, refusal);
    }
    return true;
  }

  private boolean connect() {
    Path address = folder.socketOf(rank);
    if (!Files.exists(address)) {
      return false;
    }
    long number = ThreadLocalRandom.current().nextLong();
    Path file = folder.ring(me.rank(), number);
    try {
      socket = SocketChannel.open(UnixDomainSocketAddress.of(address));
      ring = ByteRing.create(file, me.size());
      socket.write(ByteBuffer.allocate(GREETING_BYTES).putInt(me.rank()).putLong(number).flip());
      socket.configureBlocking(false);
      socket.register(selector, SelectionKey.OP_READ, this);
      selector.wakeup();
      return true;
    } catch (ConnectException e) {
      LOG.debug("{} was left by a member that is gone", address);
      return false;
    } catch (IOException e) {
      LOG.warn("rank {} sends to rank {} by TCP: {}", me.rank(), rank, e.getMessage());
      closed = true;
      disconnect();
      delete(file);
      return false;
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.debug("{} stays: {}", file, e.getMessage());
    }
  }

  /** Writes a frame, or queues it; returns null, or why it can do neither. */
  private String write(Frame frame) throws IOException {
    boolean[] direct = new boolean[1];
    ByteBuf bytes =
        FrameCodec.encode(
            frame,
            length -> {
              ByteBuf room = queue.isEmpty() ? ring.room(length) : null;
              direct[0] = room != null;
              return direct[0] ? room : PooledByteBufAllocator.DEFAULT.directBuffer(length);
            });
    int size = frame.kind().waitingBytes(bytes.readableBytes());
    if (direct[0]) {
      ring.commit(bytes.readableBytes());
      wakeReader();
    } else if (queuedBytes + size > me.settings().maxWaitingBytes()) {
      bytes.release();
      return queuedBytes + " bytes are on the way to it already";
    } else {
      queue.add(new QueuedFrame(frame.head(), bytes, size));
      queuedBytes += size;
      writeQueued();
    }
    return null;
  }

  private void wakeReader() throws IOException {
    if (ring.mustWakeReader()) {
      wake(socket);
    }
  }

  /** Writes as much of the queue as the ring has room for. */
  synchronized void writeQueued() throws IOException {
    while (!queue.isEmpty()) {
      ByteBuf next = queue.peek().bytes;
      ring.write(next);
      wakeReader();
      if (!next.isReadable()) {
        queuedBytes -= queue.poll().size;
        next.release();
      } else if (ring.writerWaits()) {
        return;
      }
    }
    notifyAll();
  }

  /** Ends the way, as the other member has; it may come back, with another socket. */
  void broken(String why) {
    if (disconnect()) {
      receiver.lost(List.of(rank), why);
    }
  }

  private boolean disconnect() {
    List<QueuedFrame> unsent;
    boolean was;
    synchronized (this) {
      was = ring != null;
      unsent = List.copyOf(queue);
      queue.clear();
      queuedBytes = 0;
      ring = null;
      SharedMemoryChannel.close(socket);
      notifyAll();
    }
    for (QueuedFrame each : unsent) {
      each.bytes.release();
      receiver.undeliverable(each.head, rank, "the way to it broke");
    }
    return was;
  }

  /** Sends no more frames, and waits until those that were sent are in the ring. */
  synchronized void leave(long untilNanos) {
    closed = true;
    try {
      for (long left; !queue.isEmpty() && (left = untilNanos - System.nanoTime()) > 0; ) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void close() {
    disconnect();
  }
}
