package org.cartostream.topology;

import org.cartostream.topology.Payload.AmongPublishers;
import org.cartostream.topology.Stream.Direct;
import org.cartostream.topology.Stream.Shared;
import org.cartostream.topology.run.IdleRunDetector;
import org.cartostream.topology.settings.Mode;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.Component.Dispatcher;
import org.cartostream.topology.task.Component.Matchers;
import org.cartostream.topology.task.Component.Publisher;
import org.cartostream.topology.task.Component.Resampler;
import org.cartostream.topology.task.Component.Robots;

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

  public static final Shared<Robots, Dispatcher, Payload.Arrival> ARRIVALS =
      Stream.byRobot("arrivals", Robots.class, Dispatcher.class, Payload.Arrival.class);

  public static final Shared<Dispatcher, Matchers, Payload.KeyFrame> KEY_FRAMES =
      toMatchers("key-frames", Payload.KeyFrame.class);

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

  /** The decision that all matchers have come to, from one of them. */
  public static final Shared<Matchers, Publisher, Payload.ResamplingResult> BSP_RESAMPLING_RESULTS =
      Stream.toEach("bsp-results", Matchers.class, Publisher.class, Payload.ResamplingResult.class);

  public static final Shared<Matchers, Dispatcher, Payload.Ready> READY =
      fromMatchers("ready", Payload.Ready.class);

  public static final Shared<Resampler, Publisher, Payload.ResamplingResult> RESAMPLING_RESULTS =
      Stream.toEach(
          "resampling-results", Resampler.class, Publisher.class, Payload.ResamplingResult.class);

  public static final Shared<Dispatcher, Publisher, Payload.Admitted> ADMITTED =
      toPublishers("admitted", Payload.Admitted.class);

  public static final Shared<Dispatcher, Publisher, Payload.Served> SERVED =
      toPublishers("served", Payload.Served.class);

  public static final Shared<Dispatcher, Publisher, Payload.ReadingRefused> REFUSED =
      toPublishers("refused", Payload.ReadingRefused.class);

  public static final Shared<Dispatcher, Publisher, Payload.ReadingLost> LOST =
      toPublishers("lost", Payload.ReadingLost.class);

  public static final Shared<Dispatcher, Publisher, Payload.ReadingRepeated> REPEATED =
      toPublishers("repeated", Payload.ReadingRepeated.class);

  public static final Shared<Dispatcher, Publisher, Payload.Ended> ENDED =
      toPublishers("ended", Payload.Ended.class);

  public static final Shared<Dispatcher, Publisher, Payload.RunReleased> PUBLISHER_RELEASED =
      toPublishers("publisher-over", Payload.RunReleased.class);

  public static final Shared<Dispatcher, Matchers, Payload.RunReleased> MATCHERS_RELEASED =
      toMatchers("matchers-over", Payload.RunReleased.class);

  public static final Shared<Dispatcher, Resampler, Payload.RunReleased> RESAMPLER_RELEASED =
      toResampler("resampler-over", Payload.RunReleased.class);

  public static final Shared<Dispatcher, Matchers, Payload.RunKeepAlive> MATCHERS_KEEP_ALIVE =
      toMatchers("matchers-alive", Payload.RunKeepAlive.class);

  public static final Shared<Dispatcher, Resampler, Payload.RunKeepAlive> RESAMPLER_KEEP_ALIVE =
      toResampler("resampler-alive", Payload.RunKeepAlive.class);

  public static final Shared<Dispatcher, Publisher, Payload.RunKeepAlive> PUBLISHER_KEEP_ALIVE =
      toPublishers("publisher-alive", Payload.RunKeepAlive.class);

  public static final Shared<Dispatcher, Matchers, Payload.RollCall> ROLL_CALLS =
      toMatchers("roll-calls", Payload.RollCall.class);

  public static final Shared<Matchers, Dispatcher, Payload.Present> PRESENT =
      fromMatchers("present", Payload.Present.class);

  /** Goes where a matcher's weights go. */
  public static final Shared<Matchers, Resampler, Payload.Mark> OPINIONS_END =
      Stream.byRobot("opinions-end", Matchers.class, Resampler.class, Payload.Mark.class);

  public static final Shared<Resampler, Matchers, Payload.Mark> VERDICTS_END =
      Stream.toEach("verdicts-end", Resampler.class, Matchers.class, Payload.Mark.class);

  public static final Shared<Matchers, Matchers, Payload.Mark> DELIVERIES_END =
      Stream.toEach("deliveries-end", Matchers.class, Matchers.class, Payload.Mark.class);

  public static final Shared<Matchers, Dispatcher, Payload.ExchangeFailed> EXCHANGE_FAILED =
      fromMatchers("exchange-failed", Payload.ExchangeFailed.class);

  public static final Shared<Dispatcher, Matchers, Payload.Rebirth> REBIRTHS =
      toMatchers("rebirths", Payload.Rebirth.class);

  public static final Shared<Dispatcher, Resampler, Payload.Rebirth> RESAMPLER_REBIRTHS =
      toResampler("resampler-rebirths", Payload.Rebirth.class);

  public static final Shared<Dispatcher, Publisher, Payload.Rebirth> PUBLISHER_REBIRTHS =
      toPublishers("publisher-rebirths", Payload.Rebirth.class);

  /** What the dispatcher has gathered of a key frame on which there will be no decision. */
  public static final Shared<Dispatcher, Publisher, Payload.ResamplingResult> SETTLED =
      toPublishers("settled", Payload.ResamplingResult.class);

  public static final Direct<Matchers, Matchers, Payload.Wanted> WANTED =
      amongMatchers("wanted", Payload.Wanted.class);

  public static final Direct<Matchers, Matchers, Payload.Survivor> SURVIVORS =
      amongMatchers("survivors", Payload.Survivor.class);

  public static final Shared<Matchers, Dispatcher, Payload.Reborn> REBORN =
      fromMatchers("reborn", Payload.Reborn.class);

  public static final Shared<Dispatcher, Matchers, Payload.Recall> RECALLS =
      toMatchers("recalls", Payload.Recall.class);

  public static final Shared<Matchers, Dispatcher, Payload.Recalled> RECALLED =
      fromMatchers("recalled", Payload.Recalled.class);

  public static final Shared<Dispatcher, Publisher, Payload.Recall> PUBLISHER_RECALLS =
      toPublishers("publisher-recalls", Payload.Recall.class);

  public static final Shared<Publisher, Dispatcher, Payload.Remembered> REMEMBERED =
      fromPublishers("remembered", Payload.Remembered.class);

  public static final Shared<Dispatcher, Publisher, Payload.Resumed> RESUMED =
      toPublishers("resumed", Payload.Resumed.class);

  public static final Shared<Matchers, Dispatcher, Payload.Failed> MATCHERS_FAILED =
      failuresOf(Matchers.class, "matchers-failed");

  public static final Shared<Resampler, Dispatcher, Payload.Failed> RESAMPLER_FAILED =
      failuresOf(Resampler.class, "resampler-failed");

  public static final Shared<Publisher, Dispatcher, Payload.Following> FOLLOWING =
      fromPublishers("following", Payload.Following.class);

  public static final Shared<Dispatcher, Publisher, Payload.Speaker> SPEAKERS =
      toPublishers("speakers", Payload.Speaker.class);

  public static final Shared<Publisher, Publisher, AmongPublishers.Offer> OFFERS =
      Stream.toEach("offers", Publisher.class, Publisher.class, AmongPublishers.Offer.class);

  public static final Direct<Publisher, Publisher, AmongPublishers.Request> REQUESTS =
      amongPublishers("requests", AmongPublishers.Request.class);

  public static final Direct<Publisher, Publisher, AmongPublishers.Story> STORIES =
      amongPublishers("stories", AmongPublishers.Story.class);

  /**
   * A publisher's message to itself, that it can send the final result. Comes from another thread.
   */
  public static final Direct<Publisher, Publisher, AmongPublishers.LoopClosureDone> LOOPS_CLOSED =
      amongPublishers("loops-closed", AmongPublishers.LoopClosureDone.class);

  private Streams() {}

  private static <P extends Payload> Shared<Dispatcher, Matchers, P> toMatchers(
      String name, Class<P> payload) {
    return Stream.toEach(name, Dispatcher.class, Matchers.class, payload);
  }

  private static <P extends Payload> Shared<Dispatcher, Resampler, P> toResampler(
      String name, Class<P> payload) {
    return Stream.byRobot(name, Dispatcher.class, Resampler.class, payload);
  }

  private static <P extends Payload> Shared<Dispatcher, Publisher, P> toPublishers(
      String name, Class<P> payload) {
    return Stream.toEach(name, Dispatcher.class, Publisher.class, payload);
  }

  private static <P extends Payload> Shared<Matchers, Dispatcher, P> fromMatchers(
      String name, Class<P> payload) {
    return Stream.byRobot(name, Matchers.class, Dispatcher.class, payload);
  }

  private static <P extends Payload> Shared<Publisher, Dispatcher, P> fromPublishers(
      String name, Class<P> payload) {
    return Stream.byRobot(name, Publisher.class, Dispatcher.class, payload);
  }

  private static <P extends Payload> Direct<Matchers, Matchers, P> amongMatchers(
      String name, Class<P> payload) {
    return Stream.direct(name, Matchers.class, Matchers.class, payload);
  }

  private static <P extends Payload> Direct<Publisher, Publisher, P> amongPublishers(
      String name, Class<P> payload) {
    return Stream.direct(name, Publisher.class, Publisher.class, payload);
  }

  private static <F extends Component> Shared<F, Dispatcher, Payload.Failed> failuresOf(
      Class<F> from, String name) {
    return Stream.byRobot(name, from, Dispatcher.class, Payload.Failed.class);
  }
}
