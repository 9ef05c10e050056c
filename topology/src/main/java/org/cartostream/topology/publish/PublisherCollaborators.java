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
 * The services that a {@link RunPublisher} uses: sending, time, loop closing, saving.
 *
 * @param envelopeSink sink of messages to the robot
 * @param clock clock of the publisher, which measures time-outs
 * @param nanoTime clock that measures map intervals, nanoseconds
 * @param closer begins the loop closure at a run's end, and has {@link RunPublisher#enterReady}
 *     called when it is done
 * @param searches executor of searches for loops during the run; has {@link
 *     RunPublisher#enterReady} called after each
 * @param redraws executor for drawing maps anew
 * @param offload runs long work on the run's state in another thread
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
   * Runner of work on the run's state in another thread; {@code then} runs in the publisher's
   * thread when the state may change again.
   */
  interface Offload {

    /** Saves the state as it is after a reading. */
    void save(long reading, RunPublisher.Saved state, Runnable then);

    /** Runs other work on the state; {@code then} takes its result. */
    <T> void use(Supplier<T> work, Consumer<T> then);
  }
}
