package org.cartostream.collectives.transport.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.cartostream.collectives.membership.MemberDirectory;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.FrameCodec;

/**
 * The connection to one other member, opened for the first frame to send. Frames wait until the
 * connection is open. If the member cannot be reached, they are reported as undeliverable.
 *
 * <p>Owns the connection and the frames that wait for it, guarded by its own lock.
 */
final class TcpPeer {

  private static final long RETRY_MILLIS = 20;

  /**
   * Time between checks whether the member's address has changed, milliseconds; the connection to
   * the old address may still look sound.
   */
  private static final long LOOK_MILLIS = 1000;

  private final int rank;
  private final MemberDirectory memberDirectory;
  private final Bootstrap bootstrap;
  private final Handshake handshake;
  private final CollectiveSettings settings;
  private final org.cartostream.collectives.transport.GroupChannel.Receiver receiver;
  private final Queue<QueuedFrame> waiting = new ArrayDeque<>();
  private long queuedBytes;
  private Channel connection;
  private boolean connecting;
  private boolean closed;

  /**
   * True once the member was reached: if it cannot be reached after that, it is gone and not just
   * late.
   */
  private boolean reached;

  private record QueuedFrame(Frame head, ByteBuf bytes, int size) {}

  TcpPeer(
      int rank,
      MemberDirectory memberDirectory,
      Bootstrap bootstrap,
      Handshake handshake,
      CollectiveSettings settings,
      org.cartostream.collectives.transport.GroupChannel.Receiver receiver) {
    this.rank = rank;
    this.memberDirectory = memberDirectory;
    this.bootstrap = bootstrap;
    this.handshake = handshake;
    this.settings = settings;
    this.receiver = receiver;
  }

  /**
   * Sends a frame, lets it wait for the connection, or reports it as undeliverable. Releases {@code
   * bytes} in the end.
   */
  void send(Frame head, ByteBuf bytes) {
    QueuedFrame queuedFrame =
        new QueuedFrame(head, bytes, head.kind().waitingBytes(bytes.readableBytes()));
    Channel open = null;
    boolean dial = false;
    String refusal = null;
    synchronized (this) {
      if (closed) {
        refusal = "this member has left the group";
      } else if (queuedBytes + queuedFrame.size > settings.maxWaitingBytes()) {
        refusal = queuedBytes + " bytes are on the way to it already";
      } else {
        queuedBytes += queuedFrame.size;
        open = connection;
        if (open == null) {
          waiting.add(queuedFrame);
          dial = !connecting;
          connecting = true;
        }
      }
    }
    if (refusal != null) {
      bytes.release();
      receiver.undeliverable(head, rank, refusal);
    } else if (open != null) {
      write(open, queuedFrame);
      open.flush();
    } else if (dial) {
      // All attempts run in Netty's thread: the sender's thread looks up no addresses.
      long nanoTime = System.nanoTime();
      bootstrap.config().group().execute(() -> connect(nanoTime));
    }
  }

  private void write(Channel open, QueuedFrame queuedFrame) {
    open.write(queuedFrame.bytes).addListener(done -> written(queuedFrame, done.cause()));
  }

  private void written(QueuedFrame queuedFrame, Throwable failure) {
    synchronized (this) {
      queuedBytes -= queuedFrame.size;
    }
    if (failure != null) {
      receiver.undeliverable(
          queuedFrame.head, rank, "the connection broke: " + failure.getMessage());
    }
  }

  private void connect(long sinceNanos) {
    Optional<InetSocketAddress> address = memberDirectory.addressOf(rank);
    if (address.isEmpty()) {
      retry(sinceNanos, "its address is not known");
      return;
    }
    ChannelFuture attempt = bootstrap.connect(address.get());
    attempt.addListener(
        done -> {
          if (done.isSuccess()) {
            sendHandshake(attempt.channel(), address.get());
          } else {
            retry(sinceNanos, done.cause().getMessage());
          }
        });
  }

  private void retry(long sinceNanos, String why) {
    long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
    boolean again;
    synchronized (this) {
      again = !closed && !reached && elapsed < settings.connectTimeoutMillis();
    }
    if (again) {
      bootstrap
          .config()
          .group()
          .schedule(() -> connect(sinceNanos), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      returnUndelivered("it cannot be reached: " + why);
    }
  }

  private void sendHandshake(Channel open, InetSocketAddress address) {
    ScheduledFuture<?> looks =
        open.eventLoop()
            .scheduleWithFixedDelay(
                () -> closeIfMoved(open, address), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    open.closeFuture()
        .addListener(
            done -> {
              looks.cancel(false);
              broken(open);
            });
    open.write(FrameCodec.encode(handshake.frame(), open.alloc()::directBuffer));
    synchronized (this) {
      connecting = false;
      reached = true;
      if (closed) {
        open.close();
        return;
      }
      connection = open;
      for (QueuedFrame queuedFrame; (queuedFrame = waiting.poll()) != null; ) {
        write(open, queuedFrame);
      }
    }
    open.flush();
  }

  /**
   * Closes a connection to an address that the member no longer has: a host without power or
   * network never closes its connections. The member at the new address does not count as lost.
   */
  private void closeIfMoved(Channel old, InetSocketAddress address) {
    if (memberDirectory.addressOf(rank).filter(now -> !now.equals(address)).isPresent()) {
      synchronized (this) {
        connection = connection == old ? null : connection;
      }
      old.close();
    }
  }

  private void broken(Channel old) {
    synchronized (this) {
      if (closed || connection != old) {
        return;
      }
      connection = null;
    }
    receiver.lost(List.of(rank), "the connection to it broke");
  }

  private void returnUndelivered(String why) {
    Queue<QueuedFrame> queuedFrames;
    synchronized (this) {
      connecting = false;
      queuedFrames = new ArrayDeque<>(waiting);
      waiting.clear();
      queuedFrames.forEach(queuedFrame -> queuedBytes -= queuedFrame.size);
    }
    queuedFrames.forEach(queuedFrame -> queuedFrame.bytes.release());
    queuedFrames.forEach(queuedFrame -> receiver.undeliverable(queuedFrame.head, rank, why));
  }

  /**
   * Refuses further frames, and closes the connection after the frames that were already written to
   * it.
   */
  void leave() {
    Channel open;
    synchronized (this) {
      closed = true;
      open = connection;
    }
    if (open != null) {
      open.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /**
   * Closes the connection, after waiting at most {@code maxMillis} for frames that are being sent;
   * reports frames that still wait for a connection as undeliverable.
   */
  void close(long maxMillis) {
    Channel open;
    synchronized (this) {
      open = connection;
    }
    if (open != null && !open.closeFuture().awaitUninterruptibly(maxMillis)) {
      open.close();
    }
    returnUndelivered("this member has left the group");
  }
}
