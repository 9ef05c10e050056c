package org.cartostream.collectives.transport.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.FrameCodec;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.settings.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel through a RabbitMQ broker, for members that cannot connect to each other: each has a
 * queue of its own, which goes with its connection. So what is sent to a member that is gone comes
 * back, and names it.
 *
 * <p>Slower than the other channels, and each payload goes through the broker once for each
 * receiver; it is there because the first version of this service had nothing else. Frames wait in
 * an outbox of {@code maxWaitingBytes}, for publishing to a broker may block.
 *
 * <p>When the connection breaks, what was on its way is lost: all others count as lost, in the
 * epochs that have begun. Another connection is opened, with the same queue, as soon as the broker
 * lets it; what is sent meanwhile waits for it, but not for longer than {@code
 * connectTimeoutMillis}. For so long, too, a member that has no queue yet may come with one: after
 * an outage of the broker not all are back at the same moment.
 *
 * <p>Owns its {@link RabbitMqLink} and two threads: the publisher, which also opens the next link,
 * and one that takes deliveries.
 */
public final class RabbitMqChannel implements GroupChannel {

  private static final Logger LOG = LoggerFactory.getLogger(RabbitMqChannel.class);
  private static final int CLOSE_MILLIS = 3000;

  /** Milliseconds after which a frame that cannot go yet is tried again. */
  private static final int RETRY_MILLIS = 50;

  private final RabbitMqAccess broker;
  private final String group;
  private final int rank;
  private final int size;
  private final CollectiveSettings settings;
  private final ScheduledExecutorService publisher;
  private final ExecutorService deliveries;
  private final AtomicLong outboxBytes = new AtomicLong();

  /** Replaced by the publisher thread only. */
  private volatile RabbitMqLink link;

  private volatile Receiver receiver;
  private volatile boolean closed;

  /** A frame in the outbox; it goes back to the sender when it is too old. */
  private record OutgoingFrame(Frame head, int to, byte[] bytes, long sinceNanos) {}

  /**
   * Connects, and declares this member's queue: from now on it can be sent to. Begin when all are
   * there: whoever sends to a member {@code connectTimeoutMillis} before that takes it as lost.
   *
   * @param broker how to reach it
   * @param group its name: letters, digits, {@code -} and {@code _}
   * @throws IOException if the broker is not there, or another member has this rank
   */
  public RabbitMqChannel(
      RabbitMqAccess broker, String group, int rank, int size, CollectiveSettings settings)
      throws IOException {
    this.broker = broker;
    this.group = group;
    this.rank = rank;
    this.size = size;
    this.settings = settings;
    this.publisher =
        Executors.newSingleThreadScheduledExecutor(
            task -> daemon(task, "collectives-publisher-" + rank));
    this.deliveries = deliveries("collectives-deliveries-" + rank);
    try {
      this.link = connect();
    } catch (IOException e) {
      publisher.shutdownNow();
      deliveries.shutdownNow();
      throw e;
    }
  }

  /**
   * Settings by which no message has more bytes than the broker takes: larger payloads are fetched
   * in parts.
   *
   * @param size of the group
   */
  public static CollectiveSettings within(
      int maxMessageBytes, CollectiveSettings settings, int size) {
    int max = maxMessageBytes - FrameCodec.LENGTHS_BYTES - FrameCodec.maxHeadBytes(size);
    return Settings.with(
        settings,
        Map.of(
            "partBytes", Integer.toString(Math.min(max, settings.partBytes())),
            "maxFrameBytes", Integer.toString(Math.min(max, settings.maxFrameBytes()))));
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Once it is shut down, it drops what comes: a refusal would fail the client's own thread. */
  private static ExecutorService deliveries(String name) {
    return new ThreadPoolExecutor(
        1,
        1,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> daemon(task, name),
        new ThreadPoolExecutor.DiscardPolicy());
  }

  private RabbitMqLink connect() throws IOException {
    try {
      ConnectionFactory factory = broker.factories().create();
      factory.setConnectionTimeout(settings.connectTimeoutMillis());
      factory.setMaxInboundMessageBodySize(
          FrameCodec.LENGTHS_BYTES + FrameCodec.maxHeadBytes(size) + settings.frameLimitBytes());
      return new RabbitMqLink(
          factory, deliveries, group + " " + rank, queue(rank), this::onLinkBroken);
    } catch (GeneralSecurityException e) {
      throw new IOException("no connection to the broker: " + e.getMessage(), e);
    }
  }

  private String queue(int ofRank) {
    return "collectives." + group + "." + ofRank;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int partBytes() {
    return settings.partBytes();
  }

  @Override
  public void open(Receiver itsReceiver) {
    receiver = itsReceiver;
    try {
      link.open(this::delivered, this::returned);
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException("the queue " + queue(rank) + " cannot be read", e);
    }
  }

  @Override
  public void send(Frame frame, int... to) {
    byte[] bytes = FrameCodec.encode(frame, Unpooled::buffer).array();
    Frame head = frame.head();
    for (int other : to) {
      enqueue(new OutgoingFrame(head, other, bytes, System.nanoTime()), 0);
    }
  }

  /** Puts a letter into the outbox, unless that is full. */
  private void enqueue(OutgoingFrame outgoingFrame, int pauseMillis) {
    if (outboxBytes.addAndGet(outgoingFrame.bytes.length) > settings.maxWaitingBytes()) {
      returnUndelivered(outgoingFrame, settings.maxWaitingBytes() + " bytes wait already");
    } else if (!schedule(() -> publish(outgoingFrame), pauseMillis)) {
      returnUndelivered(outgoingFrame, "this member has left the group");
    }
  }

  private void returnUndelivered(OutgoingFrame outgoingFrame, String why) {
    outboxBytes.addAndGet(-outgoingFrame.bytes.length);
    receiver.undeliverable(outgoingFrame.head, outgoingFrame.to, why);
  }

  /** Has the publisher thread do something; false if there is none any more. */
  private boolean schedule(Runnable what, long pauseMillis) {
    try {
      publisher.schedule(what, pauseMillis, TimeUnit.MILLISECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void publish(OutgoingFrame outgoingFrame) {
    if (link.publish(queue(outgoingFrame.to), outgoingFrame.bytes)) {
      outboxBytes.addAndGet(-outgoingFrame.bytes.length);
    } else if (isTooOld(outgoingFrame) || !schedule(() -> publish(outgoingFrame), RETRY_MILLIS)) {
      returnUndelivered(outgoingFrame, "the connection to the broker is broken: " + link.broken());
    }
  }

  private boolean isTooOld(OutgoingFrame outgoingFrame) {
    long age = System.nanoTime() - outgoingFrame.sinceNanos;
    return age > TimeUnit.MILLISECONDS.toNanos(settings.connectTimeoutMillis());
  }

  private void onLinkBroken(RabbitMqLink broken) {
    schedule(() -> replace(broken), 0);
  }

  private void replace(RabbitMqLink broken) {
    if (broken != link || receiver == null) {
      return; // It has failed while it was opened, and whoever did that knows.
    }
    LOG.info("rank {} of group {} has lost its broker: {}", rank, group, broken.broken());
    schedule(() -> openNext(broker.minReconnectMillis()), 0);
    broken.close();
    String why = "the connection to the broker broke: " + broken.broken();
    List<Integer> others = IntStream.range(0, size).filter(other -> other != rank).boxed().toList();
    receiver.lost(others, why);
  }

  private void openNext(long pauseMillis) {
    if (closed) {
      return;
    }
    RabbitMqLink next = null;
    try {
      next = connect();
      next.open(this::delivered, this::returned);
      link = next;
      LOG.info("rank {} of group {} has a broker again", rank, group);
    } catch (IOException | RuntimeException e) {
      // Whatever it was: who does not try again is never there again.
      LOG.debug("rank {} of group {} has no broker yet: {}", rank, group, e.getMessage());
      long pause = Math.min(2 * pauseMillis, Math.max(pauseMillis, broker.maxReconnectMillis()));
      schedule(() -> openNext(pause), pauseMillis);
    }
    if (next != null && (closed || link != next)) {
      next.close();
    }
  }

  private void delivered(byte[] message) {
    try {
      receiver.receive(decode(message));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      LOG.warn("rank {} of group {} drops what is no frame: {}", rank, group, e.getMessage());
    }
  }

  /**
   * Handles a message that came back: where the link is young, the other may just not be back yet.
   */
  private void returned(byte[] message, String queue) {
    Frame head = decode(message).head();
    int to = Integer.parseInt(queue.substring(queue.lastIndexOf('.') + 1));
    OutgoingFrame outgoingFrame = new OutgoingFrame(head, to, message, link.bornNanos());
    if (isTooOld(outgoingFrame)) {
      receiver.undeliverable(head, to, "it has no queue at the broker");
    } else {
      enqueue(outgoingFrame, RETRY_MILLIS);
    }
  }

  private Frame decode(byte[] bytes) {
    ByteBuf in = Unpooled.wrappedBuffer(bytes);
    int headBytes = in.readInt();
    int payloadBytes = in.readInt();
    Frame frame = FrameCodec.decodeHead(in.readSlice(headBytes), payloadBytes, size, this::room);
    frame.blocks().forEach(block -> in.readBytes(block.array()));
    return frame;
  }

  private byte[] room(int length) {
    byte[] spare = receiver.spare(length);
    return spare == null ? new byte[length] : spare;
  }

  /** Leaves. What is on its way to the broker still goes, if that is quick. */
  @Override
  public void close() {
    closed = true;
    if (link.broken() == null) {
      publisher.shutdown();
    } else {
      publisher.shutdownNow();
    }
    try {
      publisher.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    publisher.shutdownNow();
    link.close();
    deliveries.shutdownNow();
  }
}
