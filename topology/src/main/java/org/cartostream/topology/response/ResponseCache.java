package org.cartostream.topology.response;

import java.util.Collection;
import java.util.LinkedHashMap;
import org.cartostream.broker.message.Envelope;

/** A cache of the outcomes of a run's latest readings, in case the robot asks again. */
final class ResponseCache {

  /**
   * A robot has two readings unanswered ({@code gateway.creditReadings}), and seldom asks for older
   * ones.
   */
  static final int KEPT = 256;

  private final LinkedHashMap<Long, Envelope> answers = new LinkedHashMap<>();

  /**
   * Each reading has one answer, the first.
   *
   * @return false if it has one already, or may have had one that is not kept any more
   */
  boolean add(long sequence, Envelope answer) {
    if (mayHaveForgotten(sequence) || answers.putIfAbsent(sequence, answer) != null) {
      return false;
    }
    if (answers.size() > KEPT) {
      answers.remove(oldest());
    }
    return true;
  }

  private long oldest() {
    return answers.keySet().iterator().next();
  }

  /** All that is kept, in the order in which it was sent. */
  Collection<Envelope> all() {
    return answers.values();
  }

  /** The answer to a reading; null if there is none, or no more. */
  Envelope get(long sequence) {
    return answers.get(sequence);
  }

  /** True if a reading may have had an answer that is not kept any more. */
  boolean mayHaveForgotten(long sequence) {
    return answers.size() == KEPT && sequence < oldest();
  }
}
