package org.cartostream.topology.arrival;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.cartostream.broker.connection.Receiver.Receipt;
import org.cartostream.topology.run.Run;

/**
 * The receipts of robots' messages that are not acknowledged to the broker yet, by run and number.
 * A message is acknowledged when its content is in a durable checkpoint, as a rule. Thread-safe.
 */
public final class PendingAcks {

  /**
   * Number of the message that ends a run. It is greater than those of all readings, so that
   * acknowledging up to it acknowledges all messages.
   */
  public static final long END = Long.MAX_VALUE;

  /**
   * Number of the message that some readings will never come. It is smaller than those of all
   * readings, so that it is acknowledged with any of them.
   */
  public static final long GONE = 0;

  private record Key(String robot, long run) {
    static Key of(Run run) {
      return new Key(run.robot(), run.number());
    }
  }

  /** Receipt of a message that had been delivered before, to this dispatcher or another one. */
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

  // Inner maps are changed within compute only, but read at any time by other threads.
  private final Map<Key, ConcurrentNavigableMap<Long, Receipt>> pendingAcks =
      new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  /**
   * Adds a message's receipt. If the same message has come before, the older receipt is
   * acknowledged at once.
   */
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

  /** Acknowledges one message of a run, which nobody needs again. */
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

  /**
   * Returns the number of a run's messages that are delivered and not acknowledged; the broker
   * keeps these.
   */
  public int count(Run run) {
    Map<Long, Receipt> numbers = pendingAcks.get(Key.of(run));
    return numbers == null ? 0 : numbers.size();
  }

  /**
   * Returns true if the broker had delivered some of a run's messages before: to another
   * dispatcher, or to this one over a connection that was lost.
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

  /** Returns the number of all messages that are delivered and not acknowledged. */
  public int count() {
    return count.get();
  }

  /**
   * Forgets all receipts, as the connection is lost: the broker will deliver these messages again.
   */
  void clear() {
    pendingAcks.keySet().forEach(this::forget);
  }
}
