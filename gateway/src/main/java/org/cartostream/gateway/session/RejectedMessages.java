package org.cartostream.gateway.session;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.cartostream.slam.sensor.Refusal;

/**
 * Counter of the messages that were refused since the last answer, by reason. They explain why no
 * answer comes: for example, all answers of a service of another version are refused.
 *
 * <p>Owns the counts, and the first fault of each reason. Thread-safe.
 */
final class RejectedMessages {

  /** Guess for people if no message has come at all. */
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

  /** Forgets the refused messages, because a valid answer has come. */
  synchronized void clear() {
    byReason.clear();
  }

  /**
   * Returns the part of a sentence that follows "no answer".
   *
   * @param guess returned if nothing has come at all
   */
  synchronized String describe(String guess) {
    return byReason.isEmpty()
        ? guess
        : byReason.values().stream()
            .map(ReasonCount::toString)
            .collect(Collectors.joining(" and ", ", but ", ""));
  }
}
