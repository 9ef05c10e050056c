package org.cartostream.gateway;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cartostream.broker.Outcome;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;

/** Writes down what a live robot is told. */
final class Heard implements LiveListener {
  final Map<Long, List<Outcome>> outcomes = new ConcurrentHashMap<>();
  final Map<Long, LeftOut> leftOut = new ConcurrentHashMap<>();
  final List<OccupancyGrid> maps = new CopyOnWriteArrayList<>();
  final List<String> restarts = new CopyOnWriteArrayList<>();
  final List<String> brokenEnds = new CopyOnWriteArrayList<>();
  final List<String> outages = new CopyOnWriteArrayList<>();
  final List<PathPose> path = new CopyOnWriteArrayList<>();

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    outcomes
        .computeIfAbsent(reading.stampNanos(), unheard -> new CopyOnWriteArrayList<>())
        .add(outcome);
  }

  @Override
  public void onLeftOut(long stampNanos, LeftOut why) {
    leftOut.put(stampNanos, why);
  }

  @Override
  public void onMap(OccupancyGrid map, long stampNanos) {
    maps.add(map);
  }

  @Override
  public void onEnd(OccupancyGrid map, List<PathPose> whole) {
    path.addAll(whole);
  }

  @Override
  public void onBrokenEnd(String why, List<PathPose> whole) {
    brokenEnds.add(why);
    path.addAll(whole);
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
  public void onBack() {}
}
