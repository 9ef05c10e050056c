package org.cartostream.topology.stream;

import org.cartostream.topology.run.IdleRunDetector;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.stream.Stream.Direct;
import org.cartostream.topology.stream.Stream.Shared;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.Component.Dispatcher;
import org.cartostream.topology.task.Component.Matchers;
import org.cartostream.topology.task.Component.Publisher;
import org.cartostream.topology.task.Component.Resampler;
import org.cartostream.topology.task.Component.Restorable;

/**
 * Every stream of the topology. In {@link ResamplingMode#DATAFLOW}:
 *
 * <pre>
 *  broker ──arrivals──> Dispatcher ──────key-frames──────> Matchers × M ⇄ particles
 *                        ^  │                                 │  │     ^
 *                        └──│──────────────ready──────────────┘  │     │
 *                           │                                 weights  │
 *                           │                                    v decisions
 *                           v                                  Resampler
 *                        Publisher ◄──resampling-results─────────┘
 *        admitted, served, refused, lost, duplicate, resend-request, ended
 * </pre>
 *
 * In {@link ResamplingMode#BSP} there is no resampler. Matchers exchange weights and particles by
 * collective operations, outside of the streams; each matcher sends itself their results (gathered,
 * exchanged), and one matcher sends the resampling-results.
 *
 * <p><b>Recovery</b> is the same for every failure. A run begins, and goes on after a failure, by
 * {@link #RESTORE}: each component loads its part of a checkpoint, or begins with nothing, and
 * answers {@link #RESTORED}. A checkpoint is taken by {@link #BARRIERS}: each component saves its
 * state as it is after the reading that the barrier names, and reports that by {@link #STORED}; the
 * resampler gets its barrier by {@link #WEIGHTS_BARRIERS}. A component that receives a message
 * about a run whose state it has lost, or that fails, reports that by {@link #FAILED}, and the
 * dispatcher restores the run.
 *
 * <p>Components forget a run by {@link #RUN_CLOSED}, or by {@link IdleRunDetector} if they receive
 * no message about it for long; so the dispatcher sends {@link #KEEP_ALIVE} of runs that are idle.
 * Not drawn are messages of a component to itself: a matcher's while it works ahead (continue), the
 * publisher's when background work is done (background-done), and those of both when another thread
 * has finished large work for one run (offload-done). Also not drawn are pause-maps and
 * response-sent, for readings that are suspected of crashing a process.
 */
public final class Streams {

  /** Robots' messages, from the thread of the dispatcher's connection to the broker. */
  public static final Direct<Dispatcher, Dispatcher, Payload.Arrival> ARRIVALS =
      Stream.direct("arrivals", Dispatcher.class, Dispatcher.class, Payload.Arrival.class);

  public static final Shared<Dispatcher, Matchers, Payload.KeyFrame> KEY_FRAMES =
      Stream.toEach("key-frames", Dispatcher.class, Matchers.class, Payload.KeyFrame.class);

  public static final Shared<Matchers, Resampler, Payload.TaskWeights> WEIGHTS =
      Stream.byRobot("weights", Matchers.class, Resampler.class, Payload.TaskWeights.class);

  public static final Shared<Resampler, Matchers, Payload.ResamplingDecision> RESAMPLING_DECISIONS =
      Stream.toEach("decisions", Resampler.class, Matchers.class, Payload.ResamplingDecision.class);

  public static final Direct<Matchers, Matchers, Payload.ParticleDelivery> PARTICLES =
      amongMatchers("particles", Payload.ParticleDelivery.class);

  /**
   * A matcher's message to itself while it works ahead, so that it reads other messages between two
   * pieces of work.
   */
  public static final Direct<Matchers, Matchers, Payload.ContinueWork> CONTINUE =
      amongMatchers("continue", Payload.ContinueWork.class);

  /** A matcher's message to itself with the weights of all tasks, from any thread. */
  public static final Direct<Matchers, Matchers, Payload.CollectiveResult> GATHERED =
      amongMatchers("gathered", Payload.CollectiveResult.class);

  /** A matcher's message to itself with the particles that move to it, from any thread. */
  public static final Direct<Matchers, Matchers, Payload.CollectiveResult> EXCHANGED =
      amongMatchers("exchanged", Payload.CollectiveResult.class);

  public static final Shared<Matchers, Dispatcher, Payload.Ready> READY =
      Stream.byRobot("ready", Matchers.class, Dispatcher.class, Payload.Ready.class);

  /**
   * Resampling decisions for the publisher, from the resampler or the one matcher that sends them.
   */
  public static final Shared<Restorable, Publisher, Payload.ResamplingResult> RESAMPLING_RESULTS =
      Stream.byRobot(
          "resampling-results", Restorable.class, Publisher.class, Payload.ResamplingResult.class);

  public static final Shared<Dispatcher, Publisher, Payload.Admitted> ADMITTED =
      toPublisher("admitted", Payload.Admitted.class);

  public static final Shared<Dispatcher, Publisher, Payload.Served> SERVED =
      toPublisher("served", Payload.Served.class);

  /**
   * Requests to pause the drawing of maps, before a reading that is suspected of crashing a
   * process, and to end the pause after it.
   */
  public static final Shared<Dispatcher, Publisher, Payload.PauseMaps> PAUSE_MAPS =
      toPublisher("pause-maps", Payload.PauseMaps.class);

  /**
   * Replies that the drawing of maps is paused for a suspected reading, and that the reading is
   * answered.
   */
  public static final Shared<Publisher, Dispatcher, Payload.ResponseSent> RESPONSE_SENT =
      Stream.byRobot(
          "response-sent", Publisher.class, Dispatcher.class, Payload.ResponseSent.class);

  /** Memory of the publisher's map of a run. */
  public static final Shared<Publisher, Dispatcher, Payload.MapMemoryUse> MAP_MEMORY =
      Stream.byRobot("map-memory", Publisher.class, Dispatcher.class, Payload.MapMemoryUse.class);

  /** Notices that a process runs out of memory. */
  public static final Shared<Restorable, Dispatcher, Payload.MemoryPressure> MEMORY_PRESSURE =
      Stream.byRobot(
          "memory-pressure", Restorable.class, Dispatcher.class, Payload.MemoryPressure.class);

  public static final Shared<Dispatcher, Publisher, Payload.ReadingRefused> REFUSED =
      toPublisher("refused", Payload.ReadingRefused.class);

  public static final Shared<Dispatcher, Publisher, Payload.ReadingLost> LOST =
      toPublisher("lost", Payload.ReadingLost.class);

  public static final Shared<Dispatcher, Publisher, Payload.DuplicateReading> DUPLICATE =
      toPublisher("duplicate", Payload.DuplicateReading.class);

  public static final Shared<Dispatcher, Publisher, Payload.ResendRequest> RESEND_REQUEST =
      toPublisher("resend-request", Payload.ResendRequest.class);

  public static final Shared<Dispatcher, Publisher, Payload.Ended> ENDED =
      toPublisher("ended", Payload.Ended.class);

  /**
   * The publisher's messages to itself, from other threads, that loops are closed or searched, or
   * that a state to restore has been read.
   */
  public static final Direct<Publisher, Publisher, Payload.BackgroundDone> BACKGROUND_DONE =
      Stream.direct(
          "background-done", Publisher.class, Publisher.class, Payload.BackgroundDone.class);

  /**
   * A matcher's message to itself, from another thread, that this thread has finished its work on a
   * run's state.
   */
  public static final Direct<Matchers, Matchers, Payload.OffloadDone> MATCHER_OFFLOAD_DONE =
      amongMatchers("matcher-offload-done", Payload.OffloadDone.class);

  /**
   * The publisher's message to itself, from another thread, that this thread has finished its work
   * on a run's state.
   */
  public static final Direct<Publisher, Publisher, Payload.OffloadDone> PUBLISHER_OFFLOAD_DONE =
      Stream.direct(
          "publisher-offload-done", Publisher.class, Publisher.class, Payload.OffloadDone.class);

  public static final Shared<Dispatcher, Restorable, Payload.RunClosed> RUN_CLOSED =
      Stream.toEach("run-closed", Dispatcher.class, Restorable.class, Payload.RunClosed.class);

  /**
   * Keep-alives of idle runs from the dispatcher; from other components, messages without content
   * during a restore.
   */
  public static final Shared<Component, Restorable, Payload.RunKeepAlive> KEEP_ALIVE =
      Stream.toEach("keep-alive", Component.class, Restorable.class, Payload.RunKeepAlive.class);

  /** Notices that a component has failed at a run, or has lost its state. */
  public static final Shared<Component, Dispatcher, Payload.Failed> FAILED =
      Stream.byRobot("failed", Component.class, Dispatcher.class, Payload.Failed.class);

  /** Checkpoint barriers for matchers and publisher. */
  public static final Shared<Dispatcher, Restorable, Payload.CheckpointBarrier> BARRIERS =
      Stream.toEach("barrier", Dispatcher.class, Restorable.class, Payload.CheckpointBarrier.class);

  /**
   * Checkpoint barriers for the resampler, from the first matcher, between its weights up to the
   * barrier's reading and later ones.
   */
  public static final Shared<Matchers, Resampler, Payload.CheckpointBarrier> WEIGHTS_BARRIERS =
      Stream.byRobot(
          "weights-barrier", Matchers.class, Resampler.class, Payload.CheckpointBarrier.class);

  /** Results of storing parts of a checkpoint, from the thread that writes. */
  public static final Shared<Component, Dispatcher, Payload.Stored> STORED =
      Stream.byRobot("stored", Component.class, Dispatcher.class, Payload.Stored.class);

  public static final Shared<Dispatcher, Restorable, Payload.Restore> RESTORE =
      Stream.toEach("restore", Dispatcher.class, Restorable.class, Payload.Restore.class);

  public static final Shared<Component, Dispatcher, Payload.Restored> RESTORED =
      Stream.byRobot("restored", Component.class, Dispatcher.class, Payload.Restored.class);

  private Streams() {}

  private static <P extends Payload> Shared<Dispatcher, Publisher, P> toPublisher(
      String name, Class<P> payload) {
    return Stream.byRobot(name, Dispatcher.class, Publisher.class, payload);
  }

  private static <P extends Payload> Direct<Matchers, Matchers, P> amongMatchers(
      String name, Class<P> payload) {
    return Stream.direct(name, Matchers.class, Matchers.class, payload);
  }
}
