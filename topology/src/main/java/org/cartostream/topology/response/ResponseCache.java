package org.cartostream.topology.response;

import java.util.Collection;
import java.util.LinkedHashMap;
import org.cartostream.broker.message.Envelope;

/** A cache of the answers to a run's latest readings, in case the robot asks again. */
final class ResponseCache {

  /**
   * Number of answers that are kept. A robot has two readings unanswered ({@code
   * gateway.creditReadings}), and seldom asks for older ones.
   */
  static final int KEPT = 256;

  private final LinkedHashMap<Long, Envelope> answers = new LinkedHashMap<>();

  /**
   * Adds the answer to a reading; the first answer counts.
   *
   * @return false if the reading has an answer already, or may have had one that is no longer kept
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

  /** Returns all answers that are kept, in the order in which they were sent. */
  Collection<Envelope> all() {
    return answers.values();
  }

  /** Returns the answer to a reading; null if there is none, or it is no longer kept. */
  Envelope get(long sequence) {
    return answers.get(sequence);
  }

  /** Returns true if a reading may have had an answer that is no longer kept. */
  boolean mayHaveForgotten(long sequence) {
    return answers.size() == KEPT && sequence < oldest();
  }
}
