package org.cartostream.gateway.replay;

import java.util.Iterator;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.ReadingCounter;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.gateway.session.BrokerConnector;
import org.cartostream.gateway.session.Inbox;
import org.cartostream.gateway.session.LocalisationAttachment;
import org.cartostream.gateway.session.OutgoingReadings;
import org.cartostream.gateway.session.ReadingSession;
import org.cartostream.gateway.session.ServiceClockOffset;
import org.cartostream.gateway.session.SessionResult;
import org.cartostream.gateway.sink.Sink;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;

/**
 * The gateway of a recorded log: sends every usable reading to the service once, in order, with at
 * most as many unanswered readings as the credit; each gets exactly one outcome. A replay waits for
 * credit, so it skips and loses no reading at any pace.
 *
 * <p>Unusable lines are not sent, but counted by their reason. After an outage unanswered readings
 * are sent again. At the end of the log the gateway sends an end message and waits for trajectory,
 * map and report. A run that gives up counts unanswered readings as lost, and reports why.
 *
 * <p>Owns its connection to the broker, and with it the robot's answers: while it is open, no other
 * gateway there can have the same robot.
 */
public final class LogGateway implements AutoCloseable {

  /**
   * Robot, pace, settings, receivers and known map of a replay.
   *
   * @param robot the robot's id
   * @param sink receives maps and the path
   * @param localisation the known map and the placements in it; empty if the robot makes its map
   */
  public record Options(
      String robot,
      Pace pace,
      GatewaySettings settings,
      Sink sink,
      ReplayListener listener,
      Optional<LocalisationAttachment> localisation) {}

  private final Options options;
  private final Inbox inbox;
  private final BrokerConnection connection;
  private final LongSupplier nanoTime;

  /** True once another process has taken over the run and its queues. */
  private volatile boolean abandoned;

  private LogGateway(
      Options options, Inbox inbox, BrokerConnection connection, LongSupplier nanoTime) {
    this.options = options;
    this.inbox = inbox;
    this.connection = connection;
    this.nanoTime = nanoTime;
  }

  /**
   * Opens the connection and listens for the robot's answers.
   *
   * @param nanoTime clock for waiting, nanoseconds; {@link System#nanoTime} except in tests
   * @throws org.cartostream.broker.RefusedMessageException if the robot's id is not a valid one
   * @throws org.cartostream.broker.BrokerException if the broker cannot be used, or another gateway
   *     takes this robot's answers
   */
  public static LogGateway open(Options options, BrokerConnector connector, LongSupplier nanoTime) {
    RobotId.check(options.robot());
    Inbox inbox = new Inbox();
    BrokerConnection connection = connector.open(inbox);
    try {
      connection.subscribeToAnswers(options.robot(), Inbox.PREFETCH, inbox);
    } catch (BrokerException e) {
      connection.close();
      throw e;
    }
    return new LogGateway(options, inbox, connection, nanoTime);
  }

  /**
   * Replays a log; returns when the run is over, for whatever reason. Once only.
   *
   * @param log read to its end, not closed
   * @param journal journal of the run, which continues behind the readings that have an outcome
   *     there
   * @throws GatewayException if the journal is of another log
   */
  public ReplayReport run(Iterator<LogEntry> log, Optional<RunJournal> journal)
      throws InterruptedException {
    ReadingCounter counter = new ReadingCounter();
    RunJournal readings = journal.orElseGet(RunJournal::inMemory);
    OutgoingReadings outgoing =
        new OutgoingReadings(
            options.robot(),
            options.settings(),
            connection,
            new ServiceClockOffset(),
            nanoTime,
            readings,
            options.localisation());
    PacedLog source = new PacedLog(log, options.listener()::isLogHeld, options.pace(), counter);
    LogResults results = new LogResults(options.sink(), options.listener(), counter);
    resume(readings, outgoing, source, results);
    options.listener().onLogKnown();
    SessionResult result =
        new ReadingSession(
                outgoing,
                ReadingSession.OnLoss.END_RUN,
                source,
                results,
                inbox,
                connection,
                options.listener()::repair)
            .run();
    if (!abandoned) {
      connection.deleteAnswerQueues(options.robot());
    }
    return ReplayReport.of(result, counter);
  }

  /**
   * Counts the readings that have an outcome in the journal. If the service died too, it asks for
   * those that it lacks.
   */
  private static void resume(
      RunJournal journal, OutgoingReadings outgoing, PacedLog source, LogResults results) {
    long answered = journal.answered();
    long before = journal.before();
    for (long sequence = before + 1; sequence <= answered; sequence++) {
      Reading reading = source.due(System.nanoTime());
      if (reading == null) {
        throw new GatewayException(
            "the run cannot go on: it had answers to "
                + (answered - before)
                + " readings, and this log has "
                + (sequence - before - 1));
      }
      OutcomeMessage outcome = journal.outcome(sequence, reading);
      outgoing.goOnBehind(sequence, reading, source.carriedTo());
      source.drop();
      results.onOutcome(reading, outcome.outcome());
    }
  }

  /**
   * Stops reading the log and ends the run in order, so that the map so far is written; from any
   * thread. A second call gives up at once; unanswered readings are lost.
   */
  public void stop() {
    inbox.stop();
  }

  /**
   * Ends the replay at once, because another process has taken over the run and its queues;
   * callable from any thread.
   */
  public void abandon() {
    abandoned = true;
    stop();
    stop(); // The second time.
  }

  @Override
  public void close() {
    connection.close();
  }
}
