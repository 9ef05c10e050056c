package org.cartostream.topology;

import java.util.Iterator;
import java.util.function.Consumer;
import org.cartostream.topology.Payload.AmongPublishers;

/**
 * What one publisher has witnessed of a run.
 *
 * <p>Owns the run's {@link Chronicle}, and, while that has not the paths, the {@link Hearsay}: what
 * was said meanwhile, to be heard again when another publisher has told the story so far.
 */
final class Witness {

  private final boolean alone;
  private Chronicle chronicle;
  private Hearsay hearsay = new Hearsay();

  /**
   * @param alone true if there is no other that could tell a story
   */
  Witness(Chronicle chronicle, boolean alone) {
    this.chronicle = chronicle;
    this.alone = alone;
  }

  Chronicle chronicle() {
    return chronicle;
  }

  /** A word about the run; if the paths lack, or it shows that they lack, it is kept. */
  void hear(Consumer<Chronicle> word) {
    boolean knows = chronicle.hasPaths();
    if (!knows) {
      keep(word);
    }
    try {
      word.accept(chronicle);
    } catch (IllegalStateException gap) {
      if (knows) {
        keep(word);
      }
      throw gap;
    }
    if (chronicle.hasPaths()) {
      hearsay.forget(); // It was the run's beginning, and all that came before is in the chronicle.
    }
  }

  private void keep(Consumer<Chronicle> word) {
    if (!alone) {
      hearsay.keep(word);
    }
  }

  /** Another offers to tell the story; true if it is to be asked for it. */
  boolean asksForStory() {
    return !chronicle.lost().isEmpty() && hearsay.asks();
  }

  /**
   * Another has told the story; after that, it is as it was heard meanwhile.
   *
   * @param fresh chronicle, into which the story goes
   * @throws IllegalStateException if there is a gap between the two
   */
  void told(AmongPublishers.Story story, Chronicle fresh) {
    Iterator<Consumer<Chronicle>> meanwhile = hearsay.words();
    hearsay = hearsay.later();
    chronicle.close();
    chronicle = fresh;
    chronicle.goOn(story);
    try {
      while (meanwhile.hasNext()) {
        hear(meanwhile.next());
      }
    } finally {
      meanwhile.forEachRemaining(this::keep); // For the next story, if there was a gap.
    }
  }
}
