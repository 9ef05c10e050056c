package org.cartostream.topology.publish;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.stream.LostMessageException;
import org.cartostream.topology.stream.Payload;

/**
 * The admitted readings of a run that its publisher has not answered yet.
 *
 * <p>Owns these readings, by number, which is the order of admission, and the greatest number that
 * was admitted.
 */
final class PendingReadings {

  private final NavigableMap<Long, PendingReading> open = new TreeMap<>();
  private final LongConsumer notedIsAnswered;
  private long latestAdmitted;

  /**
   * @param latestAdmitted number of the latest reading that was admitted before; 0 for none
   * @param notedIsAnswered takes the number of an answered reading that is noted as a suspect of
   *     crashes
   */
  PendingReadings(long latestAdmitted, LongConsumer notedIsAnswered) {
    this.latestAdmitted = latestAdmitted;
    this.notedIsAnswered = notedIsAnswered;
  }

  /** Adds a reading that was admitted. */
  void admit(Payload.Admitted message) {
    Step step = message.step();
    open.put(step.sequence(), new PendingReading(step, message.isNoted()));
    latestAdmitted = step.sequence();
  }

  /**
   * Returns the number of the first reading, after the latest admitted one, of which the publisher
   * knows nothing; 0 if there is none.
   *
   * @param to number of the last reading to check
   * @param answered returns true if a reading was answered, and so is known
   */
  long firstUnknown(long to, LongPredicate answered) {
    for (long each = latestAdmitted + 1; each <= to; each++) {
      if (!answered.test(each)) {
        return each;
      }
    }
    return 0;
  }

  /** Returns the greatest number that was admitted; 0 if none was. */
  long latestAdmitted() {
    return latestAdmitted;
  }

  /** Returns true if any reading up to a number is not answered. */
  boolean isOpenTo(long sequence) {
    return !open.isEmpty() && open.firstKey() <= sequence;
  }

  /** Returns true if all admitted readings are answered. */
  boolean isEmpty() {
    return open.isEmpty();
  }

  /** Returns all readings that are not answered, in order. */
  List<PendingReading> open() {
    return List.copyOf(open.values());
  }

  /** Returns a reading that is not answered; null if there is none of that number. */
  PendingReading open(long sequence) {
    return open.get(sequence);
  }

  /**
   * Removes a reading that is answered.
   *
   * @return the reading; null if it was not here
   */
  PendingReading close(long sequence) {
    PendingReading closed = open.remove(sequence);
    if (closed != null && closed.isNoted()) {
      notedIsAnswered.accept(sequence);
    }
    return closed;
  }

  /**
   * Checks that all admitted readings up to a number are served. The dispatcher reports readings as
   * served in order, and before anything later.
   *
   * @throws LostMessageException if a reading is not served, so that the report must have been lost
   */
  void requireServedTo(long sequence) {
    for (PendingReading reading : open()) {
      if (reading.sequence() <= sequence && !reading.isServed()) {
        throw new LostMessageException(
            "it is not known when reading " + reading.sequence() + " was served");
      }
    }
  }

  /**
   * Checks that no decision has been missing for long.
   *
   * @param seconds longest time from a reading's service to its decision
   * @param now the time by the publisher's clock, nanoseconds
   * @param decided returns true if the decision on a reading has come
   * @throws LostMessageException if a decision is missing, without which no path goes on
   */
  void requireDecisions(int seconds, long now, Predicate<Step> decided) {
    for (PendingReading reading : open()) {
      if (reading.lacksDecision(seconds, now) && !decided.test(reading.step())) {
        throw new LostMessageException(
            "the decision on reading "
                + reading.sequence()
                + " did not come within "
                + seconds
                + " s after all tasks were done with it");
      }
    }
  }
}
