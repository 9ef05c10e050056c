package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Default;
import org.cartostream.testing.TestFiles;
import org.cartostream.web.state.MapTilesCache;
import org.cartostream.web.state.MapTilesFrame;
import org.cartostream.web.state.ObservedRun;
import org.cartostream.web.state.ViewerFeed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a viewer is sent of the map of a real building while a robot drives through it. */
@Default(computes = true)
class MapBytesAccuracyTest {

  /** The stamps of a log and of its reference have six decimals. */
  private static final long MICROSECOND = 1_000;

  private final ObservedRun state = new ObservedRun();

  private int tileBytes(ViewerFeed feed) {
    return feed.next().tiles().length;
  }

  private ViewerFeed feed() {
    return new ViewerFeed(state, new MapTilesCache(), List.of(), List::of);
  }

  /** The rest is where another particle becomes the best: its map comes in place of the other. */
  @Test
  void halfOfTheMetresTakeATwentiethOfTheWholeMapAtMost() throws IOException {
    SerialFilter filter =
        new SerialFilter(Settings.build(FilterSettings.class, Map.of("particles", "30")), "aces");
    ViewerFeed follower = feed();
    List<Integer> perMetre = new ArrayList<>();
    List<Integer> alongTheMean = new ArrayList<>(); // As a service draws its map.
    OccupancyGrid meanBefore = null;
    long taken = 0;
    double driven = 0;
    Pose before = null;
    try (LaserLog log =
        CarmenLog.open(TestFiles.publicLog("aces.clf"), CarmenSettings.defaults())) {
      while (log.hasNext()) {
        if (log.next() instanceof LogEntry.Usable usable
            && filter.process(++taken, usable.reading())
                instanceof SerialFilter.Result.Processed result) {
          driven += before == null ? 1 : before.distance(result.pose().local());
          before = result.pose().local();
          if (driven >= 1) {
            driven = 0;
            state.map(filter.trajectoryTree().bestPath().map().grid(), 0, 0);
            perMetre.add(tileBytes(follower));
            OccupancyGrid mean = filter.trajectoryTree().currentMap();
            alongTheMean.add(MapTilesFrame.between(meanBefore, mean).length);
            meanBefore = mean;
          }
        }
      }
    }
    int whole = tileBytes(feed());
    System.out.printf(
        "along the mean path: whole map %d bytes, the mean takes %.0f, the median %d%n",
        MapTilesFrame.between(null, meanBefore).length,
        alongTheMean.stream().mapToInt(Integer::intValue).average().orElseThrow(),
        alongTheMean.stream().sorted().toList().get(alongTheMean.size() / 2));
    double mean = perMetre.stream().mapToInt(Integer::intValue).average().orElseThrow();
    double median = perMetre.stream().sorted().toList().get(perMetre.size() / 2);
    System.out.printf(
        "whole map %d bytes; of %d metres the mean takes %.0f, the median %.0f%n",
        whole, perMetre.size(), mean, median);
    assertThat(median).isLessThanOrEqualTo(0.05 * whole);
  }

  /** The map is drawn once in a metre, along a path that does not change: that of the reference. */
  @ParameterizedTest
  @ValueSource(strings = {"aces", "intel"})
  void alongOnePathTheMeanMetreTakesATwentiethOfTheWholeMapAtMost(String log) throws IOException {
    Map<Long, Pose> path =
        TumFile.read(TestFiles.publicLog(log + ".reference.tum")).stream()
            .collect(Collectors.toMap(each -> each.stampNanos() / MICROSECOND, StampedPose::pose));
    RayTracedMap map = new RayTracedMap(0.05);
    ViewerFeed follower = feed();
    List<Integer> perMetre = new ArrayList<>();
    double driven = 0;
    Pose before = null;
    try (LaserLog entries =
        CarmenLog.open(TestFiles.publicLog(log + ".clf"), CarmenSettings.defaults())) {
      while (entries.hasNext()) {
        Reading reading =
            entries.next() instanceof LogEntry.Usable usable ? usable.reading() : null;
        Pose pose = reading == null ? null : path.get(reading.stampNanos() / MICROSECOND);
        if (pose == null) {
          continue;
        }
        map.trace(pose, reading.scan());
        driven += before == null ? 1 : before.distance(pose);
        before = pose;
        if (driven >= 1) {
          driven = 0;
          state.map(map.grid(), 0, 0);
          perMetre.add(tileBytes(follower));
        }
      }
    }
    int whole = tileBytes(feed());
    double mean = perMetre.stream().mapToInt(Integer::intValue).average().orElseThrow();
    long few = perMetre.stream().filter(each -> each <= 0.05 * whole).count();
    System.out.printf(
        "%s: whole map %d bytes; of %d metres the mean takes %.1f %%, %.0f %% of them 5 %% at most%n",
        log, whole, perMetre.size(), 100 * mean / whole, 100.0 * few / perMetre.size());
    assertThat(perMetre).hasSizeGreaterThan(200);
    assertThat(mean).isLessThanOrEqualTo(0.05 * whole);
  }
}
