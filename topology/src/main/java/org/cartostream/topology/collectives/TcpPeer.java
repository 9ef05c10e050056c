package org.cartostream.topology.collectives;

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

/**
 * The way to one other member: a connection that is opened when something is to be sent. What is
 * sent before it is open waits; while it is broken, it goes back.
 *
 * <p>Owns the connection and what waits for it; guarded by itself.
 */
final class TcpPeer {

  private static final long RETRY_MILLIS = 20;

  /** So soon it is noticed that the member is elsewhere, though its old connection looks sound. */
  private static final long LOOK_MILLIS = 1000;

  private final int rank;
  private final Directory directory;
  private final Bootstrap bootstrap;
  private final Greeting greeting;
  private final CollectiveSettings settings;
  private final org.cartostream.topology.collectives.Channel.Receiver receiver;
  private final Queue<Letter> waiting = new ArrayDeque<>();
  private long queuedBytes;
  private Channel connection;
  private boolean dialling;
  private boolean closed;

  /** Once a member has been reached, one that cannot be is gone, and not just late. */
  private boolean reached;

  private record Letter(Frame head, ByteBuf bytes, int size) {}

  TcpPeer(
      int rank,
      Directory directory,
      Bootstrap bootstrap,
      Greeting greeting,
      CollectiveSettings settings,
      org.cartostream.topology.collectives.Channel.Receiver receiver) {
    this.rank = rank;
    this.directory = directory;
    this.bootstrap = bootstrap;
    this.greeting = greeting;
    this.settings = settings;
    this.receiver = receiver;
  }

  /** Sends a frame, or has it wait, or gives it back. Releases {@code bytes} in the end. */
  void send(Frame head, ByteBuf bytes) {
    Letter letter = new Letter(head, bytes, bytes.readableBytes());
    Channel open = null;
    boolean dial = false;
    String refusal = null;
    synchronized (this) {
      if (closed) {
        refusal = "this member has left the group";
      } else if (queuedBytes + letter.size > settings.maxWaitingBytes()) {
        refusal = queuedBytes + " bytes are on the way to it already";
      } else {
        queuedBytes += letter.size;
        open = connection;
        if (open == null) {
          waiting.add(letter);
          dial = !dialling;
          dialling = true;
        }
      }
    }
    if (refusal != null) {
      bytes.release();
      receiver.undeliverable(head, rank, refusal);
    } else if (open != null) {
      write(open, letter);
      open.flush();
    } else if (dial) {
      // In the thread that makes all further attempts: who sends does not look for others.
      long nanoTime = System.nanoTime();
      bootstrap.config().group().execute(() -> dial(nanoTime));
    }
  }

  private void write(Channel open, Letter letter) {
    open.write(letter.bytes).addListener(done -> written(letter, done.cause()));
  }

  private void written(Letter letter, Throwable failure) {
    synchronized (this) {
      queuedBytes -= letter.size;
    }
    if (failure != null) {
      receiver.undeliverable(letter.head, rank, "the connection broke: " + failure.getMessage());
    }
  }

  private void dial(long sinceNanos) {
    Optional<InetSocketAddress> address = directory.addressOf(rank);
    if (address.isEmpty()) {
      retry(sinceNanos, "its address is not known");
      return;
    }
    ChannelFuture attempt = bootstrap.connect(address.get());
    attempt.addListener(
        done -> {
          if (done.isSuccess()) {
            greet(attempt.channel(), address.get());
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
          .schedule(() -> dial(sinceNanos), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      giveBack("it cannot be reached: " + why);
    }
  }

  private void greet(Channel open, InetSocketAddress address) {
    ScheduledFuture<?> looks =
        open.eventLoop()
            .scheduleWithFixedDelay(
                () -> leaveIfElsewhere(open, address),
                LOOK_MILLIS,
                LOOK_MILLIS,
                TimeUnit.MILLISECONDS);
    open.closeFuture()
        .addListener(
            done -> {
              looks.cancel(false);
              broken(open);
            });
    open.write(FrameCodec.encode(greeting.frame(), open.alloc()::directBuffer));
    synchronized (this) {
      dialling = false;
      reached = true;
      if (closed) {
        open.close();
        return;
      }
      connection = open;
      for (Letter letter; (letter = waiting.poll()) != null; ) {
        write(open, letter);
      }
    }
    open.flush();
  }

  /**
   * A host that has lost its power, or its link, does not end its connections. Who took the
   * member's place is not lost with them.
   */
  private void leaveIfElsewhere(Channel old, InetSocketAddress address) {
    if (directory.addressOf(rank).filter(now -> !now.equals(address)).isPresent()) {
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

  private void giveBack(String why) {
    Queue<Letter> letters;
    synchronized (this) {
      dialling = false;
      letters = new ArrayDeque<>(waiting);
      waiting.clear();
      letters.forEach(letter -> queuedBytes -= letter.size);
    }
    letters.forEach(letter -> letter.bytes.release());
    letters.forEach(letter -> receiver.undeliverable(letter.head, rank, why));
  }

  /** Takes nothing more, and closes the connection behind all that is on the way. */
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

  /** Waits until what was on the way has gone, if that is soon, and closes the connection. */
  void close(long atMostMillis) {
    Channel open;
    synchronized (this) {
      open = connection;
    }
    if (open != null && !open.closeFuture().awaitUninterruptibly(atMostMillis)) {
      open.close();
    }
    giveBack("this member has left the group");
  }
}
