package org.cartostream.run;

import java.util.List;
import java.util.Optional;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.live.LiveListener;
import org.cartostream.gateway.session.LocalisationAttachment;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.web.observer.RunObserver;

/**
 * Listener of a live robot's gateway that forwards the service's answers to an observer. Owns the
 * number of answered readings; used by one thread.
 */
final class ObservedGateway implements LiveListener {

  private final String robot;
  private final RunObserver observer;
  private final Optional<LocalisationAttachment> localisation;
  private long answered;

  /** The known map that the observer was shown last; null before the first. */
  private ServerMap shown;

  /**
   * @param localisation the known map in which the robot is localised; empty if the run makes a map
   */
  ObservedGateway(
      String robot, RunObserver observer, Optional<LocalisationAttachment> localisation) {
    this.robot = robot;
    this.observer = observer;
    this.localisation = localisation;
    observer.begin(robot, 0);
  }

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    observer.link("");
    localisation.ifPresent(known -> show(known.map(), reading.stampNanos()));
    observer.outcome(++answered, reading, outcome);
  }

  private void show(ServerMap known, long stampNanos) {
    if (known != shown && known.origin().theta() == 0) { // Observers know no turned grid.
      observer.map(known.grid(), 0, stampNanos);
    }
    shown = known;
  }

  @Override
  public void onParticles(long stampNanos, ParticlesMessage particles) {
    observer.particles(particles, stampNanos);
  }

  @Override
  public void onLoops(long stampNanos, LoopsMessage loops) {
    observer.loops(loops.loops(), stampNanos);
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
    shown = null;
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

  /**
   * Ignores skipped scans: they were never sent, so no answer follows. Other threads call this,
   * too.
   */
  @Override
  public void onSkipped(long stampNanos, SkipReason why) {}
}
