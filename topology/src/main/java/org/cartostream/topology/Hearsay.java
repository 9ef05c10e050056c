package org.cartostream.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a publisher hears of a run whose paths it has not: once another has told it the story so
 * far, it hears all that again, and goes on from there.
 *
 * <p>Some of it is in the story already, which does no harm. What was still on its way to the other
 * when that told it, and came here before anybody listened, is in neither: such a gap shows as any
 * other does, and the story is asked for again.
 *
 * <p>Owns these words, and how many offers to tell the story are let pass.
 */
final class Hearsay {

  /** Words hold scans. Who has heard more begins anew. */
  private static final int MOST = 4096;

  /** A story that was asked for and does not come within so many offers never will. */
  private static final int PATIENCE = 5;

  private final List<Consumer<Chronicle>> words = new ArrayList<>();
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
    return new Hearsay(2 * patience, 2 * patience);
  }

  void keep(Consumer<Chronicle> word) {
    if (words.size() == MOST) {
      words.clear();
      passing = 0;
    }
    words.add(word);
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

  /** Says it all again. */
  void tell(Chronicle to) {
    words.forEach(to::hear);
  }
}
