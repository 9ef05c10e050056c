package org.cartostream.gateway.live;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.SkipReason;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;

/** Writes down what a live robot is told. */
final class RecordingLiveListener implements LiveListener {
  final Map<Long, List<Outcome>> outcomes = new ConcurrentHashMap<>();
  final Map<Long, SkipReason> skipped = new ConcurrentHashMap<>();
  final List<OccupancyGrid> maps = new CopyOnWriteArrayList<>();
  final List<String> resumed = new CopyOnWriteArrayList<>();
  final List<String> silences = new CopyOnWriteArrayList<>();
  final List<String> restarts = new CopyOnWriteArrayList<>();
  final List<String> incompleteEnds = new CopyOnWriteArrayList<>();
  final List<String> outages = new CopyOnWriteArrayList<>();
  final List<PathPose> path = new CopyOnWriteArrayList<>();

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    outcomes
        .computeIfAbsent(reading.stampNanos(), unheard -> new CopyOnWriteArrayList<>())
        .add(outcome);
  }

  @Override
  public void onSkipped(long stampNanos, SkipReason why) {
    skipped.put(stampNanos, why);
  }

  @Override
  public void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos) {
    maps.add(map);
  }

  @Override
  public void onEnd(OccupancyGrid map, List<PathPose> whole) {
    path.addAll(whole);
  }

  @Override
  public void onIncompleteEnd(String why, List<PathPose> whole) {
    incompleteEnds.add(why);
    path.addAll(whole);
  }

  @Override
  public void onResumed(long sent, int open, Correction correction) {
    resumed.add(sent + ": " + open + " open, correction " + correction.number());
  }

  @Override
  public void onSilence(String why) {
    silences.add(why);
  }

  @Override
  public void onRestart(String why) {
    restarts.add(why);
  }

  @Override
  public void onOutage(String why) {
    outages.add(why);
  }

  @Override
  public void onReconnect() {}
}
