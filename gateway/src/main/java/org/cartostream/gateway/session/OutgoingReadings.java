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
 * <p>Owns the unanswered readings, the newest map, and the time of the last progress; writes the
 * run's {@link RunJournal}. One thread uses it.
 */
public final class OutgoingReadings {

  /**
   * Divisor of the answer time-out: a reading without an answer is sent again after this part of
   * the time-out, then after twice as long, and so on. The growing pauses limit the copies in a
   * queue that nobody reads.
   */
  public static final int RESENDS_PER_TIMEOUT = 6;

  /** Time between two reports of a silence, nanoseconds. */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long BYTES_PER_MEGABYTE = 1_000_000;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final String robot;
  private final BrokerConnection connection;
  private final long timeoutNanos;
  private final LongSupplier nanoTime;
  private final ServiceClockOffset clock;
  private final InFlightWindow inFlightWindow;
  private final long maxHeldBytes;
  private final RunJournal journal;
  private final Optional<LocalisationAttachment> localisation;
  private MapAssembler map;
  private long lastSequence;
  private long lastStampNanos;

  /** The last reading of this run that was sent; null before the first. */
  private Envelope last;

  /** Number of the last reading that is in the journal. */
  private long lastInJournal;

  /** Time of the service's last answer; null before the first. */
  private LocalTime lastAnswered;

  /** Time and reason of the broker's outage. */
  private String outage = "";

  private boolean endSent;
  private long lastProgressNanos;

  /** Time of the last progress, nanoseconds, not counting the broker's return. */
  private long lastHeardNanos;

  /** Length of the silence at its last report, nanoseconds; 0 before the first. */
  private long dueSilenceNanos;

  private long lastResendNanos;
  private int resendsInSilence;
  private long lastKeepAliveNanos;

  /**
   * Creates the sending side of a new run, or of the journal's run if {@link #resume} follows.
   *
   * @param clock estimate of the service's clock, which each answer refines
   * @param nanoTime clock for waiting, nanoseconds; {@link System#nanoTime} except in tests
   * @param journal journal of the run, in a file if the run may be resumed
   * @param localisation the known map and the placements in it; empty if the robot makes its map
   */
  public OutgoingReadings(
      String robot,
      GatewaySettings settings,
      BrokerConnection connection,
      ServiceClockOffset clock,
      LongSupplier nanoTime,
      RunJournal journal,
      Optional<LocalisationAttachment> localisation) {
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
   * Resumes the run of the journal. Its readings without an outcome are sent again and awaited. If
   * all have an outcome, the last is sent again, so that the service learns of the run and asks for
   * readings that it lacks.
   *
   * @param listener receives the map so far
   * @return number of readings that are awaited
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

  /**
   * Returns the readings from one number to another that are still in the journal, with the present
   * map version.
   */
  private List<Envelope> held(long from, long to) {
    return journal.held(from, to).stream()
        .map(each -> each.answer(((ReadingMessage) each.body()).withHeldMap(map.version())))
        .toList();
  }

  /**
   * Notes that another process had sent a reading.
   *
   * @param sequence number of the reading, the next after the last
   * @param carriedTo see {@link ReadingSource#carriedTo}
   */
  public void goOnBehind(long sequence, Reading reading, InitialPose carriedTo) {
    Envelope envelope = envelope(sequence, reading, carriedTo);
    journal.sent(envelope);
    sent(envelope);
  }

  /**
   * Sends the readings that the service lacks and the journal still has, and tells the service
   * which ones are gone.
   */
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
  Optional<LocalisationAttachment> localisation() {
    return localisation;
  }

  private void sent(Envelope envelope) {
    journal.compact(maxHeldBytes);
    lastSequence = envelope.sequence();
    lastStampNanos = envelope.stampNanos();
    last = envelope;
  }

  /** True if a message is an answer to this run. */
  boolean isAnsweredBy(Envelope envelope) {
    return envelope.run() == journal.run() && envelope.robot().equals(robot);
  }

  InFlightWindow inFlight() {
    return inFlightWindow;
  }

  /**
   * Notes the outcome of a reading in flight, and returns that reading; null if it is not in
   * flight.
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

  /** Returns the map of this run so far, whose version each reading carries. */
  MapAssembler map() {
    return map;
  }

  /**
   * Returns the number of the last reading that was sent, in this run or in the run that it
   * continues.
   */
  public long lastSequence() {
    return lastSequence;
  }

  /** True before the first reading of a run that continues no other. */
  boolean hasSentNothing() {
    return lastSequence == 0;
  }

  /**
   * Sends a reading under the next number.
   *
   * @param carriedTo see {@link ReadingSource#carriedTo}
   * @return false if the connection does not take the reading now
   * @throws RefusedMessageException if the reading is too large to be sent at all
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

  /** Sends the run's end, unless it was sent before. */
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
   * Sends unanswered readings again after a silence, because readings in a service process that
   * dies are never answered. The end is sent again only if no reading is unanswered. A service that
   * was only slow drops the copies.
   *
   * @return number of readings sent again
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
   * filter. The service answers again, without any other effect.
   */
  void sendKeepAlive() {
    long now = nanoTime.getAsLong();
    boolean silent = isTimedOut() && now - lastKeepAliveNanos > timeoutNanos;
    if (silent && last != null && inFlightWindow.isEmpty()) {
      lastKeepAliveNanos = now;
      connection.publish(last);
    }
  }

  /**
   * Sends the unanswered readings again after an outage, and returns their number. The run's end
   * will be sent again as well.
   */
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
   * @return the readings of the old run that will have no answer
   */
  List<Reading> startNewRun() {
    List<Reading> open = abandonInFlight();
    localisation.ifPresent(LocalisationAttachment::restart);
    Map<String, String> its = localisation.map(LocalisationAttachment::identity).orElse(Map.of());
    journal.beginAnew(Envelope.newRun(), its);
    lastSequence = 0;
    lastInJournal = 0;
    last = null;
    map = newMap();
    markProgress();
    return open;
  }

  /** Stops waiting for answers; returns the unanswered readings. */
  List<Reading> abandonInFlight() {
    List<InFlightWindow.SentReading> open = new ArrayList<>(inFlightWindow.all());
    open.forEach(sentReading -> inFlightWindow.answered(sentReading.envelope().sequence()));
    return open.stream().map(InFlightWindow.SentReading::reading).toList();
  }

  /**
   * Returns a sentence for people about the answer or the results that have not come in time.
   *
   * @param seconds length of the silence
   * @param finalResults results of the run's end that have come
   * @param rejectedMessages messages that were refused since the last answer
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

  /** Returns how the run can be resumed after it has given up, for people; empty if it cannot. */
  String remedy() {
    return journal.isResumable() ? "; the same command with --resume goes on from there" : "";
  }

  /** Notes an outage of the broker and its reason. */
  void outage(String why) {
    outage = TIME.format(LocalTime.now()) + " " + why;
  }

  /** Deletes the journal, because the run is over. */
  void ended() {
    journal.delete();
  }

  /** Restarts the waiting time, because the run made progress or awaits something new. */
  void markProgress() {
    waitAnew(nanoTime.getAsLong());
    lastHeardNanos = lastProgressNanos;
  }

  /**
   * Restarts the waiting time when the broker is back, but not forever if the broker comes and
   * goes.
   *
   * @param times number of time-outs after the last progress within which a reconnect still
   *     restarts the waiting time
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

  /**
   * Returns true once every ten seconds of a silence, and when the silence reaches the time-out.
   */
  boolean isSilenceDue() {
    long silent = silentNanos();
    long next = dueSilenceNanos + SILENCE_NANOS;
    if (silent < (dueSilenceNanos < timeoutNanos ? Math.min(next, timeoutNanos) : next)) {
      return false;
    }
    dueSilenceNanos = silent;
    return true;
  }

  /** Returns the time since the last progress, nanoseconds. */
  long silentNanos() {
    return nanoTime.getAsLong() - lastProgressNanos;
  }

  /** Returns the time-out of answers, seconds. */
  long timeoutSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(timeoutNanos);
  }

  /** True if the time since the last progress exceeds the time-out. */
  boolean isTimedOut() {
    return silentNanos() > timeoutNanos;
  }
}
