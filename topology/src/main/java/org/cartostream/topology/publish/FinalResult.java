package org.cartostream.topology.publish;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.Envelope;

/**
 * The last words of a run: path, map and report.
 *
 * <p>Owns them, for a while, in case the robot asks again; afterwards only what it is told instead.
 * The while is counted from the last time that it asked.
 */
final class FinalResult {

  private final Envelope afterwards;
  private final long keptNanos;
  private List<Envelope> messages;
  private long keepUntil;

  /**
   * @param words in the order in which they are said
   * @param afterwards what is said when they are gone
   * @param keptSeconds how long they are kept
   */
  FinalResult(List<Envelope> words, Envelope afterwards, int keptSeconds) {
    this.messages = List.copyOf(words);
    this.afterwards = afterwards;
    this.keptNanos = TimeUnit.SECONDS.toNanos(keptSeconds);
  }

  void send(AnswerSender.EnvelopeSink envelopeSink, long now) {
    keepUntil = now + keptNanos;
    messages.forEach(envelopeSink::send);
  }

  /** Looks at the time. */
  void watch(long now) {
    if (now - keepUntil > 0) {
      messages = List.of(afterwards);
    }
  }

  /** True if the words are gone. */
  boolean hasExpired() {
    return messages.equals(List.of(afterwards));
  }
}
