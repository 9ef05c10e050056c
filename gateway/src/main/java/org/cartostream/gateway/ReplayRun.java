package org.cartostream.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.EndMessage;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.FinishedMessage;
import org.cartostream.broker.MapMessage;
import org.cartostream.broker.Message;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.OutcomeMessage;
import org.cartostream.broker.PoseMessage;
import org.cartostream.broker.ReadingMessage;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.TrajectoryMessage;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * The course of one run, in one thread: {@link State#READING} the log and sending, {@link
 * State#ENDING} while the service finishes, {@link State#OVER}.
 *
 * <p>Owns the run's number, the number of the last reading sent, the readings unanswered, the tally
 * and what came of the end.
 */
final class ReplayRun {

  private enum State {
    READING,
    ENDING,
    OVER
  }

  /** Longest the loop sleeps without looking whether something is due. */
  private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final String robot;
  private final long run = System.currentTimeMillis();
  private final Pace pace;
  private final Sink sink;
  private final ReplayListener listener;
  private final Inbox inbox;
  private final BrokerConnection connection;
  private final long answerTimeoutNanos;
  private final int answerTimeoutSeconds;

  private final Unanswered unanswered;
  private final Tally tally = new Tally();
  private final Journey journey = new Journey();
  private final Ending ending = new Ending();

  private State state = State.READING;
  private Iterator<LogEntry> log;
  private Reading next;
  private boolean endSent;
  private long lastSequence;
  private long lastStampNanos;
  private long firstStampNanos;
  private long firstSentNanos;
  private long lastProgressNanos = System.nanoTime();
  private boolean interrupted;
  private String failure;
  private long resent;
  private long duplicates;
  private long outages;

  ReplayRun(
      String robot,
      Pace pace,
      GatewaySettings settings,
      Sink sink,
      ReplayListener listener,
      Inbox inbox,
      BrokerConnection connection) {
    this.robot = robot;
    this.pace = pace;
    this.sink = sink;
    this.listener = listener;
    this.inbox = inbox;
    this.connection = connection;
    this.unanswered = new Unanswered(settings.creditReadings());
    this.answerTimeoutSeconds = settings.answerTimeoutSeconds();
    this.answerTimeoutNanos = TimeUnit.SECONDS.toNanos(answerTimeoutSeconds);
  }

  ReplayReport through(Iterator<LogEntry> entries) throws InterruptedException {
    log = entries;
    firstSentNanos = System.nanoTime();
    while (state != State.OVER) {
      heedStops();
      heedOutages();
      if (state == State.READING) {
        sendWhatIsDue();
      }
      if (state == State.ENDING && !endSent) {
        sendEnd();
      }
      Inbox.Item item = inbox.next(pauseNanos());
      if (item != null) {
        take(item);
      }
      heedTimeout();
    }
    return report();
  }

  // --- sending ---------------------------------------------------------------------------------

  private void sendWhatIsDue() {
    while (unanswered.hasCredit() && fetch() && dueInNanos() <= 0) {
      if (!send(next)) {
        return;
      }
      next = null;
    }
  }

  /** True if there is a reading to send; counts what the log's reader refused on the way. */
  private boolean fetch() {
    try {
      while (next == null && state == State.READING) {
        if (!log.hasNext()) {
          end();
          return false;
        }
        LogEntry entry = log.next();
        if (entry instanceof LogEntry.Taken taken) {
          next = taken.reading();
        } else if (entry instanceof LogEntry.Refused refused) {
          refuse(refused.why());
        }
      }
    } catch (UncheckedIOException e) {
      failure = "the log cannot be read any further: " + e.getCause().getMessage();
      end();
    }
    return next != null && state == State.READING;
  }

  /** False if the connection does not take it now. */
  private boolean send(Reading reading) {
    long sequence = lastSequence + 1;
    Envelope envelope =
        new Envelope(robot, run, sequence, reading.stampNanos(), new ReadingMessage(reading));
    try {
      if (!connection.publish(envelope)) {
        return false;
      }
    } catch (RefusedMessageException e) {
      refuse(e.why());
      return true;
    }
    long now = System.nanoTime();
    if (sequence == 1) {
      firstStampNanos = reading.stampNanos();
      firstSentNanos = now;
    }
    if (unanswered.isEmpty()) {
      lastProgressNanos = now;
    }
    tally.read();
    unanswered.sent(envelope, now);
    lastSequence = sequence;
    lastStampNanos = reading.stampNanos();
    return true;
  }

  private void refuse(Refusal.Because why) {
    tally.read();
    tally.refused(why.refusal().name());
  }

  private void end() {
    listener.onLogEnd();
    state = State.ENDING;
    lastProgressNanos = System.nanoTime();
  }

  private void sendEnd() {
    EndMessage end = new EndMessage(lastSequence);
    endSent = connection.publish(new Envelope(robot, run, lastSequence, lastStampNanos, end));
  }

  /** How long until the next reading is due at the run's pace; 0 or less if it is. */
  private long dueInNanos() {
    if (lastSequence == 0) {
      return 0;
    }
    long due = firstSentNanos + pace.replayNanos(next.stampNanos() - firstStampNanos);
    return due - System.nanoTime();
  }

  private long pauseNanos() {
    boolean waitsForItsTime = state == State.READING && next != null && unanswered.hasCredit();
    return waitsForItsTime ? Math.max(0, Math.min(dueInNanos(), GLANCE_NANOS)) : GLANCE_NANOS;
  }

  // --- taking ----------------------------------------------------------------------------------

  private void take(Inbox.Item item) {
    Envelope envelope = item.envelope();
    try {
      if (envelope.run() == run && envelope.robot().equals(robot)) {
        take(envelope);
      }
    } catch (IOException e) {
      giveUp("the results cannot be written: " + e.getMessage());
    } catch (RefusedMessageException e) {
      inbox.refused(e.why());
    }
    item.receipt().give();
  }

  private void take(Envelope envelope) throws IOException {
    Message body = envelope.body();
    if (body instanceof OutcomeMessage outcome) {
      takeOutcome(envelope, outcome.outcome());
    } else if (body instanceof PoseMessage pose) {
      sink.pose(new PathPose(envelope.sequence(), envelope.stampNanos(), pose.pose()));
    } else if (body instanceof MapMessage map) {
      takeMap(map);
    } else if (body instanceof TrajectoryMessage part) {
      ending.take(part);
    } else if (body instanceof FinishedMessage finished) {
      ending.take(finished);
    }
    if (!(body instanceof OutcomeMessage)) {
      lastProgressNanos = System.nanoTime();
    }
    finishWhenComplete();
  }

  private void takeOutcome(Envelope envelope, Outcome outcome) {
    Unanswered.Sent sent = unanswered.answered(envelope.sequence());
    if (sent == null) {
      duplicates++;
      return;
    }
    lastProgressNanos = System.nanoTime();
    journey.answered(lastProgressNanos - sent.atNanos());
    if (outcome instanceof Outcome.Processed processed) {
      tally.processed();
      journey.processed(processed);
    } else if (outcome instanceof Outcome.Refused refused) {
      tally.refused(refused.refusal());
    } else if (outcome instanceof Outcome.Lost lost) {
      tally.lost();
      endWithout(lost, envelope.sequence());
    }
    listener.onOutcome(
        new ReplayListener.Progress(
            tally.counts(), outcome, journey.effectiveSampleSize(), journey.distanceMetres()));
  }

  /** A replay may lose none: what follows would only make a wrong map. */
  private void endWithout(Outcome.Lost lost, long sequence) {
    if (failure == null) {
      failure = "reading " + sequence + " was lost: " + lost.sentence();
    }
    if (state == State.READING) {
      end();
    }
  }

  private void takeMap(MapMessage map) throws IOException {
    if (map.last()) {
      ending.take(map.grid());
    } else {
      sink.map(map.grid());
    }
  }

  private void finishWhenComplete() throws IOException {
    if (state == State.ENDING && unanswered.isEmpty() && ending.isComplete()) {
      sink.end(ending.map(), ending.path());
      state = State.OVER;
    }
    // The report comes last: what a broken run has not sent before it will not come.
    if (state == State.ENDING && ending.isBroken()) {
      state = State.OVER;
    }
    if (state == State.OVER && ending.isBroken()) {
      failure = ending.finished().failure();
    }
  }

  // --- what may come between -------------------------------------------------------------------

  private void heedStops() {
    if (inbox.stops() > 0 && state == State.READING) {
      interrupted = true;
      end();
    }
    if (inbox.stops() > 1) {
      giveUp("stopped before the service had finished");
    }
  }

  private void heedOutages() {
    String why = inbox.takeOutage();
    if (why != null) {
      outages++;
      listener.onOutage(why);
    }
    if (inbox.takeReturn()) {
      unanswered.all().forEach(sent -> connection.publish(sent.envelope()));
      resent += unanswered.all().size();
      endSent = false;
      listener.onBack();
    }
  }

  private void heedTimeout() {
    boolean waits = state == State.ENDING || !unanswered.isEmpty();
    if (state != State.OVER
        && waits
        && System.nanoTime() - lastProgressNanos > answerTimeoutNanos) {
      giveUp(whatIsMissing());
    }
  }

  private String whatIsMissing() {
    String time = " for " + answerTimeoutSeconds + " s";
    if (!connection.isUp()) {
      return "the broker has been away" + time;
    }
    return unanswered.isEmpty()
        ? "the service has not sent its " + ending.missing() + time
        : "no answer to reading "
            + unanswered.oldest()
            + time
            + "; is a service running at this broker?";
  }

  private void giveUp(String why) {
    failure = why;
    state = State.OVER;
  }

  // --- the end ---------------------------------------------------------------------------------

  private ReplayReport report() {
    unanswered.all().forEach(sent -> tally.lost());
    return new ReplayReport(
        tally.closed(),
        Optional.ofNullable(ending.finished()),
        Optional.ofNullable(failure),
        interrupted,
        journey.serviceNanos(),
        journey.roundTripNanos(),
        System.nanoTime() - firstSentNanos,
        journey.distanceMetres(),
        resent,
        duplicates,
        outages,
        inbox.garbage());
  }
}
