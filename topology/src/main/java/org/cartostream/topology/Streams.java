package org.cartostream.topology;

import org.cartostream.topology.Payload.AmongPublishers;
import org.cartostream.topology.Stream.Direct;
import org.cartostream.topology.Stream.Shared;

/**
 * Every stream of the topology. In {@link Mode#DATAFLOW}:
 *
 * <pre>
 *  Robots ──arrivals──> Dispatcher ──key-frames, matchers-over──> Matchers × M ⇄ deliveries
 *                        ^  │ │                                    │  │     ^
 *                        │  │ └───────resampler-over─────────┐     │  │     │
 *                        └──│────────────ready───────────────│─────┘  │     │
 *                           │                                v        │     │
 *                           │                             Resampler <─opinions
 *                           │                                │ └────verdicts┘
 *                           v                                │
 *                        Publisher <──────judgements─────────┘
 *        admitted, served, turned, missing, again, ended, publisher-over
 * </pre>
 *
 * In {@link Mode#BSP} there is no resampler; what goes from matcher to matcher goes by collectives,
 * outside of the streams, and each matcher tells itself what they have brought:
 *
 * <pre>
 *  Dispatcher ──key-frames, matchers-over──> Matchers × M ↺ gathered, exchanged
 *      ^                                      │  │
 *      └────────────────ready─────────────────┘  └──agreements──> Publisher
 * </pre>
 *
 * When a reading takes long, the dispatcher asks who is there (roll-calls, present), and behind all
 * that is on its way from task to task goes a mark (opinions-end, verdicts-end, deliveries-end), so
 * that it shows whether something was lost; in {@link Mode#BSP} the collectives tell (bereft). Then
 * the run goes on with copies of the particles that are left (rebirths, survivors, wanted, reborn,
 * settled), see {@link Mending}. A dispatcher whose worker died has a successor that asks the
 * others what they know of its runs (recalls, recalled, publisher-recalls, remembered, resumed),
 * see {@link Recollection}. Runs whose robots do not speak again are let go of when nobody has
 * spoken of them for long ({@link Silence}); of those that live the dispatcher says so now and then
 * (matchers-alive, resampler-alive, publisher-alive). Where there are several processes there are
 * two publishers: both hear all, and the dispatcher says which of them answers a robot (following,
 * speakers), see {@link Rostrum}; one that was started anew, or missed a word, has the other tell
 * it the story (offers, requests, stories).
 *
 * <p>Not drawn: a matcher's word to itself while it waits for a verdict (onward), and a publisher's
 * when the loops of a run's path are closed (closed); and whoever else fails at something of a run
 * tells the dispatcher (matchers-failed, resampler-failed), which ends the run.
 */
public final class Streams {

  public static final Shared<Party.Robots, Party.Dispatcher, Payload.Arrival> ARRIVALS =
      Stream.byRobot("arrivals", Party.Robots.class, Party.Dispatcher.class, Payload.Arrival.class);

  public static final Shared<Party.Dispatcher, Party.Matchers, Payload.KeyFrame> KEY_FRAMES =
      Stream.toEach(
          "key-frames", Party.Dispatcher.class, Party.Matchers.class, Payload.KeyFrame.class);

  public static final Shared<Party.Matchers, Party.Resampler, Payload.Opinion> OPINIONS =
      Stream.byRobot(
          "opinions", Party.Matchers.class, Party.Resampler.class, Payload.Opinion.class);

  public static final Shared<Party.Resampler, Party.Matchers, Payload.Verdict> VERDICTS =
      Stream.toEach("verdicts", Party.Resampler.class, Party.Matchers.class, Payload.Verdict.class);

  public static final Direct<Party.Matchers, Party.Matchers, Payload.Delivery> DELIVERIES =
      Stream.direct(
          "deliveries", Party.Matchers.class, Party.Matchers.class, Payload.Delivery.class);

  /** A matcher's word to itself, to listen between one piece of work and the next. */
  public static final Direct<Party.Matchers, Party.Matchers, Payload.Onward> ONWARD =
      Stream.direct("onward", Party.Matchers.class, Party.Matchers.class, Payload.Onward.class);

  /** A matcher's word to itself: what all tasks' particles believe. Comes from any thread. */
  public static final Direct<Party.Matchers, Party.Matchers, Payload.Brought> GATHERED =
      Stream.direct("gathered", Party.Matchers.class, Party.Matchers.class, Payload.Brought.class);

  /** A matcher's word to itself: the particles that come to it. Comes from any thread. */
  public static final Direct<Party.Matchers, Party.Matchers, Payload.Brought> EXCHANGED =
      Stream.direct("exchanged", Party.Matchers.class, Party.Matchers.class, Payload.Brought.class);

  /** One matcher's word of what all have decided. */
  public static final Shared<Party.Matchers, Party.Publisher, Payload.Judgement> AGREEMENTS =
      Stream.toEach(
          "agreements", Party.Matchers.class, Party.Publisher.class, Payload.Judgement.class);

  public static final Shared<Party.Matchers, Party.Dispatcher, Payload.Ready> READY =
      Stream.byRobot("ready", Party.Matchers.class, Party.Dispatcher.class, Payload.Ready.class);

  public static final Shared<Party.Resampler, Party.Publisher, Payload.Judgement> JUDGEMENTS =
      Stream.toEach(
          "judgements", Party.Resampler.class, Party.Publisher.class, Payload.Judgement.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Admitted> ADMITTED =
      toPublishers("admitted", Payload.Admitted.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Served> SERVED =
      toPublishers("served", Payload.Served.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Turned> TURNED =
      toPublishers("turned", Payload.Turned.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Missing> MISSING =
      toPublishers("missing", Payload.Missing.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Again> AGAIN =
      toPublishers("again", Payload.Again.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Ended> ENDED =
      toPublishers("ended", Payload.Ended.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Over> PUBLISHER_OVER =
      toPublishers("publisher-over", Payload.Over.class);

  public static final Shared<Party.Dispatcher, Party.Matchers, Payload.Over> MATCHERS_OVER =
      Stream.toEach(
          "matchers-over", Party.Dispatcher.class, Party.Matchers.class, Payload.Over.class);

  public static final Shared<Party.Dispatcher, Party.Resampler, Payload.Over> RESAMPLER_OVER =
      Stream.byRobot(
          "resampler-over", Party.Dispatcher.class, Party.Resampler.class, Payload.Over.class);

  public static final Shared<Party.Dispatcher, Party.Matchers, Payload.Alive> MATCHERS_ALIVE =
      Stream.toEach(
          "matchers-alive", Party.Dispatcher.class, Party.Matchers.class, Payload.Alive.class);

  public static final Shared<Party.Dispatcher, Party.Resampler, Payload.Alive> RESAMPLER_ALIVE =
      Stream.byRobot(
          "resampler-alive", Party.Dispatcher.class, Party.Resampler.class, Payload.Alive.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Alive> PUBLISHER_ALIVE =
      toPublishers("publisher-alive", Payload.Alive.class);

  public static final Shared<Party.Dispatcher, Party.Matchers, Payload.RollCall> ROLL_CALLS =
      Stream.toEach(
          "roll-calls", Party.Dispatcher.class, Party.Matchers.class, Payload.RollCall.class);

  public static final Shared<Party.Matchers, Party.Dispatcher, Payload.Present> PRESENT =
      Stream.byRobot(
          "present", Party.Matchers.class, Party.Dispatcher.class, Payload.Present.class);

  /** To whom a matcher's opinions go. */
  public static final Shared<Party.Matchers, Party.Resampler, Payload.Mark> OPINIONS_END =
      Stream.byRobot(
          "opinions-end", Party.Matchers.class, Party.Resampler.class, Payload.Mark.class);

  public static final Shared<Party.Resampler, Party.Matchers, Payload.Mark> VERDICTS_END =
      Stream.toEach(
          "verdicts-end", Party.Resampler.class, Party.Matchers.class, Payload.Mark.class);

  public static final Shared<Party.Matchers, Party.Matchers, Payload.Mark> DELIVERIES_END =
      Stream.toEach(
          "deliveries-end", Party.Matchers.class, Party.Matchers.class, Payload.Mark.class);

  public static final Shared<Party.Matchers, Party.Dispatcher, Payload.Bereft> BEREFT =
      Stream.byRobot("bereft", Party.Matchers.class, Party.Dispatcher.class, Payload.Bereft.class);

  public static final Shared<Party.Dispatcher, Party.Matchers, Payload.Rebirth> REBIRTHS =
      Stream.toEach(
          "rebirths", Party.Dispatcher.class, Party.Matchers.class, Payload.Rebirth.class);

  public static final Shared<Party.Dispatcher, Party.Resampler, Payload.Rebirth>
      RESAMPLER_REBIRTHS =
          Stream.byRobot(
              "resampler-rebirths",
              Party.Dispatcher.class,
              Party.Resampler.class,
              Payload.Rebirth.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Rebirth>
      PUBLISHER_REBIRTHS = toPublishers("publisher-rebirths", Payload.Rebirth.class);

  /** What the dispatcher has gathered of a key frame on which there will be no verdict. */
  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Judgement> SETTLED =
      toPublishers("settled", Payload.Judgement.class);

  public static final Direct<Party.Matchers, Party.Matchers, Payload.Wanted> WANTED =
      Stream.direct("wanted", Party.Matchers.class, Party.Matchers.class, Payload.Wanted.class);

  public static final Direct<Party.Matchers, Party.Matchers, Payload.Survivor> SURVIVORS =
      Stream.direct(
          "survivors", Party.Matchers.class, Party.Matchers.class, Payload.Survivor.class);

  public static final Shared<Party.Matchers, Party.Dispatcher, Payload.Reborn> REBORN =
      Stream.byRobot("reborn", Party.Matchers.class, Party.Dispatcher.class, Payload.Reborn.class);

  public static final Shared<Party.Dispatcher, Party.Matchers, Payload.Recall> RECALLS =
      Stream.toEach("recalls", Party.Dispatcher.class, Party.Matchers.class, Payload.Recall.class);

  public static final Shared<Party.Matchers, Party.Dispatcher, Payload.Recalled> RECALLED =
      Stream.byRobot(
          "recalled", Party.Matchers.class, Party.Dispatcher.class, Payload.Recalled.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Recall> PUBLISHER_RECALLS =
      toPublishers("publisher-recalls", Payload.Recall.class);

  public static final Shared<Party.Publisher, Party.Dispatcher, Payload.Remembered> REMEMBERED =
      Stream.byRobot(
          "remembered", Party.Publisher.class, Party.Dispatcher.class, Payload.Remembered.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Resumed> RESUMED =
      toPublishers("resumed", Payload.Resumed.class);

  public static final Shared<Party.Matchers, Party.Dispatcher, Payload.Failed> MATCHERS_FAILED =
      failuresOf(Party.Matchers.class, "matchers-failed");

  public static final Shared<Party.Resampler, Party.Dispatcher, Payload.Failed> RESAMPLER_FAILED =
      failuresOf(Party.Resampler.class, "resampler-failed");

  public static final Shared<Party.Publisher, Party.Dispatcher, Payload.Following> FOLLOWING =
      Stream.byRobot(
          "following", Party.Publisher.class, Party.Dispatcher.class, Payload.Following.class);

  public static final Shared<Party.Dispatcher, Party.Publisher, Payload.Speaker> SPEAKERS =
      toPublishers("speakers", Payload.Speaker.class);

  public static final Shared<Party.Publisher, Party.Publisher, AmongPublishers.Offer> OFFERS =
      Stream.toEach(
          "offers", Party.Publisher.class, Party.Publisher.class, AmongPublishers.Offer.class);

  public static final Direct<Party.Publisher, Party.Publisher, AmongPublishers.Request> REQUESTS =
      Stream.direct(
          "requests", Party.Publisher.class, Party.Publisher.class, AmongPublishers.Request.class);

  public static final Direct<Party.Publisher, Party.Publisher, AmongPublishers.Story> STORIES =
      Stream.direct(
          "stories", Party.Publisher.class, Party.Publisher.class, AmongPublishers.Story.class);

  /** A publisher's word to itself, that it can say farewell. Comes from another thread. */
  public static final Direct<Party.Publisher, Party.Publisher, AmongPublishers.Closed> CLOSED =
      Stream.direct(
          "closed", Party.Publisher.class, Party.Publisher.class, AmongPublishers.Closed.class);

  private Streams() {}

  private static <F extends Party> Shared<F, Party.Dispatcher, Payload.Failed> failuresOf(
      Class<F> party, String name) {
    return Stream.byRobot(name, party, Party.Dispatcher.class, Payload.Failed.class);
  }

  private static <P extends Payload> Shared<Party.Dispatcher, Party.Publisher, P> toPublishers(
      String name, Class<P> payload) {
    return Stream.toEach(name, Party.Dispatcher.class, Party.Publisher.class, payload);
  }
}
