package org.cartostream.run;

import java.util.List;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.live.LiveListener;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.web.observer.RunObserver;

/**
 * Tells an observer what a live robot's gateway is answered. Owns the number of readings that have
 * an outcome; one thread uses it.
 */
final class ObservedGateway implements LiveListener {

  private final String robot;
  private final RunObserver observer;
  private long answered;

  ObservedGateway(String robot, RunObserver observer) {
    this.robot = robot;
    this.observer = observer;
    observer.begin(robot, 0);
  }

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    observer.link("");
    observer.outcome(++answered, reading, outcome);
  }

  @Override
  public void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos) {
    if (!last) {
      observer.map(map, correction, stampNanos);
    }
  }

  @Override
  public void onEnd(OccupancyGrid map, List<PathPose> path) {
    observer.result(map, path);
  }

  @Override
  public void onRestart(String why) {
    observer.begin(robot, 0);
    observer.link(why);
  }

  @Override
  public void onSilence(String why) {
    observer.link(why);
  }

  @Override
  public void onOutage(String why) {
    observer.link("the broker is away: " + why);
  }

  @Override
  public void onReconnect() {
    observer.link("");
  }

  /** Of no reading that was sent; called by other threads, too. */
  @Override
  public void onSkipped(long stampNanos, SkipReason why) {}
}
