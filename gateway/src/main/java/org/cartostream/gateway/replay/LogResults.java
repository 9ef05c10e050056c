package org.cartostream.gateway.replay;

import java.io.IOException;
import java.util.List;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.gateway.ReadingCounter;
import org.cartostream.gateway.session.SessionListener;
import org.cartostream.gateway.sink.Sink;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.trajectory.PathPose;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receiver of the service's answers to a replayed log: counts them, notifies the {@link
 * ReplayListener}, and hands map and path to the {@link Sink}.
 */
final class LogResults implements SessionListener {

  private static final Logger LOG = LoggerFactory.getLogger(LogResults.class);

  private final Sink sink;
  private final ReplayListener listener;
  private final ReadingCounter counter;

  /** True if the latest map could not be written. */
  private boolean mapFails;

  LogResults(Sink sink, ReplayListener listener, ReadingCounter counter) {
    this.sink = sink;
    this.listener = listener;
    this.counter = counter;
  }

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    counter.outcome(outcome);
    listener.onOutcome(reading, outcome);
  }

  @Override
  public void onParticles(long stampNanos, ParticlesMessage particles) {
    listener.onParticles(stampNanos, particles);
  }

  @Override
  public void onLoops(long stampNanos, LoopsMessage loops) {
    listener.onLoops(stampNanos, loops);
  }

  @Override
  public void onLost(Reading reading, String why) {
    counter.outcome(new Outcome.Lost(why));
  }

  @Override
  public void onUnsendable(Reading reading, Refusal.Reason why) {
    counter.refused(why.refusal().name());
  }

  @Override
  public void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos) {
    if (!last) {
      write(map);
      listener.onMap(map, correction, stampNanos);
    }
  }

  /** Writes a map. A failure is only logged: the next map may succeed. */
  private void write(OccupancyGrid map) {
    try {
      sink.map(map);
      mapFails = false;
    } catch (IOException e) {
      if (!mapFails) {
        LOG.warn("a map on the way cannot be written, and the next is tried: {}", e.getMessage());
      }
      mapFails = true;
    }
  }

  @Override
  public void onReadingsEnd() {
    listener.onLogEnd();
  }

  @Override
  public void onEnd(OccupancyGrid map, List<PathPose> path) throws IOException {
    sink.end(map, path);
  }

  @Override
  public void onIncompleteEnd(String why, List<PathPose> path) throws IOException {
    if (!path.isEmpty()) {
      sink.end(path);
    }
  }

  /** Throws: a replay ends instead of beginning a new run. */
  @Override
  public void onRestart(String why) {
    throw new IllegalStateException("a replay began anew: " + why);
  }

  @Override
  public void onSilence(String why) {
    listener.onSilence(why);
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
