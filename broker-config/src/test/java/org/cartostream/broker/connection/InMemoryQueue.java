package org.cartostream.broker.connection;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.cartostream.broker.names.QueueArguments;

/**
 * A bounded queue of an {@link InMemoryBroker}, whose lock guards it.
 *
 * <p>Owns the messages that wait, in the order they came, and its consumers with those that each
 * was given and has not acknowledged. The bound is on those that wait, as with RabbitMQ.
 */
final class InMemoryQueue {

  /**
   * What a broker sees of a message.
   *
   * @param certain true if it outlives a stop of the broker
   */
  record Message(String exchange, String routingKey, byte[] frame, boolean certain) {}

  /** Takes a message; the receipt acknowledges it. */
  interface Sink {
    void deliver(Message message, Receiver.Receipt receipt);
  }

  /** Who takes messages: of what link, alone or not, at most how many without receipt. */
  private record Consumer(
      InMemoryLink link,
      boolean alone,
      int prefetch,
      Sink sink,
      Map<Long, Message> unacknowledged) {}

  private final InMemoryBroker broker;
  private final int max;
  private final QueueArguments.Overflow overflow;
  private final TreeMap<Long, Message> waiting = new TreeMap<>();

  /** The next to be given a message comes first. */
  private final Deque<Consumer> consumers = new ArrayDeque<>();

  /** The numbers of those that wait again. */
  private final Set<Long> released = new HashSet<>();

  private long last;

  InMemoryQueue(InMemoryBroker broker, int max, QueueArguments.Overflow overflow) {
    this.broker = broker;
    this.max = max;
    this.overflow = overflow;
  }

  /** Takes a message; false if it is full and refuses what is new. */
  boolean offer(Message message) {
    if (overflow == QueueArguments.Overflow.REFUSE_NEW && waiting.size() >= max) {
      return false;
    }
    waiting.put(++last, message);
    deliver();
    return true;
  }

  /** False if it already has a consumer, and one of them wants to be the only one. */
  boolean consume(InMemoryLink link, boolean alone, int prefetch, Sink sink) {
    if (!consumers.isEmpty() && (alone || consumers.peekFirst().alone())) {
      return false;
    }
    consumers.addLast(new Consumer(link, alone, prefetch, sink, new HashMap<>()));
    deliver();
    return true;
  }

  /** Ends what a link takes from it; what it has not acknowledged waits again, in its old place. */
  void release(InMemoryLink link) {
    consumers.stream()
        .filter(each -> each.link() == link)
        .forEach(
            each -> {
              waiting.putAll(each.unacknowledged());
              released.addAll(each.unacknowledged().keySet());
              each.unacknowledged().clear();
            });
    consumers.removeIf(each -> each.link() == link);
    deliver();
  }

  void dropWhatNeedNotArrive() {
    waiting.values().removeIf(message -> !message.certain());
  }

  int ready() {
    return waiting.size();
  }

  /** The links that take from it. */
  List<InMemoryLink> consumers() {
    return consumers.stream().map(Consumer::link).toList();
  }

  /** Gives what waits to the consumers in turn, as far as each may have more. */
  private void deliver() {
    for (int passedOver = 0; !waiting.isEmpty() && passedOver < consumers.size(); passedOver++) {
      Consumer next = consumers.pollFirst();
      consumers.addLast(next);
      if (next.unacknowledged().size() < next.prefetch()) {
        give(next, waiting.firstKey());
        passedOver = -1;
      }
    }
    while (overflow == QueueArguments.Overflow.DROP_OLDEST && waiting.size() > max) {
      waiting.pollFirstEntry();
    }
  }

  private void give(Consumer consumer, long number) {
    Message message = waiting.remove(number);
    consumer.unacknowledged().put(number, message);
    boolean again = released.remove(number);
    consumer
        .sink()
        .deliver(
            message,
            new Receiver.Receipt() {
              @Override
              public void acknowledge() {
                InMemoryQueue.this.acknowledge(consumer, number);
              }

              @Override
              public boolean isRedelivered() {
                return again;
              }
            });
  }

  /** Without effect the second time, and when the consumer is gone. From any thread. */
  private void acknowledge(Consumer consumer, long number) {
    synchronized (broker) {
      if (consumer.unacknowledged().remove(number) != null) {
        deliver();
      }
    }
  }
}
