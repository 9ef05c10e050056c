package org.cartostream.topology;

import java.util.concurrent.TimeUnit;

/**
 * Which publisher speaks to the robot of one run. All of them hear every word and keep the paths;
 * when the one that speaks has lost them, or is not heard of for long, another does. It says again
 * what was answered last, so that nothing is missing whatever the one before had still said; if
 * both speak for a while, the robot hears some things twice, which is no harm.
 *
 * <p>Time decides only who says a thing, never what is said. It counts the dispatcher's ticks, as
 * {@link Silence} does. Owns how many there were since each publisher was heard of last, who has
 * lost the paths, and who speaks.
 */
final class Rostrum {

  // Ticks, however short patience is: publishers are heard of at each, if they are not busy.
  private static final int LEAST_PATIENCE = 3;
  private static final int LEAST_WAIT = 18;

  /** After so many ticks a publisher that is not heard of is taken as dead. */
  private final int mostTicks;

  /** After so many nobody waits any more for one that is not heard of. */
  private final int lastTick;

  private final int[] ticks;
  private final boolean[] lost;
  private int speaker;

  Rostrum(TopologySettings settings) {
    long patience = TimeUnit.NANOSECONDS.toSeconds(settings.patienceNanos()) / Bolt.TICK_SECONDS;
    mostTicks = Math.max(LEAST_PATIENCE, (int) patience);
    lastTick = Math.max(LEAST_WAIT, settings.readingTimeoutSeconds() / Bolt.TICK_SECONDS);
    ticks = new int[settings.publishers()];
    lost = new boolean[ticks.length];
  }

  int speaker() {
    return speaker;
  }

  /** This one speaks. */
  void give(int publisher) {
    speaker = publisher;
  }

  /** A publisher has the paths. */
  void following(int publisher) {
    ticks[publisher] = 0;
  }

  /** A publisher has not the paths, or not any more; it cannot have them again. */
  void lost(int publisher) {
    lost[publisher] = true;
    ticks[publisher] = 0;
  }

  /** A tick. */
  void tick() {
    for (int each = 0; each < ticks.length; each++) {
      ticks[each]++;
    }
  }

  /** True if no publisher has the paths: one has said so, and others have, or say nothing long. */
  boolean isHopeless() {
    boolean anyLost = false;
    boolean allGone = true;
    for (int each = 0; each < lost.length; each++) {
      anyLost |= lost[each];
      allGone &= lost[each] || ticks[each] > lastTick;
    }
    return anyLost && allGone;
  }

  /**
   * Looks who is to speak.
   *
   * @return true if it is another from now on
   */
  boolean changes() {
    int before = speaker;
    if (isHopeless()) {
      if (ticks[speaker] > mostTicks) {
        speaker = leastSilent();
      }
    } else if (lost[speaker] || ticks[speaker] > mostTicks) {
      for (int each = 0; each < lost.length; each++) {
        if (!lost[each] && (lost[speaker] || ticks[each] < ticks[speaker])) {
          speaker = each;
        }
      }
    }
    return speaker != before;
  }

  /** Somebody has to tell the robot that the paths are lost. */
  private int leastSilent() {
    int least = 0;
    for (int each = 1; each < ticks.length; each++) {
      least = ticks[each] < ticks[least] ? each : least;
    }
    return least;
  }
}
