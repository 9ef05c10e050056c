package org.cartostream.topology;

import java.util.Iterator;
import java.util.function.Consumer;
import org.cartostream.topology.Payload.AmongPublishers;

/**
 * What one publisher has witnessed of a run.
 *
 * <p>Owns the run's {@link RunPublisher}, and, while that has not the paths, the {@link Hearsay}:
 * what was said meanwhile, to be heard again when another publisher has told the story so far.
 */
final class Witness {

  private final boolean alone;
  private RunPublisher runPublisher;
  private Hearsay hearsay = new Hearsay();

  /**
   * @param alone true if there is no other that could tell a story
   */
  Witness(RunPublisher runPublisher, boolean alone) {
    this.runPublisher = runPublisher;
    this.alone = alone;
  }

  RunPublisher chronicle() {
    return runPublisher;
  }

  /** A word about the run; if the paths lack, or it shows that they lack, it is kept. */
  void hear(Consumer<RunPublisher> word) {
    boolean knows = runPublisher.hasPaths();
    if (!knows) {
      keep(word);
    }
    try {
      word.accept(runPublisher);
    } catch (IllegalStateException gap) {
      if (knows) {
        keep(word);
      }
      throw gap;
    }
    if (runPublisher.hasPaths()) {
      hearsay.forget(); // It was the run's beginning, and all that came before is in the chronicle.
    }
  }

  private void keep(Consumer<RunPublisher> word) {
    if (!alone) {
      hearsay.keep(word);
    }
  }

  /** Another offers to tell the story; true if it is to be asked for it. */
  boolean asksForStory() {
    return !runPublisher.lost().isEmpty() && hearsay.asks();
  }

  /**
   * Another has told the story; after that, it is as it was heard meanwhile.
   *
   * @param fresh chronicle, into which the story goes
   * @throws IllegalStateException if there is a gap between the two
   */
  void told(AmongPublishers.Story story, RunPublisher fresh) {
    Iterator<Consumer<RunPublisher>> meanwhile = hearsay.words();
    hearsay = hearsay.later();
    runPublisher.close();
    runPublisher = fresh;
    runPublisher.restore(story);
    try {
      while (meanwhile.hasNext()) {
        hear(meanwhile.next());
      }
    } finally {
      meanwhile.forEachRemaining(this::keep); // For the next story, if there was a gap.
    }
  }
}
