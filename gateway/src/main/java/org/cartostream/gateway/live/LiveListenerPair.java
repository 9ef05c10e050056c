package org.cartostream.gateway.live;

import java.io.IOException;
import java.util.List;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.gateway.SkipReason;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;

/** Two listeners of a robot's runs: the second is told what the first has been told. */
record LiveListenerPair(LiveListener first, LiveListener second) implements LiveListener {

  @Override
  public void onPose(Reading reading, PoseMessage pose) {
    first.onPose(reading, pose);
    second.onPose(reading, pose);
  }

  @Override
  public void onParticles(long stampNanos, ParticlesMessage particles) {
    first.onParticles(stampNanos, particles);
    second.onParticles(stampNanos, particles);
  }

  @Override
  public void onLoops(long stampNanos, LoopsMessage loops) {
    first.onLoops(stampNanos, loops);
    second.onLoops(stampNanos, loops);
  }

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    first.onOutcome(reading, outcome);
    second.onOutcome(reading, outcome);
  }

  @Override
  public void onLost(Reading reading, String why) {
    first.onLost(reading, why);
    second.onLost(reading, why);
  }

  @Override
  public void onUnsendable(Reading reading, Refusal.Reason why) {
    first.onUnsendable(reading, why);
    second.onUnsendable(reading, why);
  }

  @Override
  public void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos)
      throws IOException {
    first.onMap(map, last, correction, stampNanos);
    second.onMap(map, last, correction, stampNanos);
  }

  @Override
  public void onReadingsEnd() {
    first.onReadingsEnd();
    second.onReadingsEnd();
  }

  @Override
  public void onEnd(OccupancyGrid map, List<PathPose> path) throws IOException {
    first.onEnd(map, path);
    second.onEnd(map, path);
  }

  @Override
  public void onIncompleteEnd(String why, List<PathPose> path) throws IOException {
    first.onIncompleteEnd(why, path);
    second.onIncompleteEnd(why, path);
  }

  @Override
  public void onRestart(String why) {
    first.onRestart(why);
    second.onRestart(why);
  }

  @Override
  public void onSilence(String why) {
    first.onSilence(why);
    second.onSilence(why);
  }

  @Override
  public void onOutage(String why) {
    first.onOutage(why);
    second.onOutage(why);
  }

  @Override
  public void onReconnect() {
    first.onReconnect();
    second.onReconnect();
  }

  @Override
  public void onSkipped(long stampNanos, SkipReason why) {
    first.onSkipped(stampNanos, why);
    second.onSkipped(stampNanos, why);
  }

  @Override
  public void onResumed(long sent, int open, Correction correction) {
    first.onResumed(sent, open, correction);
    second.onResumed(sent, open, correction);
  }
}
