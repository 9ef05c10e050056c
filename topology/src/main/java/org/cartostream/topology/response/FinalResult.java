package org.cartostream.topology.response;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.Envelope;

/**
 * The final messages of a run: path, map and report.
 *
 * <p>Owns these messages for some time after the robot last asked for them, in case it asks again;
 * afterwards only a report which says that they are gone.
 */
final class FinalResult {

  private final Envelope afterwards;
  private final long keptNanos;
  private List<Envelope> messages;
  private long keepUntil;

  /**
   * @param messages the messages, in the order in which they are sent
   * @param afterwards report that is sent when the messages are gone
   * @param keptSeconds time for which the messages are kept after they were sent last
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

  /** Drops the messages if their time is over. */
  void watch(long now) {
    if (now - keepUntil > 0) {
      messages = List.of(afterwards);
    }
  }

  /** Returns true if the messages are gone. */
  boolean hasExpired() {
    return messages.equals(List.of(afterwards));
  }
}
