package org.cartostream.gateway.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.slam.sensor.Reading;

/**
 * The sending side of a run: readings with numbers, at most as many unanswered as there is credit,
 * and the end; sends again what is not answered.
 *
 * <p>Owns the run's number, the last reading sent, the unanswered readings, the map that is held,
 * and when the run last made progress. One thread uses it.
 */
public final class OutgoingReadings {

  /**
   * After this part of a run's time without any answer, what has none is sent again; so a queue
   * that nobody reads holds each unanswered reading so many times at most.
   */
  public static final int RESENDS_PER_TIMEOUT = 6;

  private static final Duration FLUSH_TIME = Duration.ofSeconds(1);

  private final String robot;
  private final BrokerConnection connection;
  private final long timeoutNanos;
  private final LongSupplier nanoTime;
  private final ServiceClock clock;
  private final InFlightWindow inFlightWindow;
  private MapAssembler map = new MapAssembler();
  private long run = Envelope.newRun();
  private long lastSequence;
  private long lastStampNanos;

  /** The last reading as it was sent; null before the first. */
  private Envelope lastReading;

  private boolean endSent;
  private long lastProgressNanos;
  private long lastResendNanos;
  private long lastKeepAliveNanos;

  /**
   * Begins a run.
   *
   * @param clock is compared by each answer
   * @param nanoTime by which it waits for answers: {@link System#nanoTime}, but in tests
   */
  public OutgoingReadings(
      String robot,
      GatewaySettings settings,
      BrokerConnection connection,
      ServiceClock clock,
      LongSupplier nanoTime) {
    this.clock = clock;
    this.robot = robot;
    this.connection = connection;
    this.timeoutNanos = TimeUnit.SECONDS.toNanos(settings.answerTimeoutSeconds());
    this.inFlightWindow = new InFlightWindow(settings.creditReadings());
    this.nanoTime = nanoTime;
    this.lastProgressNanos = nanoTime.getAsLong();
    this.lastResendNanos = lastProgressNanos;
    this.lastKeepAliveNanos = lastProgressNanos;
  }

  /**
   * Goes on with a run whose readings up to this one were answered.
   *
   * @param number of the run
   */
  public void resume(long number, long answered, long stampNanos) {
    run = number;
    lastSequence = answered;
    lastStampNanos = stampNanos;
  }

  /**
   * Sends a reading again that was answered, but that the service may not have any more; it is not
   * waited for.
   */
  public void sendAgain(long sequence, Reading reading) throws InterruptedException {
    Envelope envelope =
        new Envelope(robot, run, sequence, reading.stampNanos(), new ReadingMessage(reading));
    while (!connection.publish(envelope)) {
      connection.flush(FLUSH_TIME);
    }
    markProgress();
  }

  /** True if an answer is one to this run. */
  boolean isAnsweredBy(Envelope envelope) {
    return envelope.run() == run && envelope.robot().equals(robot);
  }

  InFlightWindow inFlight() {
    return inFlightWindow;
  }

  /**
   * The reading that an outcome belongs to, which is answered now; null if it is none in flight.
   */
  InFlightWindow.SentReading answered(long sequence, OutcomeMessage message) {
    InFlightWindow.SentReading sentReading = inFlightWindow.answered(sequence);
    if (sentReading != null) {
      clock.answered(sentReading.atNanos(), message);
    }
    return sentReading;
  }

  /** The map of this run so far; each reading carries its version. */
  MapAssembler map() {
    return map;
  }

  /** True before the first reading. */
  boolean hasSentNothing() {
    return lastSequence == 0;
  }

  /**
   * Sends a reading under the next number.
   *
   * @return false if the connection does not take it now
   * @throws RefusedMessageException if it is too large to be sent at all
   */
  boolean send(Reading reading) {
    long sequence = lastSequence + 1;
    Envelope envelope =
        new Envelope(
            robot, run, sequence, reading.stampNanos(), new ReadingMessage(reading, map.version()));
    if (!connection.publish(envelope)) {
      return false;
    }
    if (inFlightWindow.isEmpty()) {
      markProgress();
    }
    inFlightWindow.sent(envelope, System.nanoTime());
    lastReading = envelope;
    lastSequence = sequence;
    lastStampNanos = reading.stampNanos();
    return true;
  }

  /** Sends the end, unless it was sent. */
  void sendEnd() {
    if (!endSent) {
      EndMessage end = new EndMessage(lastSequence, map.version());
      endSent = connection.publish(new Envelope(robot, run, lastSequence, lastStampNanos, end));
    }
  }

  /**
   * Sends again what has no answer after a while: a reading that was inside the service when a
   * process of it died is never answered. The end is sent again only if nothing else waits. A
   * service that was only slow drops what comes twice.
   *
   * @return readings sent again
   */
  int resendAfterSilence() {
    long now = nanoTime.getAsLong();
    long patience = timeoutNanos / RESENDS_PER_TIMEOUT;
    if (silentNanos() <= patience || now - lastResendNanos <= patience) {
      return 0;
    }
    lastResendNanos = now;
    endSent &= !inFlightWindow.isEmpty();
    return resendInFlight();
  }

  /**
   * Sends the last reading of a robot that stands still again, so that the service keeps its
   * filter. It is answered again, which changes nothing.
   */
  void sendKeepAlive() {
    long now = nanoTime.getAsLong();
    boolean silent = isTimedOut() && now - lastKeepAliveNanos > timeoutNanos;
    if (silent && lastReading != null && inFlightWindow.isEmpty()) {
      lastKeepAliveNanos = now;
      connection.publish(lastReading);
    }
  }

  /** After an outage: sends again what is unanswered; the end will be sent again as well. */
  int resend() {
    endSent = false;
    return resendInFlight();
  }

  private int resendInFlight() {
    inFlightWindow.all().forEach(sentReading -> connection.publish(sentReading.envelope()));
    return inFlightWindow.all().size();
  }

  /**
   * Begins a new run.
   *
   * @return the readings of the old one that nobody will answer any more
   */
  List<Reading> startNewRun() {
    List<Reading> open = abandonInFlight();
    run = Envelope.newRun();
    lastSequence = 0;
    lastReading = null;
    map = new MapAssembler();
    markProgress();
    return open;
  }

  /** Waits for no answer any more; returns the readings that have none. */
  List<Reading> abandonInFlight() {
    List<InFlightWindow.SentReading> open = new ArrayList<>(inFlightWindow.all());
    open.forEach(sentReading -> inFlightWindow.answered(sentReading.envelope().sequence()));
    return open.stream().map(InFlightWindow.SentReading::reading).toList();
  }

  /**
   * What has not come in time, for people.
   *
   * @param finalResults what has come of the run's end
   * @param rejectedMessages what came in place of answers
   */
  String timeoutReason(FinalResults finalResults, RejectedMessages rejectedMessages) {
    String time = " for " + timeoutSeconds() + " s";
    if (!connection.isUp()) {
      return "the broker has been away" + time;
    }
    return inFlightWindow.isEmpty()
        ? "the service has not sent its "
            + finalResults.missing()
            + time
            + rejectedMessages.describe("")
        : "no answer to reading "
            + inFlightWindow.oldest()
            + time
            + rejectedMessages.describe(RejectedMessages.NO_SERVICE);
  }

  /** The run made progress, or has something new to wait for. */
  void markProgress() {
    lastProgressNanos = nanoTime.getAsLong();
  }

  /** How long nothing has come, nanoseconds. */
  long silentNanos() {
    return nanoTime.getAsLong() - lastProgressNanos;
  }

  /** How long a run waits for an answer. */
  long timeoutSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(timeoutNanos);
  }

  /** True if nothing has come for longer than a run waits. */
  boolean isTimedOut() {
    return silentNanos() > timeoutNanos;
  }
}
