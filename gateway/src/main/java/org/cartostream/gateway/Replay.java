package org.cartostream.gateway;

import java.util.Iterator;
import java.util.function.LongSupplier;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.RobotId;
import org.cartostream.slam.log.LogEntry;

/**
 * One run of a recorded log: every usable reading crosses the broker once, in order, at most as
 * many unanswered at a time as there is credit, and gets exactly one outcome. A replay waits for
 * credit, and so skips none and loses none at any pace.
 *
 * <p>Unusable lines never cross; they are counted by their reason. After an outage what is
 * unanswered is sent again. At the end of the log the service is told, and its trajectory, map and
 * report are awaited. A run that gives up counts what is unanswered as lost, and says so.
 *
 * <p>Owns its connection to the broker, and with it the robot's answers: while it is open, no other
 * gateway there can have the same robot.
 */
public final class Replay implements AutoCloseable {

  /** For which robot a log is replayed, how, and who learns of it. */
  record Order(
      String robot, Pace pace, GatewaySettings settings, Sink sink, ReplayListener listener) {}

  private final Order order;
  private final Inbox inbox;
  private final BrokerConnection connection;
  private final LongSupplier nanoTime;

  private Replay(Order order, Inbox inbox, BrokerConnection connection, LongSupplier nanoTime) {
    this.order = order;
    this.inbox = inbox;
    this.connection = connection;
    this.nanoTime = nanoTime;
  }

  /**
   * Opens the connection and listens for the robot's answers.
   *
   * @param robot the robot's id
   * @param sink takes poses, maps and the path
   * @throws org.cartostream.broker.RefusedMessageException if the id is none
   * @throws org.cartostream.broker.BrokerException if the broker cannot be used, or another gateway
   *     takes this robot's answers
   */
  public static Replay open(
      String robot,
      Pace pace,
      GatewaySettings settings,
      Sink sink,
      ReplayListener listener,
      BrokerConnector connector) {
    return open(new Order(robot, pace, settings, sink, listener), connector, System::nanoTime);
  }

  /** Opens a replay that waits for answers by a clock of its own. */
  static Replay open(Order order, BrokerConnector connector, LongSupplier nanoTime) {
    RobotId.check(order.robot());
    Inbox inbox = new Inbox();
    BrokerConnection connection = connector.open(inbox);
    try {
      connection.subscribeToAnswers(order.robot(), Inbox.PREFETCH, inbox);
    } catch (BrokerException e) {
      connection.close();
      throw e;
    }
    return new Replay(order, inbox, connection, nanoTime);
  }

  /**
   * Replays a log; returns when the run is over, for whatever reason. Once only.
   *
   * @param log read to its end, not closed
   */
  public ReplayReport run(Iterator<LogEntry> log) throws InterruptedException {
    ReadingCounter counter = new ReadingCounter();
    SessionResult result =
        new ReadingSession(
                new Outgoing(order.robot(), order.settings(), connection, nanoTime),
                ReadingSession.OnLoss.END_RUN,
                new PacedLog(log, order.pace(), counter),
                new LogResults(order.sink(), order.listener(), counter),
                inbox,
                connection)
            .run();
    connection.deleteAnswerQueues(order.robot());
    return ReplayReport.of(result, counter);
  }

  /**
   * From any thread: stops reading the log and ends the run in order, so that the map so far is
   * written. A second time gives up at once; what is unanswered is lost.
   */
  public void stop() {
    inbox.stop();
  }

  @Override
  public void close() {
    connection.close();
  }
}
