package org.cartostream.slam.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.MatcherSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** The estimate is compared with what scans take when they are entered, wherever the robot is. */
@Quick
class MapGrowthTest {

  private static final double CELL = 0.05;
  private static final long SEED = 33;
  private static final int POSES = 40;

  private final Random random = new Random(SEED);
  private final ScanMatcher matcher =
      new ScanMatcher(Settings.defaults(MatcherSettings.class), CELL);
  private final MapGrowth mapGrowth = new MapGrowth(CELL, 1);

  /** In the middle of a room of this half width and half length, metres. */
  private Scan room(int beams, double halfX, double halfY) {
    double step = 2 * Math.PI / beams;
    float[] ranges = new float[beams];
    for (int i = 0; i < beams; i++) {
      double wall =
          Math.min(
              halfX / Math.abs(Math.cos(i * step)), halfY / Math.abs(Math.sin(i * step) + 1e-9));
      ranges[i] = (float) (wall + 0.02 * random.nextGaussian());
    }
    return new Scan(Pose.ORIGIN, 0, step, 0.05, 100, ranges);
  }

  /** Such as no room has. */
  private Scan randomRanges(int beams, double max) {
    float[] ranges = new float[beams];
    for (int i = 0; i < beams; i++) {
      ranges[i] = (float) (0.1 + max * random.nextDouble());
    }
    return new Scan(Pose.ORIGIN, -3, 6.0 / beams, 0.05, 300, ranges);
  }

  private Pose anywhere() {
    return new Pose(
        100 * random.nextDouble(), 100 * random.nextDouble(), 2 * Math.PI * random.nextDouble());
  }

  private void enter(TiledMap map, Scan scan, Pose pose) {
    matcher.updateMap(map, Beams.of(scan, TiledMap.UNITS / CELL, 0.005), pose);
  }

  /** The share of the estimate that the scan takes at most, at some poses. */
  private double mostOfEstimate(Scan scan) {
    return mostOfEstimate(scan, POSES);
  }

  private double mostOfEstimate(Scan scan, int poses) {
    double max = 0;
    for (int i = 0; i < poses; i++) {
      Pose pose = anywhere();
      TiledMap map = new TiledMap();
      enter(map, scan, pose);
      TiledMap fork = map.fork();
      enter(fork, scan, pose);
      MapMemory mapMemory = new MapMemory();
      mapMemory.add(map);
      max = Math.max(max, (double) mapMemory.bytes() / mapGrowth.ofParticles(scan));
      long once = mapMemory.bytes();
      mapMemory.add(fork);
      double copied = mapMemory.bytes() - once;
      max = Math.max(max, copied / mapGrowth.ofParticles(scan));
    }
    System.out.printf("seed %d: %d beams take %.2f of the estimate%n", SEED, scan.beams(), max);
    return max;
  }

  @Test
  void isMoreThanAScanTakesAnywhereAndInARoomNotMuchMore() {
    assertThat(mostOfEstimate(room(180, 10, 7.5))).isBetween(0.2, 1.0);
    assertThat(mostOfEstimate(room(1081, 10, 7.5))).isBetween(0.2, 1.0);
    assertThat(mostOfEstimate(room(360, 2, 3))).isBetween(0.2, 1.0);
    assertThat(mostOfEstimate(room(1081, 50, 3))).isBetween(0.2, 1.0);
  }

  @Test
  void isMoreThanRandomRangesTake() {
    assertThat(mostOfEstimate(randomRanges(1081, 80))).isBetween(0.2, 1.0);
    assertThat(mostOfEstimate(randomRanges(10_000, 290), POSES / 10)).isBetween(0.2, 1.0);
    assertThat(mostOfEstimate(randomRanges(10_000, 5))).isBetween(0.2, 1.0);
  }

  @Test
  void countsEachParticlesMap() {
    Scan scan = room(180, 10, 7.5);

    assertThat(new MapGrowth(CELL, 30).ofParticles(scan))
        .isEqualTo(30 * mapGrowth.ofParticles(scan));
  }

  @Test
  void isMoreThanTheDrawnMapTakes() {
    for (double max : new double[] {2, 20, 100}) {
      RayTracedMap map = new RayTracedMap(CELL);
      Pose pose = anywhere();
      map.trace(pose, randomRanges(5000, max));
      map.trace(pose.then(new Pose(10, 0, 0)), randomRanges(5000, max));

      long estimate = mapGrowth.ofDrawnMap(10, 10, 0.1 + max);
      assertThat((double) map.bytes() / estimate).isBetween(0.15, 1.0);
    }
  }
}
