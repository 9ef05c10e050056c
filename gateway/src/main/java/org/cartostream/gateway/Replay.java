package org.cartostream.gateway;

import java.util.Iterator;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerListener;
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
 */
public final class Replay {

  /** Opens the connection of a run, which has to hear of outages. */
  @FunctionalInterface
  public interface Connector {

    /**
     * @throws org.cartostream.broker.BrokerException if the broker cannot be used
     */
    BrokerConnection open(BrokerListener listener);
  }

  private final String robot;
  private final Pace pace;
  private final GatewaySettings settings;
  private final Sink sink;
  private final ReplayListener listener;
  private final Inbox inbox = new Inbox();

  /**
   * @param robot the robot's id
   * @param sink takes poses, maps and the path
   * @throws org.cartostream.broker.RefusedMessageException if the id is none
   */
  public Replay(
      String robot, Pace pace, GatewaySettings settings, Sink sink, ReplayListener listener) {
    this.robot = RobotId.check(robot);
    this.pace = pace;
    this.settings = settings;
    this.sink = sink;
    this.listener = listener;
  }

  /**
   * Replays a log; returns when the run is over, for whatever reason. Once only.
   *
   * @param log read to its end, not closed
   * @throws org.cartostream.broker.BrokerException if the broker cannot be used at the start
   */
  public ReplayReport run(Iterator<LogEntry> log, Connector connector) throws InterruptedException {
    try (BrokerConnection connection = connector.open(inbox)) {
      connection.subscribeToAnswers(robot, Inbox.PREFETCH, inbox);
      ReplayRun run = new ReplayRun(robot, pace, settings, sink, listener, inbox, connection);
      ReplayReport report = run.through(log);
      connection.deleteAnswerQueues(robot);
      return report;
    }
  }

  /**
   * From any thread: stops reading the log and ends the run in order, so that the map so far is
   * written. A second time gives up at once; what is unanswered is lost.
   */
  public void stop() {
    inbox.stop();
  }
}
