package org.cartostream.topology.response;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.Envelope;

/**
 * The final messages of a run: path, map and report.
 *
 * <p>Owns them, for a while, in case the robot asks again; afterwards only the report that says
 * that they are gone. The while is counted from the last time that it asked.
 */
final class FinalResult {

  private final Envelope afterwards;
  private final long keptNanos;
  private List<Envelope> messages;
  private long keepUntil;

  /**
   * @param messages in the order in which they are sent
   * @param afterwards what is sent when they are gone
   * @param keptSeconds how long they are kept
   */
  FinalResult(List<Envelope> messages, Envelope afterwards, int keptSeconds) {
    this.messages = List.copyOf(messages);
    this.afterwards = afterwards;
    this.keptNanos = TimeUnit.SECONDS.toNanos(keptSeconds);
  }

  void send(ResponseSender.EnvelopeSink envelopeSink, long now) {
    keepUntil = now + keptNanos;
    messages.forEach(envelopeSink::send);
  }

  /** Looks at the time. */
  void watch(long now) {
    if (now - keepUntil > 0) {
      messages = List.of(afterwards);
    }
  }

  /** True if the messages are gone. */
  boolean hasExpired() {
    return messages.equals(List.of(afterwards));
  }
}
