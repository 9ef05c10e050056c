package org.cartostream.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.EndMessage;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.FinishedMessage;
import org.cartostream.broker.MapMessage;
import org.cartostream.broker.Message;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.OutcomeMessage;
import org.cartostream.broker.ReadingMessage;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.TrajectoryMessage;
import org.cartostream.slam.sensor.Reading;

/**
 * The course of a live robot's runs, in one thread: {@link State#DRIVING}, {@link State#ENDING}
 * while the service finishes, {@link State#OVER}.
 *
 * <p>Owns the run's number, the number of the last reading sent, the readings unanswered, and what
 * came of the end.
 */
final class LiveRun {

  private enum State {
    DRIVING,
    ENDING,
    OVER
  }

  /** Longest the loop sleeps without looking whether something is due. */
  private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final String robot;
  private final LiveListener listener;
  private final Inbox inbox;
  private final BrokerConnection connection;
  private final AtomicReference<Reading> newest;
  private final int answerTimeoutSeconds;
  private final Unanswered unanswered;
  private final Ending ending = new Ending();

  private State state = State.DRIVING;
  private long run = Envelope.newRun();
  private long lastSequence;
  private long lastStampNanos;
  private long lastProgressNanos = System.nanoTime();
  private boolean endSent;

  LiveRun(
      String robot,
      GatewaySettings settings,
      LiveListener listener,
      Inbox inbox,
      BrokerConnection connection,
      AtomicReference<Reading> newest) {
    this.robot = robot;
    this.listener = listener;
    this.inbox = inbox;
    this.connection = connection;
    this.newest = newest;
    this.answerTimeoutSeconds = settings.answerTimeoutSeconds();
    this.unanswered = new Unanswered(settings.creditReadings());
  }

  void untilStopped() throws InterruptedException {
    while (state != State.OVER) {
      heedStops();
      heedOutages();
      if (state == State.DRIVING) {
        sendNewest();
      } else if (state == State.ENDING && !endSent) {
        sendEnd();
      }
      Inbox.Item item = inbox.next(GLANCE_NANOS);
      if (item != null) {
        take(item);
      }
      heedTimeout();
    }
    loseUnanswered("the gateway was stopped before the answer came");
  }

  // --- sending ---------------------------------------------------------------------------------

  private void sendNewest() {
    if (!unanswered.hasCredit() || !connection.isUp()) {
      return;
    }
    Reading reading = newest.getAndSet(null);
    if (reading == null) {
      return;
    }
    long sequence = lastSequence + 1;
    Envelope envelope =
        new Envelope(robot, run, sequence, reading.stampNanos(), new ReadingMessage(reading));
    try {
      if (!connection.publish(envelope)) {
        newest.compareAndSet(null, reading);
        return;
      }
    } catch (RefusedMessageException e) {
      listener.onOutcome(reading, Outcome.Refused.of(e.why()));
      return;
    }
    long now = System.nanoTime();
    if (unanswered.isEmpty()) {
      lastProgressNanos = now;
    }
    unanswered.sent(envelope, now);
    lastSequence = sequence;
    lastStampNanos = reading.stampNanos();
  }

  private void sendEnd() {
    EndMessage end = new EndMessage(lastSequence);
    endSent = connection.publish(new Envelope(robot, run, lastSequence, lastStampNanos, end));
  }

  // --- taking ----------------------------------------------------------------------------------

  private void take(Inbox.Item item) {
    Envelope envelope = item.envelope();
    try {
      if (envelope.run() == run && envelope.robot().equals(robot)) {
        take(envelope);
      }
    } catch (RefusedMessageException e) {
      inbox.refused(e.why());
    }
    item.receipt().give();
  }

  private void take(Envelope envelope) {
    lastProgressNanos = System.nanoTime();
    Message body = envelope.body();
    if (body instanceof OutcomeMessage outcome) {
      takeOutcome(envelope.sequence(), outcome.outcome());
    } else if (body instanceof MapMessage map) {
      takeMap(map, envelope.stampNanos());
    } else if (body instanceof TrajectoryMessage part) {
      ending.take(part);
    } else if (body instanceof FinishedMessage finished) {
      ending.take(finished);
    }
    finishWhenComplete();
  }

  private void takeOutcome(long sequence, Outcome outcome) {
    Unanswered.Sent sent = unanswered.answered(sequence);
    if (sent == null) {
      return; // Its second answer.
    }
    listener.onOutcome(reading(sent), outcome);
    if (outcome instanceof Outcome.Lost lost && state == State.DRIVING) {
      beginAnew("the service lost a reading: " + lost.sentence());
    }
  }

  private void takeMap(MapMessage map, long stampNanos) {
    if (map.last()) {
      ending.take(map.grid());
    }
    listener.onMap(map.grid(), stampNanos);
  }

  private void finishWhenComplete() {
    if (state == State.ENDING && unanswered.isEmpty() && ending.isComplete()) {
      listener.onEnd(ending.map(), ending.path());
      state = State.OVER;
    } else if (state == State.ENDING && ending.isBroken()) {
      state = State.OVER;
    }
  }

  // --- what may come between -------------------------------------------------------------------

  /** What follows a lost reading would be lost as well; only a new run has a filter again. */
  private void beginAnew(String why) {
    loseUnanswered(why);
    run = Envelope.newRun();
    lastSequence = 0;
    listener.onRestart(why);
  }

  private void loseUnanswered(String why) {
    List<Unanswered.Sent> open = new ArrayList<>(unanswered.all());
    for (Unanswered.Sent sent : open) {
      unanswered.answered(sent.envelope().sequence());
      listener.onOutcome(reading(sent), new Outcome.Lost(why));
    }
  }

  private static Reading reading(Unanswered.Sent sent) {
    return ((ReadingMessage) sent.envelope().body()).reading();
  }

  private void heedStops() {
    if (inbox.stops() > 0 && state == State.DRIVING) {
      state = lastSequence == 0 ? State.OVER : State.ENDING;
      lastProgressNanos = System.nanoTime();
    }
    if (inbox.stops() > 1) {
      state = State.OVER;
    }
  }

  private void heedOutages() {
    String why = inbox.takeOutage();
    if (why != null) {
      listener.onOutage(why);
    }
    if (inbox.takeReturn()) {
      unanswered.all().forEach(sent -> connection.publish(sent.envelope()));
      endSent = false;
      lastProgressNanos = System.nanoTime();
      listener.onBack();
    }
  }

  private void heedTimeout() {
    boolean waits = state == State.ENDING || !unanswered.isEmpty();
    long silent = System.nanoTime() - lastProgressNanos;
    if (!waits || silent <= TimeUnit.SECONDS.toNanos(answerTimeoutSeconds)) {
      return;
    }
    if (state == State.ENDING) {
      state = State.OVER;
    } else if (connection.isUp()) {
      beginAnew(
          "no answer for " + answerTimeoutSeconds + " s; is a service running at this broker?");
      lastProgressNanos = System.nanoTime();
    }
  }
}
