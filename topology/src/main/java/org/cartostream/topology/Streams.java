package org.cartostream.topology;

import org.cartostream.topology.Payload.AmongPublishers;
import org.cartostream.topology.Stream.Direct;
import org.cartostream.topology.Stream.Shared;
import org.cartostream.topology.run.IdleRunDetector;
import org.cartostream.topology.settings.Mode;
import org.cartostream.topology.task.Component;

/**
 * Every stream of the topology. In {@link Mode#DATAFLOW}:
 *
 * <pre>
 *  Robots ──arrivals──> Dispatcher ──key-frames, matchers-over──> Matchers × M ⇄ particles
 *                        ^  │ │                                    │  │     ^
 *                        │  │ └───────resampler-over─────────┐     │  │     │
 *                        └──│────────────ready───────────────│─────┘  │     │
 *                           │                                v        │     │
 *                           │                             Resampler <─weights
 *                           │                                │ └───decisions┘
 *                           v                                │
 *                        Publisher <───resampling-results────┘
 *        admitted, served, refused, lost, repeated, ended, publisher-over
 * </pre>
 *
 * In {@link Mode#BSP} there is no resampler; what goes from matcher to matcher goes by collectives,
 * outside of the streams, and each matcher sends itself their results:
 *
 * <pre>
 *  Dispatcher ──key-frames, matchers-over──> Matchers × M ↺ gathered, exchanged
 *      ^                                      │  │
 *      └────────────────ready─────────────────┘  └──bsp-results──> Publisher
 * </pre>
 *
 * When a reading takes long, the dispatcher asks who is there (roll-calls, present), and behind all
 * that is on its way from task to task goes a mark (opinions-end, verdicts-end, deliveries-end), so
 * that it shows whether something was lost; in {@link Mode#BSP} the collectives report it
 * (exchange-failed). Then the run goes on with copies of the particles that are left (rebirths,
 * survivors, wanted, reborn, settled), see {@link Mending}. A dispatcher whose worker died has a
 * successor that asks the others what they know of its runs (recalls, recalled, publisher-recalls,
 * remembered, resumed), see {@link Recollection}. A run of which no message has come for long is
 * released ({@link IdleRunDetector}); for those that live the dispatcher sends one now and then
 * (matchers-alive, resampler-alive, publisher-alive). Where there are several processes there are
 * two publishers: both receive all, and the dispatcher chooses which of them answers a robot
 * (following, speakers), see {@link Rostrum}; one that was started anew, or missed a message, gets
 * a snapshot of the run from the other (offers, requests, stories).
 *
 * <p>Not drawn: a matcher's message to itself while it waits for a decision (continue), and a
 * publisher's when the loops of a run's path are closed (loops-closed); and a component that fails
 * at something of a run reports that to the dispatcher (matchers-failed, resampler-failed), which
 * ends the run.
 */
public final class Streams {

  public static final Shared<Component.Robots, Component.Dispatcher, Payload.Arrival> ARRIVALS =
      Stream.byRobot(
          "arrivals", Component.Robots.class, Component.Dispatcher.class, Payload.Arrival.class);

  public static final Shared<Component.Dispatcher, Component.Matchers, Payload.KeyFrame>
      KEY_FRAMES =
          Stream.toEach(
              "key-frames",
              Component.Dispatcher.class,
              Component.Matchers.class,
              Payload.KeyFrame.class);

  public static final Shared<Component.Matchers, Component.Resampler, Payload.TaskWeights> WEIGHTS =
      Stream.byRobot(
          "weights",
          Component.Matchers.class,
          Component.Resampler.class,
          Payload.TaskWeights.class);

  public static final Shared<Component.Resampler, Component.Matchers, Payload.ResamplingDecision>
      RESAMPLING_DECISIONS =
          Stream.toEach(
              "decisions",
              Component.Resampler.class,
              Component.Matchers.class,
              Payload.ResamplingDecision.class);

  public static final Direct<Component.Matchers, Component.Matchers, Payload.ParticleDelivery>
      PARTICLES =
          Stream.direct(
              "particles",
              Component.Matchers.class,
              Component.Matchers.class,
              Payload.ParticleDelivery.class);

  /**
   * A matcher's message to itself, so that it reads others between one piece of work and the next.
   */
  public static final Direct<Component.Matchers, Component.Matchers, Payload.ContinueWork>
      CONTINUE =
          Stream.direct(
              "continue",
              Component.Matchers.class,
              Component.Matchers.class,
              Payload.ContinueWork.class);

  /** A matcher's message to itself: the weights of all tasks. Comes from any thread. */
  public static final Direct<Component.Matchers, Component.Matchers, Payload.CollectiveResult>
      GATHERED =
          Stream.direct(
              "gathered",
              Component.Matchers.class,
              Component.Matchers.class,
              Payload.CollectiveResult.class);

  /** A matcher's message to itself: the particles that come to it. Comes from any thread. */
  public static final Direct<Component.Matchers, Component.Matchers, Payload.CollectiveResult>
      EXCHANGED =
          Stream.direct(
              "exchanged",
              Component.Matchers.class,
              Component.Matchers.class,
              Payload.CollectiveResult.class);

  /** The decision that all matchers have come to, from one of them. */
  public static final Shared<Component.Matchers, Component.Publisher, Payload.ResamplingResult>
      BSP_RESAMPLING_RESULTS =
          Stream.toEach(
              "bsp-results",
              Component.Matchers.class,
              Component.Publisher.class,
              Payload.ResamplingResult.class);

  public static final Shared<Component.Matchers, Component.Dispatcher, Payload.Ready> READY =
      Stream.byRobot(
          "ready", Component.Matchers.class, Component.Dispatcher.class, Payload.Ready.class);

  public static final Shared<Component.Resampler, Component.Publisher, Payload.ResamplingResult>
      RESAMPLING_RESULTS =
          Stream.toEach(
              "resampling-results",
              Component.Resampler.class,
              Component.Publisher.class,
              Payload.ResamplingResult.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.Admitted> ADMITTED =
      toPublishers("admitted", Payload.Admitted.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.Served> SERVED =
      toPublishers("served", Payload.Served.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.ReadingRefused>
      REFUSED = toPublishers("refused", Payload.ReadingRefused.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.ReadingLost> LOST =
      toPublishers("lost", Payload.ReadingLost.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.ReadingRepeated>
      REPEATED = toPublishers("repeated", Payload.ReadingRepeated.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.Ended> ENDED =
      toPublishers("ended", Payload.Ended.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.RunReleased>
      PUBLISHER_RELEASED = toPublishers("publisher-over", Payload.RunReleased.class);

  public static final Shared<Component.Dispatcher, Component.Matchers, Payload.RunReleased>
      MATCHERS_RELEASED =
          Stream.toEach(
              "matchers-over",
              Component.Dispatcher.class,
              Component.Matchers.class,
              Payload.RunReleased.class);

  public static final Shared<Component.Dispatcher, Component.Resampler, Payload.RunReleased>
      RESAMPLER_RELEASED =
          Stream.byRobot(
              "resampler-over",
              Component.Dispatcher.class,
              Component.Resampler.class,
              Payload.RunReleased.class);

  public static final Shared<Component.Dispatcher, Component.Matchers, Payload.RunKeepAlive>
      MATCHERS_KEEP_ALIVE =
          Stream.toEach(
              "matchers-alive",
              Component.Dispatcher.class,
              Component.Matchers.class,
              Payload.RunKeepAlive.class);

  public static final Shared<Component.Dispatcher, Component.Resampler, Payload.RunKeepAlive>
      RESAMPLER_KEEP_ALIVE =
          Stream.byRobot(
              "resampler-alive",
              Component.Dispatcher.class,
              Component.Resampler.class,
              Payload.RunKeepAlive.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.RunKeepAlive>
      PUBLISHER_KEEP_ALIVE = toPublishers("publisher-alive", Payload.RunKeepAlive.class);

  public static final Shared<Component.Dispatcher, Component.Matchers, Payload.RollCall>
      ROLL_CALLS =
          Stream.toEach(
              "roll-calls",
              Component.Dispatcher.class,
              Component.Matchers.class,
              Payload.RollCall.class);

  public static final Shared<Component.Matchers, Component.Dispatcher, Payload.Present> PRESENT =
      Stream.byRobot(
          "present", Component.Matchers.class, Component.Dispatcher.class, Payload.Present.class);

  /** Goes where a matcher's weights go. */
  public static final Shared<Component.Matchers, Component.Resampler, Payload.Mark> OPINIONS_END =
      Stream.byRobot(
          "opinions-end", Component.Matchers.class, Component.Resampler.class, Payload.Mark.class);

  public static final Shared<Component.Resampler, Component.Matchers, Payload.Mark> VERDICTS_END =
      Stream.toEach(
          "verdicts-end", Component.Resampler.class, Component.Matchers.class, Payload.Mark.class);

  public static final Shared<Component.Matchers, Component.Matchers, Payload.Mark> DELIVERIES_END =
      Stream.toEach(
          "deliveries-end", Component.Matchers.class, Component.Matchers.class, Payload.Mark.class);

  public static final Shared<Component.Matchers, Component.Dispatcher, Payload.ExchangeFailed>
      EXCHANGE_FAILED =
          Stream.byRobot(
              "exchange-failed",
              Component.Matchers.class,
              Component.Dispatcher.class,
              Payload.ExchangeFailed.class);

  public static final Shared<Component.Dispatcher, Component.Matchers, Payload.Rebirth> REBIRTHS =
      Stream.toEach(
          "rebirths", Component.Dispatcher.class, Component.Matchers.class, Payload.Rebirth.class);

  public static final Shared<Component.Dispatcher, Component.Resampler, Payload.Rebirth>
      RESAMPLER_REBIRTHS =
          Stream.byRobot(
              "resampler-rebirths",
              Component.Dispatcher.class,
              Component.Resampler.class,
              Payload.Rebirth.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.Rebirth>
      PUBLISHER_REBIRTHS = toPublishers("publisher-rebirths", Payload.Rebirth.class);

  /** What the dispatcher has gathered of a key frame on which there will be no decision. */
  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.ResamplingResult>
      SETTLED = toPublishers("settled", Payload.ResamplingResult.class);

  public static final Direct<Component.Matchers, Component.Matchers, Payload.Wanted> WANTED =
      Stream.direct(
          "wanted", Component.Matchers.class, Component.Matchers.class, Payload.Wanted.class);

  public static final Direct<Component.Matchers, Component.Matchers, Payload.Survivor> SURVIVORS =
      Stream.direct(
          "survivors", Component.Matchers.class, Component.Matchers.class, Payload.Survivor.class);

  public static final Shared<Component.Matchers, Component.Dispatcher, Payload.Reborn> REBORN =
      Stream.byRobot(
          "reborn", Component.Matchers.class, Component.Dispatcher.class, Payload.Reborn.class);

  public static final Shared<Component.Dispatcher, Component.Matchers, Payload.Recall> RECALLS =
      Stream.toEach(
          "recalls", Component.Dispatcher.class, Component.Matchers.class, Payload.Recall.class);

  public static final Shared<Component.Matchers, Component.Dispatcher, Payload.Recalled> RECALLED =
      Stream.byRobot(
          "recalled", Component.Matchers.class, Component.Dispatcher.class, Payload.Recalled.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.Recall>
      PUBLISHER_RECALLS = toPublishers("publisher-recalls", Payload.Recall.class);

  public static final Shared<Component.Publisher, Component.Dispatcher, Payload.Remembered>
      REMEMBERED =
          Stream.byRobot(
              "remembered",
              Component.Publisher.class,
              Component.Dispatcher.class,
              Payload.Remembered.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.Resumed> RESUMED =
      toPublishers("resumed", Payload.Resumed.class);

  public static final Shared<Component.Matchers, Component.Dispatcher, Payload.Failed>
      MATCHERS_FAILED = failuresOf(Component.Matchers.class, "matchers-failed");

  public static final Shared<Component.Resampler, Component.Dispatcher, Payload.Failed>
      RESAMPLER_FAILED = failuresOf(Component.Resampler.class, "resampler-failed");

  public static final Shared<Component.Publisher, Component.Dispatcher, Payload.Following>
      FOLLOWING =
          Stream.byRobot(
              "following",
              Component.Publisher.class,
              Component.Dispatcher.class,
              Payload.Following.class);

  public static final Shared<Component.Dispatcher, Component.Publisher, Payload.Speaker> SPEAKERS =
      toPublishers("speakers", Payload.Speaker.class);

  public static final Shared<Component.Publisher, Component.Publisher, AmongPublishers.Offer>
      OFFERS =
          Stream.toEach(
              "offers",
              Component.Publisher.class,
              Component.Publisher.class,
              AmongPublishers.Offer.class);

  public static final Direct<Component.Publisher, Component.Publisher, AmongPublishers.Request>
      REQUESTS =
          Stream.direct(
              "requests",
              Component.Publisher.class,
              Component.Publisher.class,
              AmongPublishers.Request.class);

  public static final Direct<Component.Publisher, Component.Publisher, AmongPublishers.Story>
      STORIES =
          Stream.direct(
              "stories",
              Component.Publisher.class,
              Component.Publisher.class,
              AmongPublishers.Story.class);

  /**
   * A publisher's message to itself, that it can send the final result. Comes from another thread.
   */
  public static final Direct<
          Component.Publisher, Component.Publisher, AmongPublishers.LoopClosureDone>
      LOOPS_CLOSED =
          Stream.direct(
              "loops-closed",
              Component.Publisher.class,
              Component.Publisher.class,
              AmongPublishers.LoopClosureDone.class);

  private Streams() {}

  private static <F extends Component> Shared<F, Component.Dispatcher, Payload.Failed> failuresOf(
      Class<F> from, String name) {
    return Stream.byRobot(name, from, Component.Dispatcher.class, Payload.Failed.class);
  }

  private static <P extends Payload>
      Shared<Component.Dispatcher, Component.Publisher, P> toPublishers(
          String name, Class<P> payload) {
    return Stream.toEach(name, Component.Dispatcher.class, Component.Publisher.class, payload);
  }
}
