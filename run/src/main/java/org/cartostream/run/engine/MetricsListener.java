package org.cartostream.run.engine;

import java.util.Optional;
import java.util.function.Supplier;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.gateway.replay.ReplayListener;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;

/**
 * Listener that enters the gateway's answers into the run's metrics, and forwards the other events
 * to the run's observer. Owns the size of the heap at the end of the log. Used by the run's thread
 * only.
 */
final class MetricsListener implements ReplayListener {

  private final RunMetrics runMetrics;
  private final Optional<LocalisedTrajectory> way;
  private final Supplier<Optional<String>> repair;
  private long liveHeapBytes;

  /**
   * @param way receives the robot's poses; empty if the robot is not localised in a known map
   * @param repair see {@link org.cartostream.run.deployment.Deployment#repair}
   */
  MetricsListener(
      RunMetrics runMetrics, Optional<LocalisedTrajectory> way, Supplier<Optional<String>> repair) {
    this.repair = repair;
    this.runMetrics = runMetrics;
    this.way = way;
  }

  @Override
  public void onLogKnown() {
    runMetrics.logIsKnown();
  }

  @Override
  public boolean isLogHeld() {
    return runMetrics.isLogHeld();
  }

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    way.ifPresent(its -> its.add(reading, outcome));
    runMetrics.record(reading, outcome);
    runMetrics.status("");
  }

  @Override
  public void onMap(OccupancyGrid map, int correction, long stampNanos) {
    runMetrics.observer().map(map, correction, stampNanos);
  }

  @Override
  public void onParticles(long stampNanos, ParticlesMessage particles) {
    runMetrics.observer().particles(particles, stampNanos);
  }

  @Override
  public void onLoops(long stampNanos, LoopsMessage loops) {
    runMetrics.observer().loops(loops.loops(), stampNanos);
  }

  @Override
  public void onLogEnd() {
    liveHeapBytes = Engine.Cost.measureLiveHeap();
  }

  /** Returns the bytes in the heap at the end of the log; 0 if the run did not get so far. */
  long liveHeapBytes() {
    return liveHeapBytes;
  }

  @Override
  public void onOutage(String why) {
    String trouble = "the broker is away: " + why;
    runMetrics.status(trouble);
    runMetrics.observer().link(trouble);
  }

  @Override
  public Optional<String> repair() {
    return repair.get();
  }

  @Override
  public void onSilence(String why) {
    runMetrics.status(why);
  }

  @Override
  public void onReconnect() {
    runMetrics.status("");
    runMetrics.observer().link("");
  }
}
