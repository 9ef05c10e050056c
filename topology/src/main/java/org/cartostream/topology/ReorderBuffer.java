package org.cartostream.topology;

import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.cartostream.topology.Payload.Arrival;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;

/**
 * Orders the readings of one run by their numbers: which is next, which wait for one before them,
 * and which do not come any more.
 *
 * <p>Numbers run 1, 2, 3 … without a gap, and the robot's credit bounds how far they are ahead; so
 * a gap is waited for, but not for ever, and a leap shows that this service does not know the run
 * from its beginning. Owns the readings that wait, the robot's message that nothing follows, and
 * the number up to which nobody waits.
 */
final class ReorderBuffer {

  private final Run run;
  private final TopologySettings settings;
  private final DispatcherOutputs outputs;
  private final NavigableMap<Long, Arrival.OfReading> waiting = new TreeMap<>();

  /** Nobody waits for this number to come, nor for a smaller one. */
  private long settled;

  /** Null until the robot has sent that nothing follows. */
  private Arrival end;

  /** True if nobody waits for what is missing between two readings. */
  private boolean closed;

  ReorderBuffer(Run run, TopologySettings settings, DispatcherOutputs outputs) {
    this.run = run;
    this.settings = settings;
    this.outputs = outputs;
  }

  /** Goes on for another that has died: nobody waits for this number any more. */
  void resumeAfter(long sequence) {
    settled = sequence;
  }

  /** The number for which nobody waits any more, nor for a smaller one. */
  long settled() {
    return settled;
  }

  /**
   * A message of the robot. A reading waits for its turn, or is refused; if it came before, it is
   * answered again.
   *
   * @param inFilter how many that had their turn are still being processed
   */
  void receive(Arrival arrival, int inFilter) {
    if (arrival instanceof Arrival.OfReading reading) {
      receiveReading(reading, inFilter);
    } else if (end == null) {
      end = arrival;
    }
  }

  private void receiveReading(Arrival.OfReading reading, int inFilter) {
    long sequence = reading.sequence();
    boolean servedAtOnce = inFilter == 0 && sequence == settled + 1;
    int ahead = waiting.size() + Math.max(0, inFilter - 1);
    if (waiting.containsKey(sequence)) {
      return;
    }
    if (sequence <= settled) {
      outputs.repeated.emit(new Payload.ReadingRepeated(run, sequence, reading.stampNanos()));
    } else if (isAfterTheEnd(sequence)) {
      settle(reading);
      outputs.refuse(run, reading, TopologyRefusal.AFTER_THE_END.because("number " + sequence));
    } else if (ahead >= settings.waitingReadings() && !servedAtOnce && !isLeap(sequence - 1)) {
      settle(reading);
      String sentence = ahead + " wait before number " + sequence;
      outputs.refuse(run, reading, TopologyRefusal.TOO_MANY_WAITING.because(sentence));
    } else {
      waiting.put(sequence, reading);
    }
  }

  /** Where no gap is waited for, the end is reached as soon as it comes. */
  private boolean isAfterTheEnd(long sequence) {
    return end != null && (sequence > end.sequence() || closed);
  }

  /** Why there must be something that never came here, for people; empty if all is well. */
  String leap() {
    long last = waiting.isEmpty() ? 0 : waiting.lastKey();
    long sequence = Math.max(last, end == null ? 0 : end.sequence());
    if (!isLeap(sequence)) {
      return "";
    }
    return "Number "
        + sequence
        + " came when "
        + (settled + 1)
        + " was next: this service has not seen all of the run. It was started in the"
        + " middle of it, or the robot was silent for more than "
        + settings.robotTimeoutSeconds()
        + " s, or another service takes readings from the same broker";
  }

  /** Who keeps to the credit is not so far ahead; who does not may be one further, or many. */
  private boolean isLeap(long sequence) {
    return sequence > settled + settings.waitingReadings() + 1;
  }

  /** True if it is the turn of one that waits. */
  boolean hasNext() {
    return !waiting.isEmpty() && isNext(waiting.firstKey());
  }

  /** Gives the first that waits its turn; what should have come before it will not have one. */
  Arrival.OfReading next() {
    Arrival.OfReading next = waiting.pollFirstEntry().getValue();
    settle(next);
    return next;
  }

  /** The robot's message that nothing follows, if nothing before it is to have its turn. */
  Optional<Arrival> end() {
    boolean reached = end != null && waiting.isEmpty() && isNext(end.sequence() + 1);
    return reached ? Optional.of(end) : Optional.empty();
  }

  /** True if nothing before {@code sequence} is still to come. */
  private boolean isNext(long sequence) {
    return sequence <= settled + 1 || closed;
  }

  /** Nobody waits for a number any more, nor for what should have come before it and has not. */
  private void settle(Arrival.OfReading reading) {
    long sequence = reading.sequence();
    long first = Math.max(settled, sequence - settings.waitingReadings() - 2) + 1;
    for (long each = first; each < sequence; each++) {
      if (!waiting.containsKey(each)) {
        String sentence = "Reading " + each + " did not come before number " + sequence;
        outputs.reportLost(run, each, reading.stampNanos(), sentence);
      }
    }
    settled = Math.max(settled, sequence);
  }

  /** After an outage of the broker, what follows may come first; but not for ever. */
  void giveUpGap() {
    if (waiting.isEmpty() && end == null) {
      return;
    }
    Arrival follows = waiting.isEmpty() ? end : waiting.firstEntry().getValue();
    long last = waiting.isEmpty() ? end.sequence() : follows.sequence() - 1;
    while (settled < last) {
      settled++;
      String sentence =
          "Reading "
              + settled
              + " did not come within "
              + settings.readingTimeoutSeconds()
              + " s, though what follows it did";
      outputs.reportLost(run, settled, follows.stampNanos(), sentence);
    }
  }

  /** From now on nobody waits for what is missing between two readings, or before the end. */
  void close() {
    closed = true;
  }
}
