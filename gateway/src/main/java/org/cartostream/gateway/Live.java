package org.cartostream.gateway;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.RobotId;
import org.cartostream.slam.sensor.Reading;

/**
 * A robot that drives now. At most as many readings are unanswered as there is credit; without
 * credit only the newest waits. Odometry is absolute, so a reading left out adds no drift.
 *
 * <p>It never gives up: after an outage what is unanswered is sent again, and when the service has
 * lost the robot's filter, a new run begins.
 *
 * <p>Owns its connection to the broker, and with it the robot's answers: while it is open, no other
 * gateway there can have the same robot. Owns the reading that waits.
 */
public final class Live implements AutoCloseable {

  private final String robot;
  private final GatewaySettings settings;
  private final LiveListener listener;
  private final Inbox inbox;
  private final BrokerConnection connection;
  private final AtomicReference<Reading> newest = new AtomicReference<>();

  private Live(
      String robot,
      GatewaySettings settings,
      LiveListener listener,
      Inbox inbox,
      BrokerConnection connection) {
    this.robot = robot;
    this.settings = settings;
    this.listener = listener;
    this.inbox = inbox;
    this.connection = connection;
  }

  /**
   * Opens the connection and listens for the robot's answers.
   *
   * @throws org.cartostream.broker.RefusedMessageException if the id is none
   * @throws BrokerException if the broker cannot be used, or another gateway takes this robot's
   *     answers
   */
  public static Live open(
      String robot, GatewaySettings settings, LiveListener listener, Replay.Connector connector) {
    RobotId.check(robot);
    Inbox inbox = new Inbox();
    BrokerConnection connection = connector.open(inbox);
    try {
      connection.subscribeToAnswers(robot, Inbox.PREFETCH, inbox);
    } catch (BrokerException e) {
      connection.close();
      throw e;
    }
    return new Live(robot, settings, listener, inbox, connection);
  }

  /**
   * From any thread: sends a reading as soon as there is credit, unless a newer one comes first.
   *
   * @return the reading that was still waiting, and is left out now
   */
  public Optional<Reading> offer(Reading reading) {
    Reading overtaken = newest.getAndSet(reading);
    inbox.wake();
    return Optional.ofNullable(overtaken);
  }

  /**
   * Sends what is offered until {@link #stop}, then ends the run in order. Once only.
   *
   * @return the reading that was still waiting at the end, and is left out
   */
  public Optional<Reading> run() throws InterruptedException {
    new LiveRun(robot, settings, listener, inbox, connection, newest).untilStopped();
    connection.deleteAnswerQueues(robot);
    return Optional.ofNullable(newest.getAndSet(null));
  }

  /**
   * From any thread: ends the run in order, so that the last map and the path come. A second time
   * gives up at once; what is unanswered is lost.
   */
  public void stop() {
    inbox.stop();
  }

  /** True unless the broker is away. */
  public boolean isUp() {
    return connection.isUp();
  }

  @Override
  public void close() {
    connection.close();
  }
}
