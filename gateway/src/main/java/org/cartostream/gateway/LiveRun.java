package org.cartostream.gateway;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.FinishedMessage;
import org.cartostream.broker.MapMessage;
import org.cartostream.broker.Message;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.OutcomeMessage;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.TrajectoryMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;

/**
 * The course of a live robot's runs, in one thread: {@link State#DRIVING}, {@link
 * State#CATCHING_UP} once it is stopped and readings still wait, {@link State#ENDING} while the
 * service finishes, {@link State#OVER}.
 *
 * <p>Owns what the run says, and what came of its end.
 */
final class LiveRun {

  private enum State {
    DRIVING,
    CATCHING_UP,
    ENDING,
    OVER
  }

  /** Longest the loop sleeps without looking whether something is due. */
  private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * A service that owes an answer for as long is taken as away: on a radio link that fails, nothing
   * else tells so before the broker's heartbeat.
   */
  private static final long LONG_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final LiveListener listener;
  private final Inbox inbox;
  private final BrokerConnection connection;
  private final Backlog backlog;
  private final ServiceClock clock;
  private final int answerTimeoutSeconds;
  private final Outgoing outgoing;
  private final Unanswered unanswered;
  private final Ending ending = new Ending();

  private State state = State.DRIVING;

  /** Why the last run was given up and another begun; null if this is the first. */
  private String restart;

  /** Why it could not end in order; null if it could. */
  private String failure;

  LiveRun(
      Live.Robot robot,
      LiveListener listener,
      Inbox inbox,
      BrokerConnection connection,
      Backlog backlog,
      ServiceClock clock,
      LongSupplier nanoTime) {
    this.listener = listener;
    this.inbox = inbox;
    this.connection = connection;
    this.backlog = backlog;
    this.clock = clock;
    this.answerTimeoutSeconds = robot.settings().answerTimeoutSeconds();
    this.outgoing = new Outgoing(robot.id(), robot.settings(), connection, nanoTime);
    this.unanswered = outgoing.unanswered();
  }

  void untilStopped() throws InterruptedException {
    while (state != State.OVER) {
      heedStops();
      heedOutages();
      if (state == State.DRIVING || state == State.CATCHING_UP) {
        sendWhatWaits();
      }
      if (state == State.ENDING) {
        outgoing.sendEnd();
      }
      Inbox.Item item = inbox.next(GLANCE_NANOS);
      if (item != null) {
        take(item);
      }
      heedTimeout();
    }
    outgoing
        .giveUp()
        .forEach(reading -> lose(reading, "the gateway was stopped before the answer came"));
    if (failure != null) {
      listener.onBrokenEnd(failure, ending.hasWholePath() ? ending.path() : List.of());
    }
  }

  // --- sending ---------------------------------------------------------------------------------

  private void sendWhatWaits() {
    boolean sent = true;
    while (sent && unanswered.hasCredit() && connection.isUp()) {
      Reading reading = backlog.take();
      sent = reading != null && send(reading);
    }
    if (state == State.CATCHING_UP && backlog.isEmpty()) {
      endWithoutMore();
    }
  }

  private void endWithoutMore() {
    if (!outgoing.hasSentNothing()) {
      state = State.ENDING;
    } else if (restart == null) {
      state = State.OVER;
    } else {
      giveUp("nothing was sent since it began anew: " + restart);
    }
  }

  /** False if the connection does not take it now. */
  private boolean send(Reading reading) {
    try {
      boolean taken = outgoing.send(reading);
      if (!taken) {
        backlog.putBack(reading);
      }
      return taken;
    } catch (RefusedMessageException e) {
      listener.onOutcome(reading, Outcome.Refused.of(e.why()));
      return true;
    }
  }

  // --- taking ----------------------------------------------------------------------------------

  private void take(Inbox.Item item) {
    Envelope envelope = item.envelope();
    try {
      if (outgoing.isAnsweredBy(envelope)) {
        take(envelope);
      }
    } catch (RefusedMessageException e) {
      inbox.refused(e.why());
    }
    item.receipt().give();
  }

  private void take(Envelope envelope) {
    outgoing.progress();
    inbox.strays().forget();
    Message body = envelope.body();
    if (body instanceof OutcomeMessage outcome) {
      takeOutcome(envelope.sequence(), outcome);
    } else if (body instanceof MapMessage map) {
      takeMap(map, envelope);
    } else if (body instanceof TrajectoryMessage part) {
      ending.take(part);
    } else if (body instanceof FinishedMessage finished) {
      ending.take(finished);
    }
    finishWhenComplete();
  }

  private void takeOutcome(long sequence, OutcomeMessage message) {
    Unanswered.Sent sent = unanswered.answered(sequence);
    if (sent == null) {
      return; // Its second answer.
    }
    Outcome outcome = message.outcome();
    compareClocks(sent, message);
    listener.onOutcome(sent.reading(), outcome);
    if (outcome instanceof Outcome.Lost lost && state != State.ENDING) {
      beginAnew("the service lost a reading: " + lost.sentence());
    }
  }

  private void compareClocks(Unanswered.Sent sent, OutcomeMessage message) {
    long here = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    long worked =
        message.outcome() instanceof Outcome.Processed processed ? processed.serviceNanos() : 0;
    clock.answered(
        here - (System.nanoTime() - sent.atNanos()), message.saidAtNanos(), here, worked);
  }

  private void takeMap(MapMessage map, Envelope envelope) {
    Optional<OccupancyGrid> grid = outgoing.map().take(map, envelope.sequence());
    if (grid.isPresent() && map.last()) {
      ending.take(grid.get());
    }
    grid.ifPresent(newest -> listener.onMap(newest, envelope.stampNanos()));
  }

  private void finishWhenComplete() {
    if (state == State.ENDING && unanswered.isEmpty() && ending.isComplete()) {
      listener.onEnd(ending.map(), ending.path());
      state = State.OVER;
    } else if (state == State.ENDING && ending.isBroken()) {
      giveUp(ending.finished().failure());
    }
  }

  private void giveUp(String why) {
    failure = why;
    state = State.OVER;
  }

  // --- what may come between -------------------------------------------------------------------

  /** What follows a lost reading would be lost as well; only a new run has a filter again. */
  private void beginAnew(String why) {
    outgoing.beginAnew().forEach(reading -> lose(reading, why));
    restart = why;
    listener.onRestart(why);
  }

  private void lose(Reading reading, String why) {
    listener.onOutcome(reading, new Outcome.Lost(why));
  }

  private void heedStops() {
    if (inbox.stops() > 0 && state == State.DRIVING) {
      state = State.CATCHING_UP;
      outgoing.progress();
    }
    if (inbox.stops() > 1) {
      giveUp("it was stopped again before the service had finished");
    }
  }

  private void heedOutages() {
    String why = inbox.takeOutage();
    if (why != null) {
      listener.onOutage(why);
    }
    if (inbox.takeReturn() && connection.isUp()) { // Else it went again, and comes once more.
      outgoing.sendAgain();
      outgoing.progress();
      listener.onBack();
    }
    if (state == State.DRIVING && !connection.isUp()) {
      // The service cannot answer now: this time does not count against it.
      outgoing.progress();
    }
    outgoing.sendAgainAfterSilence();
    outgoing.sayThatItIsThere();
    boolean silent = !unanswered.isEmpty() && outgoing.silentNanos() > LONG_SILENCE_NANOS;
    backlog.serviceIsAway(silent || !connection.isUp());
  }

  private void heedTimeout() {
    boolean stopped = state == State.CATCHING_UP || state == State.ENDING;
    if (!(stopped || !unanswered.isEmpty()) || !outgoing.isTimedOut()) {
      return;
    }
    if (stopped) {
      giveUp(outgoing.whatIsMissing(ending, inbox.strays()));
    } else if (connection.isUp()) {
      beginAnew(
          "no answer for "
              + answerTimeoutSeconds
              + " s"
              + inbox.strays().inPlaceOfAnswers(Strays.NO_SERVICE));
    }
  }
}
