package org.cartostream.topology.arrival;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.FailedReadingException;
import org.cartostream.topology.stream.Payload.Arrival;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.task.RateLimitedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queue of robots' messages at which the dispatcher itself failed, for example for lack of memory
 * for a thread, so that no run has taken them. Each message is tried again every second, {@value
 * #MAX_TRIES} times in all; later messages of its run wait behind it. After that, or if the queue
 * is full, a message is dropped with a warning.
 *
 * <p>Owns the waiting messages, {@value #MAX_WAITING} at most.
 */
public final class RetryQueue {

  private static final Logger LOG = LoggerFactory.getLogger(RetryQueue.class);
  private static final int MAX_TRIES = 60;
  private static final int MAX_WAITING = 1000;

  private final PendingAcks pendingAcks;
  private final Consumer<Arrival> taker;
  private final RateLimitedLog dropped = new RateLimitedLog(System.nanoTime());
  private List<Untaken> waiting = new ArrayList<>();

  private record Untaken(Arrival arrival, int tries) {}

  /**
   * @param pendingAcks receipts of the messages
   * @param taker gives a message to its run; a {@link FailedReadingException} from it is the run's
   *     own failure
   */
  public RetryQueue(PendingAcks pendingAcks, Consumer<Arrival> taker) {
    this.pendingAcks = pendingAcks;
    this.taker = taker;
  }

  /**
   * Gives a message to its run, or queues it if messages of the same run wait or the dispatcher
   * fails.
   */
  public void take(Arrival arrival) {
    take(new Untaken(arrival, 0));
  }

  /**
   * Tries all waiting messages again; to be called every second.
   *
   * @param ports reports exceptions as failures of the runs
   */
  public void takeAgain(StreamPorts<?> ports) {
    List<Untaken> all = waiting;
    waiting = new ArrayList<>();
    all.forEach(each -> ports.runGuarded(each.arrival().run(), () -> take(each)));
  }

  private void take(Untaken next) {
    Run run = next.arrival().run();
    if (waiting.stream().anyMatch(each -> each.arrival().run().isSameAs(run))) {
      keep(next);
      return;
    }
    try {
      taker.accept(next.arrival());
    } catch (FailedReadingException e) {
      throw e; // The run has the message, and handles the failure.
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      keep(new Untaken(next.arrival(), next.tries() + 1));
      throw e;
    }
  }

  private void keep(Untaken next) {
    if (next.tries() >= MAX_TRIES) {
      drop(next.arrival(), "the dispatcher failed at it " + MAX_TRIES + " times");
    } else if (waiting.size() >= MAX_WAITING) {
      drop(next.arrival(), MAX_WAITING + " wait for the dispatcher, which fails");
    } else {
      waiting.add(next);
    }
  }

  /** Drops a message: acknowledges it and logs a warning. */
  public void drop(Arrival arrival, String why) {
    Run run = arrival.run();
    pendingAcks.acknowledge(run, ArrivalReceiver.number(arrival));
    dropped.record(
        System.nanoTime(),
        count ->
            LOG.warn(
                "dropped number {} of {} ({} so far, of all robots): {}",
                arrival.sequence(),
                run,
                count,
                why));
  }
}
