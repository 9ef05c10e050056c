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
 * A channel through a RabbitMQ broker, for members that cannot connect to each other. Each member
 * has a queue, which the broker deletes with the member's connection. So the broker returns a frame
 * for a member that is gone, and the sender learns who is gone.
 *
 * <p>Slower than the other channels: each payload goes through the broker once for each receiver.
 * Frames wait in an outbox of {@code maxWaitingBytes}, since publishing to a broker may block.
 *
 * <p>When the connection breaks, frames on their way are lost, so all other members count as lost
 * in the epochs that have begun. The channel reconnects, with the same queue, as soon as the broker
 * allows; frames sent meanwhile wait, but not for longer than {@code connectTimeoutMillis}. For
 * that time after a reconnect, frames for a member without a queue are tried again: after an outage
 * of the broker, not all members are back at the same moment.
 *
 * <p>Owns its {@link RabbitMqLink} and two threads: the publisher, which also opens the next link,
 * and one that hands over frames that arrive.
 */
final class RabbitMqChannel implements GroupChannel {

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

  /** A frame in the outbox, as bytes. A frame that is too old is reported as undeliverable. */
  private record OutgoingFrame(Frame head, int to, byte[] bytes, long sinceNanos) {

    int waitingBytes() {
      return head.kind().waitingBytes(bytes.length);
    }
  }

  /**
   * Connects, and declares this member's queue: from now on, others can send to this member. A
   * sender that has been connected for longer than {@code connectTimeoutMillis} takes members
   * without a queue as lost, so all members should connect before the first call.
   *
   * @param broker access to the broker
   * @param group the group's name: letters, digits, {@code -} and {@code _}
   * @throws IOException if the broker is not there, or another member has this rank
   */
  RabbitMqChannel(
      RabbitMqAccess broker, String group, int rank, int size, CollectiveSettings settings)
      throws IOException {
    this.broker = broker;
    this.group = group;
    this.rank = rank;
    this.size = size;
    this.settings = within(broker.maxMessageBytes(), settings, size);
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
   * Returns settings by which no message has more bytes than the broker takes: larger payloads are
   * fetched in parts.
   */
  private static CollectiveSettings within(
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

  /**
   * Returns an executor of one thread, which drops tasks after its shutdown: an exception would end
   * the RabbitMQ client's own thread.
   */
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
  public int maxFrameBytes() {
    return settings.maxFrameBytes();
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

  /**
   * Puts a frame into the outbox; if the outbox is full, the frame is reported as undeliverable.
   */
  private void enqueue(OutgoingFrame outgoingFrame, int pauseMillis) {
    if (outboxBytes.addAndGet(outgoingFrame.waitingBytes()) > settings.maxWaitingBytes()) {
      returnUndelivered(outgoingFrame, settings.maxWaitingBytes() + " bytes wait already");
    } else if (!schedule(() -> publish(outgoingFrame), pauseMillis)) {
      returnUndelivered(outgoingFrame, "this member has left the group");
    }
  }

  private void returnUndelivered(OutgoingFrame outgoingFrame, String why) {
    outboxBytes.addAndGet(-outgoingFrame.waitingBytes());
    receiver.undeliverable(outgoingFrame.head, outgoingFrame.to, why);
  }

  /** Lets the publisher thread run a task; returns false if that thread was shut down. */
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
      outboxBytes.addAndGet(-outgoingFrame.waitingBytes());
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
      return; // The link broke while it was opened: the thread that opens it handles that.
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
      // Whatever the error: without another attempt, this member would be lost for good.
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
   * Handles a frame that the broker returned because its receiver has no queue. If this link is
   * young, the receiver may still be reconnecting, so the frame is tried again.
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

  /**
   * Leaves the group. Frames in the outbox are still published if that takes at most 3 s and the
   * connection works.
   */
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
