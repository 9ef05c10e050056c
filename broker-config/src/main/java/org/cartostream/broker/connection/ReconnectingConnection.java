package org.cartostream.broker.connection;

import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.names.BrokerNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection that opens a new {@link BrokerLink} whenever the last one has broken, with an outbox
 * before the links.
 *
 * <p>A message that the broker refuses closes the link's channel, and all messages in flight have
 * to be sent again. So the next link sends them one by one; if it breaks likewise, the refused
 * message is the one in flight, and is dropped. If the broker found it too large, larger ones are
 * not sent, either.
 *
 * <p>Owns the current link, the subscriptions by queue, what is known of refused messages, and two
 * threads: the sender, which takes messages from the outbox to the link and opens the next link
 * when it breaks, and the thread that hands over deliveries.
 */
final class ReconnectingConnection implements BrokerConnection {

  private static final Logger LOG = LoggerFactory.getLogger(ReconnectingConnection.class);

  /** Time after which a broken link is noticed when nothing is sent, milliseconds. */
  private static final long IDLE_MILLIS = 50;

  /** Maximum number of reasons that are reported in an outage; usually there are two or three. */
  private static final int MAX_REASONS = 10;

  /** Size up to which no broker finds a message too large, bytes. */
  private static final int LARGE_BYTES = 1 << 15;

  /** Maximum time that closing waits for the sender. */
  private static final long CLOSE_MILLIS = 3000;

  private final BrokerAddress address;
  private final BrokerSettings settings;
  private final String party;
  private final BrokerListener listener;
  private final BrokerLink.Opener opener;
  private final QueueConsumer.FrameReader reader;
  private final Outbox outbox;
  private final ExecutorService deliveries;
  private final Thread sender;

  /** Subscriptions by queue, in order, which are repeated on every new link. */
  private final Map<String, LinkAction> queueSubscriptions = new LinkedHashMap<>();

  /** Names of each robot's queues on the newest link. */
  private final Map<String, List<String>> answerQueues = new HashMap<>();

  private final Object linkLock = new Object();
  private BrokerLink brokerLink;

  /**
   * Number of messages that are still sent one by one: the broker refused one of them, and it is
   * not known which.
   */
  private int suspects;

  /** True if the message that was sent last was the only one in flight. */
  private boolean lastWasAlone;

  /** Size from which on messages are dropped, as the broker has refused one of that size; bytes. */
  private volatile int tooLarge = Integer.MAX_VALUE;

  private final AtomicLong dropped = new AtomicLong();
  private volatile boolean up = true;
  private volatile boolean closed;

  private interface LinkAction {
    void on(BrokerLink brokerLink) throws IOException;
  }

  ReconnectingConnection(
      BrokerAddress address,
      BrokerSettings settings,
      String party,
      BrokerListener listener,
      BrokerLink.Opener opener) {
    this.address = address;
    this.settings = settings;
    this.party = party;
    this.listener = listener;
    this.opener = opener;
    this.reader = QueueConsumer.FrameReader.atMost(settings.maxMessageBytes());
    this.outbox = new Outbox(settings.outboxMessages(), settings.outboxBytes());
    this.deliveries = AmqpConnections.deliveryExecutor("broker-deliveries " + party);
    try {
      this.brokerLink = opener.open(deliveries, outbox);
    } catch (BrokerException e) {
      deliveries.shutdownNow();
      throw e;
    }
    this.sender = AmqpConnections.daemonThread(this::sendLoop, "broker-sender " + party);
    sender.start();
  }

  @Override
  public boolean publish(Envelope envelope) {
    BrokerNames.Route route = BrokerNames.route(envelope, settings.service());
    byte[] frame = reader.codec().encode(envelope);
    if (frame.length >= tooLarge) {
      drop(
          new Outbox.OutboundMessage(route, frame), "it has refused one of " + tooLarge + " bytes");
      return true;
    }
    return !closed
        && outbox.offer(
            FrameFragmentation.of(frame).stream()
                .map(piece -> new Outbox.OutboundMessage(route, piece))
                .toList());
  }

  /**
   * Counts a dropped message; warns less and less often, as a map of that size comes every second.
   */
  private void drop(Outbox.OutboundMessage outboundMessage, String why) {
    long count = dropped.incrementAndGet();
    if (Long.bitCount(count) == 1) {
      LOG.warn(
          "a message of {} bytes to {} {} is dropped ({} so far): the broker at {} does not take it:"
              + " {}",
          outboundMessage.frame().length,
          outboundMessage.route().exchange(),
          outboundMessage.route().routingKey(),
          count,
          address.hostAndPort(),
          why);
    }
  }

  @Override
  public boolean flush(Duration atMost) throws InterruptedException {
    return outbox.awaitEmpty(atMost.toMillis());
  }

  @Override
  public int unconfirmed() {
    return outbox.unconfirmed();
  }

  @Override
  public void subscribeToAnswers(String robot, int prefetch, Receiver receiver) {
    subscribe(
        BrokerNames.certainQueue(robot),
        current -> {
          answerQueues.put(robot, current.declareAnswers(robot));
          for (String queue : answerQueues.get(robot)) {
            current.consume(queue, prefetch, reader, receiver);
          }
        });
  }

  @Override
  public void subscribeToReadings(int prefetch, Receiver receiver) {
    String service = settings.service();
    subscribe(
        BrokerNames.serviceQueue(service),
        current -> current.consumeReadings(service, prefetch, reader, receiver));
  }

  private void subscribe(String name, LinkAction queueSubscription) {
    synchronized (linkLock) {
      queueSubscriptions.put(name, queueSubscription);
      if (up) {
        try {
          queueSubscription.on(brokerLink);
        } catch (IOException | ShutdownSignalException e) {
          if (ConnectionErrors.isRefusal(e)) {
            queueSubscriptions.remove(name);
            throw ConnectionErrors.of(address, e);
          }
          LOG.debug("subscribing waits for the next link", e);
          brokerLink.breakWith("it took no subscription: " + e.getMessage()); // It may look sound.
        }
      }
    }
  }

  @Override
  public boolean isUp() {
    return up;
  }

  @Override
  public void deleteAnswerQueues(String robot) {
    synchronized (linkLock) {
      List<String> queues =
          answerQueues.getOrDefault(
              robot, List.of(BrokerNames.certainQueue(robot), BrokerNames.latestQueue(robot)));
      delete(BrokerNames.certainQueue(robot), current -> current.delete(queues));
    }
  }

  @Override
  public void deleteReadingsQueue() {
    String service = settings.service();
    delete(BrokerNames.serviceQueue(service), current -> current.deleteReadings(service));
  }

  private void delete(String subscription, LinkAction deletion) {
    synchronized (linkLock) {
      queueSubscriptions.remove(subscription);
      try {
        deletion.on(brokerLink);
      } catch (IOException | ShutdownSignalException e) {
        LOG.debug("the queues of {} stay", subscription, e);
      }
    }
  }

  private void sendLoop() {
    try {
      while (!closed) {
        BrokerLink current = link();
        Outbox.OutboundMessage outboundMessage = outbox.next(IDLE_MILLIS, suspects > 0);
        if (outboundMessage != null) {
          lastWasAlone = suspects > 0;
          suspects = Math.max(0, suspects - 1);
          current.send(outboundMessage);
        }
        if (current.breakReason() != null && !closed) {
          replace(current);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("the sender of {} stops", party);
    }
  }

  private BrokerLink link() {
    synchronized (linkLock) {
      return brokerLink;
    }
  }

  private void replace(BrokerLink broken) throws InterruptedException {
    synchronized (linkLock) {
      up = false;
    }
    String why = "the connection to the broker at " + address.hostAndPort() + " broke: ";
    LOG.info("{}{}", why, broken.breakReason());
    listener.onDown(why + broken.breakReason());
    broken.close();
    requeueUnconfirmed(broken);
    openNext();
    LOG.info("the connection to the broker at {} is open again", address.hostAndPort());
    listener.onUp();
  }

  /** Puts the messages in flight back into the outbox, but for one that the broker refuses. */
  private void requeueUnconfirmed(BrokerLink broken) {
    List<Outbox.OutboundMessage> again = broken.takeUnconfirmed();
    if (broken.hasRefused() && lastWasAlone && again.size() == 1) {
      Outbox.OutboundMessage outboundMessage = again.get(0);
      drop(outboundMessage, broken.breakReason());
      outbox.confirmed(again);
      if (broken.hasRefusedItsSize() && outboundMessage.frame().length > LARGE_BYTES) {
        tooLarge = Math.min(tooLarge, outboundMessage.frame().length);
      }
      return;
    }
    outbox.putBack(again);
    if (broken.hasRefused()) {
      suspects = again.size() + 1; // The one after them waits for the last, too.
    } else {
      suspects += suspects > 0 ? again.size() : 0;
      tooLarge = Integer.MAX_VALUE; // The broker may have been started anew with another limit.
      outbox.dropReplaceable();
    }
  }

  /**
   * Opens the next link, however often it must be tried; reports each reason for failure once, so
   * that logs do not fill up.
   */
  private void openNext() throws InterruptedException {
    Set<String> reported = new HashSet<>();
    long pause = settings.minReconnectMillis();
    for (String why = tryOpenNext(); why != null; why = tryOpenNext()) {
      if (reported.size() < MAX_REASONS && reported.add(why)) {
        LOG.info("{}", why);
        listener.onDown(why);
      }
      TimeUnit.MILLISECONDS.sleep(pause);
      pause = Math.min(2 * pause, Math.max(pause, settings.maxReconnectMillis()));
    }
  }

  /**
   * Tries to open the next link; returns the reason why it cannot be opened, in one sentence, or
   * null if it is open or the connection was closed.
   */
  private String tryOpenNext() {
    BrokerLink next = null;
    try {
      next = opener.open(deliveries, outbox);
      synchronized (linkLock) {
        if (closed) {
          next.close();
          return null;
        }
        reader.pieces().expectAgain();
        for (LinkAction queueSubscription : queueSubscriptions.values()) {
          queueSubscription.on(next);
        }
        brokerLink = next;
        up = true;
      }
      return null;
    } catch (IOException | RuntimeException e) {
      // The sender must survive any error, or nothing would ever be sent again.
      if (next != null) {
        next.close();
      }
      BrokerException why =
          e instanceof BrokerException failure ? failure : ConnectionErrors.of(address, e);
      return why.getMessage();
    }
  }

  @Override
  public void close() {
    closed = true;
    sender.interrupt();
    try {
      sender.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    link().close();
    deliveries.shutdownNow();
  }
}
