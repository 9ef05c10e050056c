package org.cartostream.topology;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cartostream.topology.run.IdleRunDetector;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which publisher speaks to the robot of one run. All of them hear every word and keep the paths;
 * when the one that speaks has lost them, or is not heard of for long, another does. It says again
 * what was answered last, so that nothing is missing whatever the one before had still said; if
 * both speak for a while, the robot hears some things twice, which is no harm.
 *
 * <p>Time decides only who says a thing, never what is said. It counts the dispatcher's ticks, as
 * {@link IdleRunDetector} does. Owns how many there were since each publisher was heard of last,
 * who has lost the paths, and who speaks; and tells the publishers.
 */
final class Rostrum {

  private static final Logger LOG = LoggerFactory.getLogger(Rostrum.class);

  // Ticks, however short patience is: publishers are heard of at each, if they are not busy.
  private static final int LEAST_PATIENCE = 3;
  private static final int LEAST_WAIT = 18;

  /** After so many ticks a publisher that is not heard of is taken as dead. */
  private final int mostTicks;

  /** After so many nobody waits any more for one that is not heard of. */
  private final int lastTick;

  private final Run run;
  private final Consumer<Payload.Speaker> voice;

  private final int[] ticks;
  private final boolean[] lost;
  private int speaker;

  /**
   * @param voice tells all publishers which of them speaks
   */
  Rostrum(Run run, TopologySettings settings, Consumer<Payload.Speaker> voice) {
    this.run = run;
    this.voice = voice;
    long patience = TimeUnit.NANOSECONDS.toSeconds(settings.patienceNanos()) / Bolt.TICK_SECONDS;
    mostTicks = Math.max(LEAST_PATIENCE, (int) patience);
    lastTick = Math.max(LEAST_WAIT, settings.readingTimeoutSeconds() / Bolt.TICK_SECONDS);
    ticks = new int[settings.publishers()];
    lost = new boolean[ticks.length];
  }

  int speaker() {
    return speaker;
  }

  /** Names the one that speaks, to all publishers. */
  void name(int publisher) {
    speaker = publisher;
    voice.accept(new Payload.Speaker(run, publisher));
  }

  /**
   * A publisher has the paths, or has not; another may tell it. If it does not know who speaks,
   * that is said again.
   */
  void hear(Payload.Following word) {
    ticks[word.publisher()] = 0;
    lost[word.publisher()] = !word.lost().isEmpty();
    look();
    if (word.speaks() != (word.publisher() == speaker)) {
      name(speaker);
    }
  }

  /** A tick: looks who is to speak. */
  void tick() {
    for (int each = 0; each < ticks.length; each++) {
      ticks[each]++;
    }
    look();
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

  private void look() {
    int next = next();
    if (next != speaker) {
      LOG.warn("{}: publisher {} speaks from now on", run, next);
      name(next);
    }
  }

  private int next() {
    boolean isSilent = ticks[speaker] > mostTicks;
    if (isHopeless()) {
      return isSilent ? leastSilent() : speaker;
    }
    int next = speaker;
    if (lost[speaker] || isSilent) {
      for (int each = 0; each < lost.length; each++) {
        if (!lost[each] && (lost[next] || ticks[each] < ticks[next])) {
          next = each;
        }
      }
    }
    return next;
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
