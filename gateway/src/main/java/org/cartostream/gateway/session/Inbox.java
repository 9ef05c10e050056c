package org.cartostream.gateway.session;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.Envelope;
import org.cartostream.slam.sensor.Refusal;

/**
 * The queue from the threads of the broker's connection to the thread of the session.
 *
 * <p>Owns the answers that are not handled yet (bounded, and the broker delivers no more than
 * {@link #PREFETCH} without a receipt), news of outages, requests to stop, and the messages that
 * were refused.
 */
public final class Inbox implements Receiver, BrokerListener {

  /** Maximum number of unacknowledged answers of each queue. */
  public static final int PREFETCH = 16;

  /** An answer with its receipt; an item without an envelope only wakes the session. */
  record Item(Envelope envelope, Receipt receipt) {}

  private static final Item WAKE = new Item(null, () -> {});

  private final BlockingQueue<Item> items = new ArrayBlockingQueue<>(4 * PREFETCH);

  private final AtomicReference<String> outage = new AtomicReference<>();
  private final AtomicInteger reconnects = new AtomicInteger();
  private final AtomicInteger stops = new AtomicInteger();
  private final RejectedMessages rejectedMessages = new RejectedMessages();

  /** Waits for the next answer; null if none comes in time or {@link #wake} is called. */
  Item next(long nanos) throws InterruptedException {
    Item item = items.poll(nanos, TimeUnit.NANOSECONDS);
    return item == WAKE ? null : item;
  }

  /** Receives a message; the delivering thread waits until the queue has room. */
  @Override
  public void received(Envelope envelope, Receipt receipt) {
    try {
      items.put(new Item(envelope, receipt));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The connection closes; nobody waits for answers.
    }
  }

  @Override
  public void refused(Refusal.Reason why) {
    rejectedMessages.add(why);
  }

  @Override
  public void onDown(String why) {
    outage.accumulateAndGet(why, (before, now) -> before == null ? now : before + "; " + now);
    wake();
  }

  @Override
  public void onUp() {
    reconnects.incrementAndGet();
    wake();
  }

  /** Makes {@link #next} return at once, because the session has something else to do. */
  public void wake() {
    items.offer(WAKE);
  }

  /** Asks the session to stop reading; a second call, to give up. */
  public void stop() {
    stops.incrementAndGet();
    wake();
  }

  /**
   * Returns why the connection broke or cannot be opened, each reason once; null if there is no
   * news.
   */
  String takeOutage() {
    return outage.getAndSet(null);
  }

  /** Returns true once after the broker has come back, one or several times. */
  boolean takeReconnect() {
    return reconnects.getAndSet(0) > 0;
  }

  int stops() {
    return stops.get();
  }

  /** Returns the counter of refused messages. */
  RejectedMessages rejectedMessages() {
    return rejectedMessages;
  }
}
