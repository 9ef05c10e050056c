package org.cartostream.gateway.session;

import java.io.IOException;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.ResendRequestMessage;
import org.cartostream.broker.message.UnavailableMessage;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;

/**
 * The sending side of a run: readings with numbers, at most as many unanswered as there is credit,
 * and the end; sends again what is not answered.
 *
 * <p>Owns the unanswered readings, the map that is held, and when the run last made progress;
 * writes the run's {@link RunJournal}. One thread uses it.
 */
public final class OutgoingReadings {

  /**
   * Divisor of the answer time-out: a reading without an answer is sent again after this part of
   * it, then after twice that, and so on, so that a queue which nobody reads holds few copies.
   */
  public static final int RESENDS_PER_TIMEOUT = 6;

  /** Between two times that a silence is due to be looked at. */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long BYTES_PER_MEGABYTE = 1_000_000;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final String robot;
  private final BrokerConnection connection;
  private final long timeoutNanos;
  private final LongSupplier nanoTime;
  private final ServiceClock clock;
  private final InFlightWindow inFlightWindow;
  private final long maxHeldBytes;
  private final RunJournal journal;
  private final Optional<RobotLocalisation> localisation;
  private MapAssembler map;
  private long lastSequence;
  private long lastStampNanos;

  /** The last reading of this run that was sent; null before the first. */
  private Envelope last;

  /** The last reading that the journal has. */
  private long lastInJournal;

  /** Time of the service's last answer; null before the first. */
  private LocalTime lastAnswered;

  /** Time and reason of the broker's outage. */
  private String outage = "";

  private boolean endSent;
  private long lastProgressNanos;

  /** Time of the last progress, of which a broker that is back is none. */
  private long lastHeardNanos;

  /** Silence when it was last due, nanoseconds; 0 before that. */
  private long dueSilenceNanos;

  private long lastResendNanos;
  private int resendsInSilence;
  private long lastKeepAliveNanos;

  /**
   * Begins a run, or goes on with that of its journal when it is {@link #resume}d.
   *
   * @param clock is compared by each answer
   * @param nanoTime by which it waits for answers: {@link System#nanoTime}, but in tests
   * @param journal of the run, in a file if it may be resumed
   * @param localisation what is said of a known map; empty if the robot makes its map
   */
  public OutgoingReadings(
      String robot,
      GatewaySettings settings,
      BrokerConnection connection,
      ServiceClock clock,
      LongSupplier nanoTime,
      RunJournal journal,
      Optional<RobotLocalisation> localisation) {
    this.journal = journal;
    this.localisation = localisation;
    this.map = newMap();
    this.lastSequence = journal.before();
    this.maxHeldBytes = settings.backlogMegabytes() * BYTES_PER_MEGABYTE;
    this.clock = clock;
    this.robot = robot;
    this.connection = connection;
    this.timeoutNanos = TimeUnit.SECONDS.toNanos(settings.answerTimeoutSeconds());
    this.inFlightWindow = new InFlightWindow(settings.creditReadings());
    this.nanoTime = nanoTime;
    this.lastProgressNanos = nanoTime.getAsLong();
    this.lastHeardNanos = lastProgressNanos;
    this.lastResendNanos = lastProgressNanos;
    this.lastKeepAliveNanos = lastProgressNanos;
  }

  /**
   * Goes on behind the readings that the journal has. Those without an outcome are sent again and
   * waited for; if all have one, the last is sent again, so that the service meets the run. It asks
   * for what else it lacks.
   *
   * @param listener is given the map so far
   * @return how many are waited for
   */
  public int resume(SessionListener listener) throws IOException {
    Optional<Envelope> kept = map.load(journal.run());
    if (kept.isPresent()) {
      MapMessage shown = (MapMessage) kept.get().body();
      listener.onMap(shown.grid(), false, shown.correction(), kept.get().stampNanos());
    }
    lastSequence = journal.answered();
    for (Envelope each : held(0, Long.MAX_VALUE)) {
      sent(each);
      if (!journal.hasOutcome(each.sequence())) {
        inFlightWindow.sent(each, System.nanoTime());
      }
    }
    lastInJournal = lastSequence;
    if (inFlightWindow.isEmpty() && last != null) {
      connection.publish(last);
    }
    return resendInFlight();
  }

  /** The readings from one number to another, as far as they are held, with the map of now. */
  private List<Envelope> held(long from, long to) {
    return journal.held(from, to).stream()
        .map(each -> each.answer(((ReadingMessage) each.body()).withHeldMap(map.version())))
        .toList();
  }

  /**
   * A reading was sent by another process.
   *
   * @param sequence its number, the next one
   * @param carriedTo see {@link ReadingSource#carriedTo}
   */
  public void goOnBehind(long sequence, Reading reading, InitialPose carriedTo) {
    Envelope envelope = envelope(sequence, reading, carriedTo);
    journal.sent(envelope);
    sent(envelope);
  }

  /** The service lacks readings: sends those that are held, and says which are gone. */
  void resend(ResendRequestMessage missing) {
    long gone = Math.min(missing.last(), journal.firstHeld() - 1);
    if (gone >= missing.first()) {
      UnavailableMessage body = new UnavailableMessage(missing.first(), gone);
      connection.publish(new Envelope(robot, journal.run(), missing.first(), lastStampNanos, body));
    }
    for (Envelope each : held(missing.first(), missing.last())) {
      if (!connection.publish(each)) {
        return; // It asks again.
      }
    }
  }

  private Envelope envelope(long sequence, Reading reading, InitialPose carriedTo) {
    ReadingMessage body =
        localisation
            .map(known -> known.message(sequence, reading, map.version()))
            .orElseGet(() -> new ReadingMessage(reading, map.version(), null, carriedTo));
    return new Envelope(robot, journal.run(), sequence, reading.stampNanos(), body);
  }

  /** Returns the localisation in a known map; empty if the robot makes its map. */
  Optional<RobotLocalisation> localisation() {
    return localisation;
  }

  private void sent(Envelope envelope) {
    journal.compact(maxHeldBytes);
    lastSequence = envelope.sequence();
    lastStampNanos = envelope.stampNanos();
    last = envelope;
  }

  /** True if an answer is one to this run. */
  boolean isAnsweredBy(Envelope envelope) {
    return envelope.run() == journal.run() && envelope.robot().equals(robot);
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
      lastAnswered = LocalTime.now();
      clock.answered(sentReading.atNanos(), message);
      journal.answered(sentReading.envelope(), message);
      journal.compact(maxHeldBytes);
    }
    return sentReading;
  }

  private MapAssembler newMap() {
    return new MapAssembler(journal.mapFile());
  }

  /** The map of this run so far; each reading carries its version. */
  MapAssembler map() {
    return map;
  }

  /** The number of the last reading that was sent, also by the run that this one continues. */
  public long lastSequence() {
    return lastSequence;
  }

  /** True before the first reading of a run that continues none. */
  boolean hasSentNothing() {
    return lastSequence == 0;
  }

  /**
   * Sends a reading under the next number.
   *
   * @param carriedTo see {@link ReadingSource#carriedTo}
   * @return false if the connection does not take it now
   * @throws RefusedMessageException if it is too large to be sent at all
   */
  boolean send(Reading reading, InitialPose carriedTo) {
    Envelope envelope = envelope(lastSequence + 1, reading, carriedTo);
    if (lastInJournal < envelope.sequence()) {
      journal.sent(envelope);
      lastInJournal = envelope.sequence();
    }
    if (!sends(envelope)) {
      return false;
    }
    if (inFlightWindow.isEmpty()) {
      markProgress();
    }
    inFlightWindow.sent(envelope, System.nanoTime());
    sent(envelope);
    return true;
  }

  private boolean sends(Envelope envelope) {
    try {
      return connection.publish(envelope);
    } catch (RefusedMessageException e) {
      lastInJournal = lastSequence; // Its number is the next reading's.
      throw e;
    }
  }

  /** Sends the end, unless it was sent. */
  void sendEnd() {
    if (!endSent) {
      EndMessage body = new EndMessage(lastSequence, map.version());
      Envelope end = new Envelope(robot, journal.run(), lastSequence, lastStampNanos, body);
      if (!journal.isEnded()) {
        journal.sent(end);
      }
      endSent = connection.publish(end);
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
    long patience = Math.min(timeoutNanos, timeoutNanos / RESENDS_PER_TIMEOUT << resendsInSilence);
    if (silentNanos() <= patience || now - lastResendNanos <= patience) {
      return 0;
    }
    lastResendNanos = now;
    resendsInSilence = Math.min(resendsInSilence + 1, RESENDS_PER_TIMEOUT);
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
    if (silent && last != null && inFlightWindow.isEmpty()) {
      lastKeepAliveNanos = now;
      connection.publish(last);
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
    localisation.ifPresent(RobotLocalisation::restart);
    Map<String, String> its = localisation.map(RobotLocalisation::identity).orElse(Map.of());
    journal.beginAnew(Envelope.newRun(), its);
    lastSequence = 0;
    lastInJournal = 0;
    last = null;
    map = newMap();
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
   * Returns what has not come in time, for people.
   *
   * @param seconds for how long
   * @param finalResults what has come of the run's end
   * @param rejectedMessages what came in place of answers
   */
  String timeoutReason(long seconds, FinalResults finalResults, RejectedMessages rejectedMessages) {
    String time = " for " + seconds + " s";
    if (!connection.isUp()) {
      return "the broker has been away" + time + ": " + outage;
    }
    return inFlightWindow.isEmpty()
        ? "the service has not sent its "
            + finalResults.missing()
            + time
            + rejectedMessages.describe("")
        : "no answer to reading "
            + inFlightWindow.oldest()
            + time
            + rejectedMessages.describe(lastAnswer());
  }

  /**
   * Returns a sentence that distinguishes a service that has died from one that was never there.
   */
  private String lastAnswer() {
    return lastAnswered == null
        ? RejectedMessages.NO_SERVICE
        : "; the service has died or is cut off, for it answered until "
            + TIME.format(lastAnswered);
  }

  /** Returns how the run can go on after it has given up, for people; empty if it cannot. */
  String remedy() {
    return journal.isResumable() ? "; the same command with --resume goes on from there" : "";
  }

  /** The broker is away, for this reason. */
  void outage(String why) {
    outage = TIME.format(LocalTime.now()) + " " + why;
  }

  /** The run has come to its end: nobody goes on with it. */
  void ended() {
    journal.delete();
  }

  /** The run made progress, or has something new to wait for. */
  void markProgress() {
    waitAnew(nanoTime.getAsLong());
    lastHeardNanos = lastProgressNanos;
  }

  /**
   * The broker is back: the service is given its time anew, but not without end if the broker comes
   * and goes.
   *
   * @param times as long as a run waits that may pass since the last progress
   */
  void markReconnect(int times) {
    long now = nanoTime.getAsLong();
    if (now - lastHeardNanos < times * timeoutNanos) {
      waitAnew(now);
    }
  }

  private void waitAnew(long now) {
    lastProgressNanos = now;
    resendsInSilence = 0;
    dueSilenceNanos = 0;
  }

  /** True each ten seconds of a silence, and at once when it is as long as a run waits. */
  boolean isSilenceDue() {
    long silent = silentNanos();
    long next = dueSilenceNanos + SILENCE_NANOS;
    if (silent < (dueSilenceNanos < timeoutNanos ? Math.min(next, timeoutNanos) : next)) {
      return false;
    }
    dueSilenceNanos = silent;
    return true;
  }

  /** Time for which nothing has come, nanoseconds. */
  long silentNanos() {
    return nanoTime.getAsLong() - lastProgressNanos;
  }

  /** Returns how long a run waits for an answer. */
  long timeoutSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(timeoutNanos);
  }

  /** True if nothing has come for longer than a run waits. */
  boolean isTimedOut() {
    return silentNanos() > timeoutNanos;
  }
}
