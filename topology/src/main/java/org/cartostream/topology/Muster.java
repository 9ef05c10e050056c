package org.cartostream.topology;

import java.util.Arrays;

/**
 * Counts whose {@link Payload.Mark}s of a round have come.
 *
 * <p>Owns that, for the latest round.
 */
final class Muster {

  private final boolean[] heard;
  private long round;

  /**
   * @param tasks how many there are
   */
  Muster(int tasks) {
    heard = new boolean[tasks];
  }

  /**
   * A mark has come; marks of an earlier round say nothing any more.
   *
   * @return true if all of its round have, now or before: what follows from it may have been lost
   */
  boolean isCompletedBy(Payload.Mark mark) {
    if (mark.round() < round) {
      return false;
    }
    if (mark.round() > round) {
      round = mark.round();
      Arrays.fill(heard, false);
    }
    heard[mark.task()] = true;
    for (boolean each : heard) {
      if (!each) {
        return false;
      }
    }
    return true;
  }
}
