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
 * In {@link ResamplingMode#BSP} there is no resampler; what goes from matcher to matcher goes by
 * collectives, outside of the streams, and each matcher sends itself their results (gathered,
 * exchanged); one of them sends the resampling-results.
 *
 * <p><b>Recovery</b> is the same for every failure. A run begins, and goes on after a failure, by
 * {@link #RESTORE}: each component loads its part of a checkpoint, or begins with nothing, and
 * answers {@link #RESTORED}. A checkpoint is taken by {@link #BARRIERS}: each component saves its
 * state as it is after the reading that the barrier names, and says so by {@link #STORED}; the
 * resampler is told of the barrier by {@link #WEIGHTS_BARRIERS}. A component that receives
 * something of a run that it does not know, or that fails at something, says so by {@link #FAILED},
 * and the dispatcher restores the run.
 *
 * <p>A run is let go of by {@link #RUN_CLOSED}, and by {@link IdleRunDetector} where nothing is
 * heard of it any more; so of those that live the dispatcher sends {@link #KEEP_ALIVE}. Not drawn:
 * a matcher's message to itself while it works ahead (continue), and the publisher's when the loops
 * of a run's path are closed, or its part of a checkpoint is read (background-done); and either's
 * when another thread has done what is much work for one run (offload-done). And pause-maps and the
 * publisher's response-sent, of a reading at which a process may end.
 */
public final class Streams {

  /** Messages from the thread of the broker's connection, which is the dispatcher's own. */
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
   * A matcher's message to itself, so that it reads others between one piece of work and the next.
   */
  public static final Direct<Matchers, Matchers, Payload.ContinueWork> CONTINUE =
      amongMatchers("continue", Payload.ContinueWork.class);

  /** A matcher's message to itself: the weights of all tasks. Comes from any thread. */
  public static final Direct<Matchers, Matchers, Payload.CollectiveResult> GATHERED =
      amongMatchers("gathered", Payload.CollectiveResult.class);

  /** A matcher's message to itself: the particles that come to it. Comes from any thread. */
  public static final Direct<Matchers, Matchers, Payload.CollectiveResult> EXCHANGED =
      amongMatchers("exchanged", Payload.CollectiveResult.class);

  public static final Shared<Matchers, Dispatcher, Payload.Ready> READY =
      Stream.byRobot("ready", Matchers.class, Dispatcher.class, Payload.Ready.class);

  /** Decisions from the resampler, or from the matcher that sends them for all. */
  public static final Shared<Restorable, Publisher, Payload.ResamplingResult> RESAMPLING_RESULTS =
      Stream.byRobot(
          "resampling-results", Restorable.class, Publisher.class, Payload.ResamplingResult.class);

  public static final Shared<Dispatcher, Publisher, Payload.Admitted> ADMITTED =
      toPublisher("admitted", Payload.Admitted.class);

  public static final Shared<Dispatcher, Publisher, Payload.Served> SERVED =
      toPublisher("served", Payload.Served.class);

  /** Before a reading at which a process may end, and after it. */
  public static final Shared<Dispatcher, Publisher, Payload.PauseMaps> PAUSE_MAPS =
      toPublisher("pause-maps", Payload.PauseMaps.class);

  /**
   * Statements that maps are held for a reading at which a process may end, and that it is
   * answered: until then it may be to blame.
   */
  public static final Shared<Publisher, Dispatcher, Payload.ResponseSent> RESPONSE_SENT =
      Stream.byRobot(
          "response-sent", Publisher.class, Dispatcher.class, Payload.ResponseSent.class);

  /** Size of the publisher's map of a run in memory. */
  public static final Shared<Publisher, Dispatcher, Payload.MapMemoryUse> MAP_MEMORY =
      Stream.byRobot("map-memory", Publisher.class, Dispatcher.class, Payload.MapMemoryUse.class);

  /** A process runs out of memory. */
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
   * A publisher's message to itself, that it can send the final result, that the loops are found
   * for which readings may wait, or that what it is to restore is read. Comes from another thread.
   */
  public static final Direct<Publisher, Publisher, Payload.BackgroundDone> BACKGROUND_DONE =
      Stream.direct(
          "background-done", Publisher.class, Publisher.class, Payload.BackgroundDone.class);

  /** A matcher's message to itself, when another thread has used a run's state. From there. */
  public static final Direct<Matchers, Matchers, Payload.OffloadDone> MATCHER_OFFLOAD_DONE =
      amongMatchers("matcher-offload-done", Payload.OffloadDone.class);

  /** Messages of a publisher to itself, when another thread has used a run's state. */
  public static final Direct<Publisher, Publisher, Payload.OffloadDone> PUBLISHER_OFFLOAD_DONE =
      Stream.direct(
          "publisher-offload-done", Publisher.class, Publisher.class, Payload.OffloadDone.class);

  public static final Shared<Dispatcher, Restorable, Payload.RunClosed> RUN_CLOSED =
      Stream.toEach("run-closed", Dispatcher.class, Restorable.class, Payload.RunClosed.class);

  /** The dispatcher's, of a run that stands still; others' when a run is restored. */
  public static final Shared<Component, Restorable, Payload.RunKeepAlive> KEEP_ALIVE =
      Stream.toEach("keep-alive", Component.class, Restorable.class, Payload.RunKeepAlive.class);

  /** Something of a run cannot be done, or is not here. */
  public static final Shared<Component, Dispatcher, Payload.Failed> FAILED =
      Stream.byRobot("failed", Component.class, Dispatcher.class, Payload.Failed.class);

  /** Marks to matchers and publisher. */
  public static final Shared<Dispatcher, Restorable, Payload.CheckpointBarrier> BARRIERS =
      Stream.toEach("barrier", Dispatcher.class, Restorable.class, Payload.CheckpointBarrier.class);

  /** The first matcher's: behind its weights of what is to be saved, before all others of it. */
  public static final Shared<Matchers, Resampler, Payload.CheckpointBarrier> WEIGHTS_BARRIERS =
      Stream.byRobot(
          "weights-barrier", Matchers.class, Resampler.class, Payload.CheckpointBarrier.class);

  /** Comes from the thread that writes. */
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
