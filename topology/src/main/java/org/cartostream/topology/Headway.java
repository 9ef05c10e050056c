package org.cartostream.topology;

/**
 * Whether another publisher has heard more of a run than this one: of a robot that stands still
 * nothing else shows that the last words about it were lost on their way.
 *
 * <p>What the other had heard some offers ago should be here by now. Owns that offer.
 */
final class Headway {

  private static final int OFFERS = 5;

  /** Null before the first. */
  private Payload.AmongPublishers.Offer before;

  private int since;

  /**
   * Another offers its story.
   *
   * @param mine what this publisher could offer
   * @return true if this one lacks what the other had some offers ago
   */
  boolean isBehind(Payload.AmongPublishers.Offer other, Payload.AmongPublishers.Offer mine) {
    if (before != null && ++since < OFFERS) {
      return false;
    }
    boolean behind =
        before != null
            && (mine.generation() < before.generation()
                || mine.admitted() < before.admitted()
                || mine.answered() < before.answered());
    before = other;
    since = 0;
    return behind;
  }
}
