package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.text.TextLogs;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.web.state.MapTilesCache;
import org.cartostream.web.state.MapTilesFrame;
import org.cartostream.web.state.ObservedRun;
import org.cartostream.web.state.ViewerFeed;
import org.junit.jupiter.api.Test;

/** What a viewer is sent of the map of a real building while a robot drives through it. */
class MapBytesAccuracyTest {

  private static final Path ACES =
      Path.of(System.getProperty("cartostream.root", ".."), "../shared/datasets/aces.clf");

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
    assumeThat(ACES).as("the log of aces beside the checkout").exists();
    SerialFilter filter =
        new SerialFilter(Settings.build(FilterSettings.class, Map.of("particles", "30")), "aces");
    ViewerFeed follower = feed();
    List<Integer> perMetre = new ArrayList<>();
    List<Integer> alongTheMean = new ArrayList<>(); // As a service draws its map.
    OccupancyGrid meanBefore = null;
    long taken = 0;
    double driven = 0;
    Pose before = null;
    try (LaserLog log = TextLogs.open(ACES)) {
      while (log.hasNext()) {
        if (log.next() instanceof LogEntry.Usable usable
            && filter.process(++taken, usable.reading())
                instanceof SerialFilter.Result.Processed result) {
          driven += before == null ? 1 : before.distance(result.local());
          before = result.local();
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
}
