package org.cartostream.gateway.session;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.cartostream.slam.sensor.Refusal;

/**
 * Messages that came in place of answers and were refused, since the last answer. When none comes,
 * they tell why: a service of another version, for one, is heard and not understood.
 *
 * <p>Owns how many there were for each reason, and what was wrong with the first. Thread-safe.
 */
final class RejectedMessages {

  /** Why nothing may have come. */
  static final String NO_SERVICE = "; is a service running at this broker?";

  private record ReasonCount(Refusal.Reason first, long count) {

    ReasonCount andOne() {
      return new ReasonCount(first, count + 1);
    }

    @Override
    public String toString() {
      String messages = count == 1 ? "1 message that was" : count + " messages that were";
      return messages + " refused: " + first;
    }
  }

  private final Map<String, ReasonCount> byReason = new TreeMap<>();

  synchronized void add(Refusal.Reason why) {
    byReason.compute(
        why.refusal().name(),
        (reason, reasonCount) ->
            reasonCount == null ? new ReasonCount(why, 1) : reasonCount.andOne());
  }

  /** An answer has come: what came before it has kept nobody from being heard. */
  synchronized void clear() {
    byReason.clear();
  }

  /**
   * What to say behind "no answer".
   *
   * @param guess what to say if nothing has come at all
   */
  synchronized String describe(String guess) {
    return byReason.isEmpty()
        ? guess
        : byReason.values().stream()
            .map(ReasonCount::toString)
            .collect(Collectors.joining(" and ", ", but ", ""));
  }
}
