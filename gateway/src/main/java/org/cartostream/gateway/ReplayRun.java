package org.cartostream.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * The course of one run, in one thread: {@link State#READING} the log and sending, {@link
 * State#ENDING} while the service finishes, {@link State#OVER}.
 *
 * <p>Owns the tally, and how the run ends.
 */
final class ReplayRun {

  private enum State {
    READING,
    ENDING,
    OVER
  }

  /** Longest the loop sleeps without looking whether something is due. */
  private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Sink sink;
  private final ReplayListener listener;
  private final Inbox inbox;
  private final BrokerConnection connection;
  private final Feed feed;
  private final Outgoing outgoing;
  private final Unanswered unanswered;
  private final Tally tally = new Tally();
  private final Answers answers;

  private State state = State.READING;
  private String failure;
  private long resent;
  private long outages;
  private boolean away;

  ReplayRun(
      Replay.Order order,
      Iterator<LogEntry> log,
      Inbox inbox,
      BrokerConnection connection,
      LongSupplier nanoTime) {
    this.sink = order.sink();
    this.listener = order.listener();
    this.inbox = inbox;
    this.connection = connection;
    this.feed = new Feed(log, order.pace(), this::refuse);
    this.outgoing = new Outgoing(order.robot(), order.settings(), connection, nanoTime);
    this.unanswered = outgoing.unanswered();
    this.answers = new Answers(outgoing, tally, sink, listener);
  }

  /** Runs until it is over. */
  ReplayReport run() throws InterruptedException {
    while (state != State.OVER) {
      heedStops();
      heedOutages();
      if (state == State.READING) {
        sendWhatIsDue();
      }
      if (state == State.ENDING) {
        outgoing.sendEnd();
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
    try {
      boolean sent = true;
      while (sent && state == State.READING && unanswered.hasCredit()) {
        Reading next = feed.next();
        if (next == null) {
          end();
        } else {
          sent = feed.dueInNanos(System.nanoTime()) <= 0 && send(next);
        }
      }
    } catch (UncheckedIOException e) {
      failure = "the log cannot be read any further: " + e.getCause().getMessage();
      end();
    }
  }

  /** False if the connection does not take it now. */
  private boolean send(Reading reading) {
    try {
      if (!outgoing.send(reading)) {
        return false;
      }
    } catch (RefusedMessageException e) {
      feed.drop();
      refuse(e.why());
      return true;
    }
    feed.sent(System.nanoTime());
    tally.read();
    return true;
  }

  private void refuse(Refusal.Because why) {
    tally.read();
    tally.refused(why.refusal().name());
  }

  private void end() {
    listener.onLogEnd();
    state = State.ENDING;
    outgoing.progress();
  }

  private long pauseNanos() {
    boolean waitsForItsTime = state == State.READING && feed.holdsNext() && unanswered.hasCredit();
    return waitsForItsTime
        ? Math.max(0, Math.min(feed.dueInNanos(System.nanoTime()), GLANCE_NANOS))
        : GLANCE_NANOS;
  }

  // --- taking ----------------------------------------------------------------------------------

  private void take(Inbox.Item item) {
    Envelope envelope = item.envelope();
    try {
      if (outgoing.isAnsweredBy(envelope)) {
        if (answers.take(envelope)) {
          outgoing.progress();
          inbox.strays().forget();
        }
        endIfLost();
        finishWhenComplete();
      }
    } catch (IOException e) {
      giveUp("the results cannot be written: " + e.getMessage());
    } catch (RefusedMessageException e) {
      inbox.refused(e.why());
    }
    item.receipt().give();
  }

  /** A replay may lose none: what follows would only make a wrong map. */
  private void endIfLost() {
    if (answers.loss().isPresent()) {
      failure = failure == null ? answers.loss().get() : failure;
      if (state == State.READING) {
        end();
      }
    }
  }

  private void finishWhenComplete() throws IOException {
    Ending ending = answers.ending();
    if (state != State.ENDING) {
      return;
    }
    if (unanswered.isEmpty() && ending.isComplete()) {
      sink.end(ending.map(), ending.path());
      state = State.OVER;
    }
    // The report comes last: what a broken run has not sent before it will not come.
    if (ending.isBroken()) {
      if (state != State.OVER && ending.hasWholePath()) {
        sink.end(ending.path());
      }
      failure = ending.finished().failure();
      state = State.OVER;
    }
  }

  // --- what may come between -------------------------------------------------------------------

  private void heedStops() {
    if (inbox.stops() > 0 && state == State.READING) {
      end();
    }
    if (inbox.stops() > 1) {
      giveUp("stopped before the service had finished");
    }
  }

  private void heedOutages() {
    String why = inbox.takeOutage();
    if (why != null) {
      outages += away ? 0 : 1;
      away = true;
      listener.onOutage(why);
    }
    if (inbox.takeReturn() && connection.isUp()) { // Else it went again, and comes once more.
      away = false;
      resent += outgoing.sendAgain();
      listener.onBack();
    }
    resent += outgoing.sendAgainAfterSilence();
  }

  private void heedTimeout() {
    boolean waits = state == State.ENDING || !unanswered.isEmpty();
    if (state != State.OVER && waits && outgoing.isTimedOut()) {
      giveUp(outgoing.whatIsMissing(answers.ending(), inbox.strays()));
    }
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
        Optional.ofNullable(answers.ending().finished()),
        Optional.ofNullable(failure),
        resent,
        answers.duplicates(),
        outages);
  }
}
