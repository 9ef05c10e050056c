package org.cartostream.topology;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a publisher hears of a run whose paths it has not: once another has told it the story so
 * far, it hears all that again, and goes on from there.
 *
 * <p>Some of it is in the story already, which does no harm. What was still on its way to the other
 * when that told it, and came here before anybody listened, is in neither; such a gap shows by the
 * words that follow, and not before.
 *
 * <p>Owns these words, and how many offers to tell the story are let pass.
 */
final class Hearsay {

  /** Words hold scans. Who has heard more begins anew. */
  private static final int MOST_WORDS = 4096;

  /** A story that was asked for and does not come within so many offers never will. */
  private static final int PATIENCE = 5;

  private static final int MOST_PATIENCE = 80;

  private final List<Consumer<RunPublisher>> words = new ArrayList<>();
  private final int patience;
  private int passing;

  /** Of a publisher that was told no story yet: it asks at once. */
  Hearsay() {
    this(PATIENCE, 0);
  }

  private Hearsay(int patience, int passing) {
    this.patience = patience;
    this.passing = passing;
  }

  /** For the next time: whatever lost the paths may do so again, so it asks later and later. */
  Hearsay later() {
    int longer = Math.min(MOST_PATIENCE, 2 * patience);
    return new Hearsay(longer, longer);
  }

  void keep(Consumer<RunPublisher> word) {
    if (words.size() == MOST_WORDS) {
      words.clear();
      passing = 0;
    }
    words.add(word);
  }

  /** What was heard is of no more use. */
  void forget() {
    words.clear();
  }

  /** All that was heard, in its order. */
  Iterator<Consumer<RunPublisher>> words() {
    return words.iterator();
  }

  /** Another has offered to tell the story; true if it is to be asked for it. */
  boolean asks() {
    passing--;
    if (passing >= 0) {
      return false;
    }
    passing = patience;
    return true;
  }
}
