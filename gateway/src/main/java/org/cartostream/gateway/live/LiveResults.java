package org.cartostream.gateway.live;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.gateway.session.InFlightWindow;
import org.cartostream.gateway.session.SessionListener;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.trajectory.PathPose;

/**
 * Handles the answers of a live robot's session: hands them to the {@link LiveListener}, and
 * compares the service's clock by each of them.
 */
final class LiveResults implements SessionListener {

  private final LiveListener listener;
  private final ServiceClock clock;

  LiveResults(LiveListener listener, ServiceClock clock) {
    this.listener = listener;
    this.clock = clock;
  }

  @Override
  public void onPose(Reading reading, Pose pose) {
    listener.onPose(reading, pose);
  }

  @Override
  public void onOutcome(InFlightWindow.SentReading sentReading, OutcomeMessage message) {
    compareClocks(sentReading, message);
    listener.onOutcome(sentReading.reading(), message.outcome());
  }

  private void compareClocks(InFlightWindow.SentReading sentReading, OutcomeMessage message) {
    long here = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    long worked =
        message.outcome() instanceof Outcome.Processed processed ? processed.serviceNanos() : 0;
    clock.answered(
        here - (System.nanoTime() - sentReading.atNanos()),
        message.answeredAtNanos(),
        here,
        worked);
  }

  @Override
  public void onLost(Reading reading, String why) {
    listener.onOutcome(reading, new Outcome.Lost(why));
  }

  @Override
  public void onUnsendable(Reading reading, Refusal.Reason why) {
    listener.onOutcome(reading, Outcome.Refused.of(why));
  }

  @Override
  public void onMap(OccupancyGrid map, boolean last, long stampNanos) {
    listener.onMap(map, stampNanos);
  }

  @Override
  public void onEnd(OccupancyGrid map, List<PathPose> path) {
    listener.onEnd(map, path);
  }

  @Override
  public void onIncompleteEnd(String why, List<PathPose> path) {
    listener.onIncompleteEnd(why, path);
  }

  @Override
  public void onRestart(String why) {
    listener.onRestart(why);
  }

  @Override
  public void onOutage(String why) {
    listener.onOutage(why);
  }

  @Override
  public void onReconnect() {
    listener.onReconnect();
  }
}
