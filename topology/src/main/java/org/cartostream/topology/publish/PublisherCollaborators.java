package org.cartostream.topology.publish;

import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.response.ResponseSender;
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
 * @param offload does what would hold up all robots
 */
record PublisherCollaborators(
    ResponseSender.EnvelopeSink envelopeSink,
    PauseTolerantClock clock,
    LongSupplier nanoTime,
    Function<RecordedPath, LoopClosureJob> closer,
    Executor searches,
    Executor redraws,
    Offload offload) {

  /**
   * Executes work on the run's state in another thread, then continues when the state may change
   * again.
   */
  interface Offload {

    /** Saves the state as it is after a reading. */
    void save(long reading, RunPublisher.Saved state, Runnable then);

    /** Has something else done with it. */
    <T> void use(Supplier<T> work, Consumer<T> then);
  }
}
