package org.cartostream.topology.arrival;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.cartostream.broker.connection.Receiver.Receipt;
import org.cartostream.topology.run.Run;

/**
 * The delivery tags of robots' messages that are not acknowledged to the broker yet. A message is
 * acknowledged when its content is in a durable checkpoint, as a rule. Thread-safe.
 */
public final class PendingAcks {

  /**
   * Number for the message that ends a run, which sorts after all readings: acknowledging up to it
   * acknowledges all.
   */
  public static final long END = Long.MAX_VALUE;

  /**
   * Number for the message that some readings will never come, which sorts before all readings: it
   * is acknowledged with any of them.
   */
  public static final long GONE = 0;

  private record Key(String robot, long run) {
    static Key of(Run run) {
      return new Key(run.robot(), run.number());
    }
  }

  /**
   * Tag of a message that was redelivered: it had been delivered before, to this dispatcher or
   * another one.
   */
  private record Redelivered(Receipt latest) implements Receipt {

    @Override
    public void acknowledge() {
      latest.acknowledge();
    }

    @Override
    public boolean isRedelivered() {
      return true;
    }
  }

  // Changed within compute only, but read outside, while the receiver's thread adds.
  private final Map<Key, ConcurrentNavigableMap<Long, Receipt>> pendingAcks =
      new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  /** A message has come; if it came before, what it was to be acknowledged by is of no use now. */
  public void add(Run run, long number, Receipt receipt) {
    pendingAcks.compute(
        Key.of(run),
        (key, numbers) -> {
          ConcurrentNavigableMap<Long, Receipt> all =
              numbers == null ? new ConcurrentSkipListMap<>() : numbers;
          Receipt before = all.get(number);
          boolean isRedelivered = before != null && before.isRedelivered();
          all.put(number, isRedelivered ? new Redelivered(receipt) : receipt);
          if (before == null) {
            count.incrementAndGet();
          } else {
            before.acknowledge();
          }
          return all;
        });
  }

  /** Acknowledges a run's readings up to a number, or all for {@link #END}. */
  public void acknowledgeUpTo(Run run, long to) {
    pendingAcks.computeIfPresent(
        Key.of(run),
        (key, numbers) -> {
          Map<Long, Receipt> done = numbers.headMap(to, true);
          done.values().forEach(Receipt::acknowledge);
          count.addAndGet(-done.size());
          done.clear();
          return numbers.isEmpty() ? null : numbers;
        });
  }

  /** Acknowledges one message of a run: nobody needs it again. */
  public void acknowledge(Run run, long number) {
    pendingAcks.computeIfPresent(
        Key.of(run),
        (key, numbers) -> {
          Receipt receipt = numbers.remove(number);
          if (receipt != null) {
            receipt.acknowledge();
            count.decrementAndGet();
          }
          return numbers.isEmpty() ? null : numbers;
        });
  }

  /** Number of messages of a run that are delivered and not acknowledged: the broker keeps them. */
  public int count(Run run) {
    Map<Long, Receipt> numbers = pendingAcks.get(Key.of(run));
    return numbers == null ? 0 : numbers.size();
  }

  /**
   * True if the broker had delivered some of a run before: to another dispatcher, or to this one
   * before their connection was lost.
   */
  public boolean haveRedelivered(Run run) {
    Map<Long, Receipt> numbers = pendingAcks.get(Key.of(run));
    return numbers != null && numbers.values().stream().anyMatch(Receipt::isRedelivered);
  }

  private void forget(Key run) {
    pendingAcks.computeIfPresent(
        run,
        (key, numbers) -> {
          count.addAndGet(-numbers.size());
          return null;
        });
  }

  /** Number of messages that are delivered and not acknowledged: the broker keeps them. */
  public int count() {
    return count.get();
  }

  /** The broker is away; it will deliver again what it keeps. */
  void clear() {
    pendingAcks.keySet().forEach(this::forget);
  }
}
