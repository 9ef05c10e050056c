package org.cartostream.topology.publish;

import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.answer.AnswerSender;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * The services that a {@link RunPublisher} calls: sending, time, loop closing, saving.
 *
 * @param clock of the publisher
 * @param nanoTime what maps wait by
 * @param closer begins a loop closure, and calls {@link RunPublisher#enterReady} when it is done
 * @param searches runs searches for loops on the way, and calls {@link RunPublisher#enterReady}
 *     after each
 * @param redraws runs what draws a map anew
 * @param saver saves the state of the run
 */
record PublisherCollaborators(
    AnswerSender.EnvelopeSink envelopeSink,
    PauseTolerantClock clock,
    LongSupplier nanoTime,
    Function<RecordedPath, LoopClosureJob> closer,
    Executor searches,
    Executor redraws,
    Saver saver) {

  /** Saves the state of a run after a reading, and does the rest when that may change again. */
  interface Saver {
    void save(long reading, RunPublisher.Saved state, Runnable then);
  }
}
