package org.cartostream.topology;

import java.util.Arrays;

/**
 * Counts whose {@link Payload.Mark}s of a round have come. Each time that the round's question is
 * asked again they come once more, for what followed from them may have been lost.
 *
 * <p>Owns how often, for the latest round.
 */
final class Muster {

  private final int[] heard;
  private long round;
  private int completed;

  /**
   * @param tasks how many there are
   */
  Muster(int tasks) {
    heard = new int[tasks];
  }

  /**
   * A mark has come; marks of an earlier round say nothing any more.
   *
   * @return true if with it all have come once more. Not with each that comes after: what follows
   *     from it goes to all tasks, and would come back from each of them
   */
  boolean isCompletedBy(Payload.Mark mark) {
    if (mark.round() < round) {
      return false;
    }
    if (mark.round() > round) {
      round = mark.round();
      completed = 0;
      Arrays.fill(heard, 0);
    }
    heard[mark.task()]++;
    int all = Arrays.stream(heard).min().orElseThrow();
    boolean more = all > completed;
    completed = all;
    return more;
  }
}
