package org.cartostream.web.observer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.PathPose;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group of observers of one run, each of which is told all events. One that throws is not called
 * again: the run and the other observers continue. Owns the list of the observers still called.
 */
public final class RunObservers implements RunObserver {

  private static final Logger LOG = LoggerFactory.getLogger(RunObservers.class);

  private final List<RunObserver> told;

  private RunObservers(List<RunObserver> told) {
    this.told = new CopyOnWriteArrayList<>(told);
  }

  /** Returns one observer that stands for all; {@link RunObserver#NONE} if the list is empty. */
  public static RunObserver of(List<RunObserver> observers) {
    return observers.isEmpty() ? NONE : new RunObservers(observers);
  }

  @Override
  public void begin(String robot, long scans) {
    tell(each -> each.begin(robot, scans));
  }

  @Override
  public void outcome(long number, Reading reading, Outcome outcome) {
    tell(each -> each.outcome(number, reading, outcome));
  }

  @Override
  public void map(OccupancyGrid map, int correction, long stampNanos) {
    tell(each -> each.map(map, correction, stampNanos));
  }

  @Override
  public void particles(ParticlesMessage newest, long stampNanos) {
    tell(each -> each.particles(newest, stampNanos));
  }

  @Override
  public void loops(List<ClosedLoop> newest, long stampNanos) {
    tell(each -> each.loops(newest, stampNanos));
  }

  @Override
  public double drawingShare() {
    return told.stream().mapToDouble(RunObserver::drawingShare).max().orElse(0);
  }

  @Override
  public void link(String trouble) {
    tell(each -> each.link(trouble));
  }

  @Override
  public void result(OccupancyGrid map, List<PathPose> path) {
    tell(each -> each.result(map, path));
  }

  @Override
  public void end(String failure) {
    tell(each -> each.end(failure));
  }

  private void tell(Consumer<RunObserver> event) {
    for (RunObserver each : told) {
      try {
        event.accept(each);
      } catch (RuntimeException e) {
        told.remove(each);
        LOG.warn("{} fails, and is told nothing more of the run", each, e);
      }
    }
  }
}
