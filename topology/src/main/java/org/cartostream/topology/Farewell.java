package org.cartostream.topology;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.Envelope;

/**
 * The last words of a run: path, map and report.
 *
 * <p>Owns them, for a while, in case the robot asks again; afterwards only what it is told instead.
 * The while is counted from the last time that it asked.
 */
final class Farewell {

  private final Envelope afterwards;
  private final long keptNanos;
  private List<Envelope> words;
  private long keepUntil;

  /**
   * @param words in the order in which they are said
   * @param afterwards what is said when they are gone
   * @param keptSeconds how long they are kept
   */
  Farewell(List<Envelope> words, Envelope afterwards, int keptSeconds) {
    this.words = List.copyOf(words);
    this.afterwards = afterwards;
    this.keptNanos = TimeUnit.SECONDS.toNanos(keptSeconds);
  }

  void say(Lectern.Mouth mouth, long now) {
    keepUntil = now + keptNanos;
    words.forEach(mouth::say);
  }

  /** Looks at the time. */
  void watch(long now) {
    if (now - keepUntil > 0) {
      words = List.of(afterwards);
    }
  }

  /** True if the words are gone. */
  boolean isOver() {
    return words.equals(List.of(afterwards));
  }
}
