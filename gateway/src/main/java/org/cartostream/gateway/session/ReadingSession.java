package org.cartostream.gateway.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.message.DroppedMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.ResendRequestMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;

/**
 * The session of one robot with the service, in one thread: sends the readings of a {@link
 * ReadingSource}, takes the answers, and ends the run in order. {@link State#READING} until the
 * session is stopped, {@link State#DRAINING} while readings that the source had before the stop are
 * still sent, {@link State#ENDING} while the service finishes, {@link State#OVER}.
 *
 * <p>Owns the run that is going on ({@link OutgoingReadings}), its results, and how it ends.
 */
public final class ReadingSession {

  /** Reaction of a session when the service loses a reading, or does not answer for long. */
  public enum OnLoss {
    /** End the run, of a log: the readings after a lost one would make a wrong map. */
    END_RUN,
    /**
     * Begin a new run with an empty map, of a robot that drives on. A late answer is awaited
     * without a time-out.
     */
    NEW_RUN
  }

  private enum State {
    READING,
    DRAINING,
    ENDING,
    OVER
  }

  /** Longest sleep of the loop before it checks whether something is due. */
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * Time without an owed answer after which the service counts as away, nanoseconds. This shows a
   * failed radio link sooner than the broker's heartbeat does.
   */
  private static final long LONG_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Factor on a log's time-out while the broker is away or somebody is repairing the service. */
  private static final int TIMES_IN_REPAIR = 10;

  private final OnLoss onLoss;
  private final ReadingSource source;
  private final SessionListener listener;
  private final Inbox inbox;
  private final BrokerConnection connection;
  private final OutgoingReadings outgoing;
  private final InFlightWindow inFlightWindow;
  private final FinalResults finalResults;
  private final Supplier<Optional<String>> repair;

  private State state = State.READING;

  /** Number of the latest reading in this run whose pose the listener got. */
  private long latestPose;

  /** True once the last map and the path have come. */
  private boolean endedInOrder;

  /** Why the previous run was abandoned; null in the first run. */
  private String restart;

  /** Why the session could not go on or end in order; null if it could. */
  private String failure;

  private boolean away;
  private boolean silenceIsSaid;

  /** True if the service was being repaired at some time of the present silence. */
  private boolean wasInRepair;

  private long outages;
  private long resent;
  private long duplicates;

  /**
   * @param repair returns who is repairing the service, for people; empty if nobody. Called every
   *     ten seconds of a silence of a log; a robot's session has no time-out
   */
  public ReadingSession(
      OutgoingReadings outgoing,
      OnLoss onLoss,
      ReadingSource source,
      SessionListener listener,
      Inbox inbox,
      BrokerConnection connection,
      Supplier<Optional<String>> repair) {
    this.repair = repair;
    this.onLoss = onLoss;
    this.source = source;
    this.listener = listener;
    this.inbox = inbox;
    this.connection = connection;
    this.outgoing = outgoing;
    this.finalResults = new FinalResults(outgoing.localisation());
    this.inFlightWindow = outgoing.inFlight();
  }

  /** Runs the session until it is over. To be called once. */
  public SessionResult run() throws InterruptedException {
    while (state != State.OVER) {
      handleStops();
      handleOutages();
      handleNewMap();
      if (state == State.READING || state == State.DRAINING) {
        sendDueReadings();
      }
      if (state == State.ENDING) {
        outgoing.sendEnd();
      }
      Inbox.Item item = inbox.next(pauseNanos());
      if (item != null) {
        handle(item);
      }
      handleTimeout();
    }
    String stopped = "the gateway was stopped before the answer came";
    outgoing.abandonInFlight().forEach(reading -> listener.onLost(reading, stopped));
    handOverIncompleteEnd();
    return new SessionResult(
        Optional.ofNullable(finalResults.finished()),
        Optional.ofNullable(failure),
        resent,
        duplicates,
        outages);
  }

  private void handOverIncompleteEnd() {
    if (endedInOrder || failure == null) {
      return;
    }
    try {
      listener.onIncompleteEnd(
          failure, finalResults.hasWholePath() ? finalResults.path() : List.of());
    } catch (IOException e) {
      failure += "; the results cannot be written: " + e.getMessage();
    }
  }

  // --- sending ---------------------------------------------------------------------------------

  private void sendDueReadings() {
    try {
      while (inFlightWindow.hasCredit() && canSend()) {
        long now = System.nanoTime();
        Reading due = source.due(now);
        if (due == null || !send(due)) {
          break;
        }
      }
      if (inFlightWindow.hasCredit() && source.isExhausted()) {
        endReadings();
      }
    } catch (UncheckedIOException e) {
      failure = "the log cannot be read any further: " + e.getCause().getMessage();
      endReadings();
    }
  }

  /**
   * True if readings are to be taken from the source now. While the broker is away, a robot's
   * readings stay there: newer ones may replace them.
   */
  private boolean canSend() {
    return onLoss == OnLoss.END_RUN || connection.isUp();
  }

  /** Sends a reading; false if the connection does not take it now. */
  private boolean send(Reading reading) {
    try {
      if (!outgoing.send(reading, source.carriedTo())) {
        return false;
      }
      source.sent(System.nanoTime());
    } catch (RefusedMessageException e) {
      source.drop();
      source.answered(reading, Outcome.Refused.of(e.why()));
      listener.onUnsendable(reading, e.why());
    }
    return true;
  }

  private void endReadings() {
    listener.onReadingsEnd();
    if (onLoss == OnLoss.END_RUN || !outgoing.hasSentNothing()) {
      state = State.ENDING;
      outgoing.markProgress();
    } else if (restart == null) {
      outgoing.ended();
      state = State.OVER;
    } else {
      outgoing.ended();
      giveUp("nothing was sent since it began anew: " + restart);
    }
  }

  private long pauseNanos() {
    boolean waitsForItsTime = state == State.READING && inFlightWindow.hasCredit();
    return waitsForItsTime
        ? Math.max(0, Math.min(source.dueInNanos(System.nanoTime()), POLL_NANOS))
        : POLL_NANOS;
  }

  // --- answers ---------------------------------------------------------------------------------

  private void handle(Inbox.Item item) {
    Envelope envelope = item.envelope();
    try {
      if (outgoing.isAnsweredBy(envelope)) {
        handle(envelope);
        finishWhenComplete();
      }
    } catch (IOException e) {
      giveUp("the results cannot be written: " + e.getMessage());
    } catch (RefusedMessageException e) {
      inbox.refused(e.why());
    }
    item.receipt().acknowledge();
  }

  private void handle(Envelope envelope) throws IOException {
    Message body = envelope.body();
    if (body instanceof OutcomeMessage outcome) {
      handleOutcome(envelope.sequence(), outcome);
      return;
    }
    if (body instanceof DroppedMessage dropped) {
      inbox.refused(
          BrokerRefusal.DROPPED.because("number " + envelope.sequence() + ": " + dropped.why()));
      return;
    }
    markProgress();
    if (body instanceof PoseMessage pose) {
      handlePose(inFlightWindow.get(envelope.sequence()), pose.pose());
    } else if (body instanceof MapMessage map) {
      handleMap(map, envelope);
    } else if (body instanceof ParticlesMessage particles) {
      listener.onParticles(envelope.stampNanos(), particles);
    } else if (body instanceof LoopsMessage loops) {
      listener.onLoops(envelope.stampNanos(), loops);
    } else if (body instanceof ResendRequestMessage missing) {
      outgoing.resend(missing);
    } else if (body instanceof TrajectoryMessage part) {
      finalResults.accept(part);
    } else if (body instanceof FinishedMessage finished) {
      finalResults.accept(finished);
    }
  }

  private void markProgress() {
    silenceIsSaid = false;
    wasInRepair = false;
    outgoing.markProgress();
    inbox.rejectedMessages().clear();
  }

  private void handleOutcome(long sequence, OutcomeMessage message) throws IOException {
    InFlightWindow.SentReading sentReading = outgoing.answered(sequence, message);
    if (sentReading == null) {
      duplicates++;
      return;
    }
    markProgress();
    if (message.outcome() instanceof Outcome.Processed processed) {
      RobotPose pose = processed.pose();
      handlePose(sentReading, pose);
      if (pose.quality() != null && pose.quality().state() == LocalisationQuality.State.OK) {
        outgoing.localisation().ifPresent(known -> known.found(sequence, pose.inMap()));
      }
    }
    source.answered(sentReading.reading(), message.outcome());
    listener.onOutcome(sentReading.reading(), message.outcome());
    if (message.outcome() instanceof Outcome.Lost lost && state != State.OVER) {
      handleLoss(sequence, lost.sentence());
    }
  }

  private void handleLoss(long sequence, String why) {
    if (onLoss == OnLoss.END_RUN) {
      failure = failure == null ? "reading " + sequence + " was lost: " + why : failure;
      if (state == State.READING) {
        endReadings();
      }
    } else if (state != State.ENDING) {
      startNewRun("the service lost a reading: " + why);
    }
  }

  /**
   * Hands over the pose of a reading. Poses have a queue of their own, so a pose may come after its
   * outcome, or never.
   */
  private void handlePose(InFlightWindow.SentReading sentReading, RobotPose pose) {
    if (sentReading != null && sentReading.envelope().sequence() > latestPose) {
      latestPose = sentReading.envelope().sequence();
      listener.onPose(sentReading.reading(), pose);
    }
  }

  private void handleMap(MapMessage map, Envelope envelope) throws IOException {
    Optional<OccupancyGrid> grid = outgoing.map().apply(envelope);
    if (grid.isPresent()) {
      if (map.last()) {
        finalResults.accept(grid.get());
      }
      listener.onMap(grid.get(), map.last(), map.correction(), envelope.stampNanos());
    }
  }

  /**
   * Ends the session when all results have come, or the report says that the run broke: the report
   * comes last.
   */
  private void finishWhenComplete() throws IOException {
    if (state != State.ENDING) {
      return;
    }
    if (inFlightWindow.isEmpty() && finalResults.isComplete()) {
      endedInOrder = true;
      listener.onEnd(finalResults.map(), finalResults.path());
      outgoing.ended();
      state = State.OVER;
    }
    if (finalResults.isBroken()) {
      giveUp(finalResults.finished().failure());
    }
  }

  private void giveUp(String why) {
    failure = why;
    state = State.OVER;
  }

  /**
   * Starts a new run, because the filter is lost: all readings after a lost one would be lost as
   * well.
   */
  private void startNewRun(String why) {
    outgoing.startNewRun().forEach(reading -> listener.onLost(reading, why));
    source.newRun();
    restart = why;
    latestPose = 0;
    listener.onRestart(why);
  }

  private void handleNewMap() {
    boolean isReplaced =
        outgoing.localisation().filter(LocalisationAttachment::isReplaced).isPresent();
    if (isReplaced && state == State.READING) {
      startNewRun("it is looked for in another map");
    }
    if (state == State.READING && source.takesNewRun()) {
      startNewRun("somebody asked for a new map");
    }
  }

  private void handleStops() {
    if (inbox.stops() > 0 && state == State.READING) {
      source.stop();
      state = State.DRAINING;
      outgoing.markProgress();
      if (source.isExhausted()) {
        endReadings();
      }
    }
    if (inbox.stops() > 1) {
      giveUp("stopped before the service had finished");
    }
  }

  private void handleOutages() {
    String why = inbox.takeOutage();
    if (why != null) {
      outages += away ? 0 : 1;
      away = true;
      outgoing.outage(why);
      listener.onOutage(why);
    }
    if (inbox.takeReconnect() && connection.isUp()) { // Else it went again, and comes once more.
      away = false;
      resent += outgoing.resend();
      outgoing.markReconnect(TIMES_IN_REPAIR);
      listener.onReconnect();
    }
    resent += outgoing.resendAfterSilence();
    if (onLoss == OnLoss.NEW_RUN) {
      keepAlive();
    }
  }

  private void keepAlive() {
    if (state == State.READING && !connection.isUp()) {
      // The service cannot answer now: this time does not count against it.
      outgoing.markProgress();
    }
    outgoing.sendKeepAlive();
    boolean silent = !inFlightWindow.isEmpty() && outgoing.silentNanos() > LONG_SILENCE_NANOS;
    source.setServiceAway(silent || !connection.isUp());
  }

  private void handleTimeout() {
    boolean stopped = state == State.DRAINING || state == State.ENDING;
    if (state == State.OVER || !(stopped || !inFlightWindow.isEmpty())) {
      return;
    }
    if (onLoss == OnLoss.END_RUN) {
      waitOrGiveUp();
      return;
    }
    if (!outgoing.isTimedOut()) {
      return;
    }
    String why = timeoutReason(outgoing.timeoutSeconds());
    if (stopped) {
      giveUp(why);
    } else if (connection.isUp() && !silenceIsSaid) {
      silenceIsSaid = true;
      listener.onSilence(why);
    }
  }

  /**
   * Reports a silence; gives up a log after its time-out, which is longer while somebody is
   * repairing the service.
   */
  private void waitOrGiveUp() {
    if (!outgoing.isSilenceDue()) {
      return;
    }
    Optional<String> works =
        connection.isUp() ? repair.get() : Optional.of("it is tried again all the time");
    long max = outgoing.timeoutSeconds() * (works.isPresent() ? TIMES_IN_REPAIR : 1);
    long silent = TimeUnit.NANOSECONDS.toSeconds(outgoing.silentNanos());
    if (silent >= max) {
      boolean isLonger = wasInRepair && works.isEmpty();
      giveUp(timeoutReason(isLonger ? silent : max) + outgoing.remedy());
    } else {
      wasInRepair = works.isPresent();
      String who = works.map(each -> "; " + each).orElse("");
      listener.onSilence(
          "%s%s; waits %d s more".formatted(timeoutReason(silent), who, max - silent));
    }
  }

  private String timeoutReason(long seconds) {
    return outgoing.timeoutReason(seconds, finalResults, inbox.rejectedMessages());
  }
}
