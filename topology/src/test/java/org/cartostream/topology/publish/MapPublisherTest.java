package org.cartostream.topology.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.map.MapHistory;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.GridExtent;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.Test;

@Quick
class MapPublisherTest {

  private static final FilterSettings ONE_PARTICLE =
      Settings.build(
          FilterSettings.class,
          Map.of("particles", "1", "cellMetres", "0.01", "matcher.sigmaHitMetres", "0.03"));

  /** A key frame at which the only particle is at (metres, metres), and sees half a metre ahead. */
  private static void keyFrame(TrajectoryTree trajectoryTree, long sequence, double metres) {
    keyFrame(
        trajectoryTree, sequence, metres, new Scan(Pose.ORIGIN, 0, 1, 0.1, 10, new float[] {0.5f}));
  }

  private static void keyFrame(
      TrajectoryTree trajectoryTree, long sequence, double metres, Scan scan) {
    Pose at = new Pose(metres, metres, 0);
    Step step = step(sequence, at, scan);
    double[] place = {metres};
    ParticleWeights all =
        new ParticleWeights(
            sequence,
            new int[1],
            place,
            place,
            new double[1],
            new double[1],
            new long[1],
            0,
            0,
            false);
    trajectoryTree.addKeyFrame(step, all, new Resampling(sequence, false, new int[1], 1, 0, 0, 0));
  }

  private static Step step(long sequence, Pose at, Scan scan) {
    return new Step(
        sequence, 0, true, sequence == 1, false, false, at, at, Pose.ORIGIN, 0, scan, null);
  }

  private static Step step(long sequence) {
    return step(sequence, Pose.ORIGIN, new Scan(Pose.ORIGIN, 0, 1, 0.1, 10, new float[1]));
  }

  @Test
  void aMapThatTheMemoryDoesNotHoldIsRefusedAndThenNotDrawnAgainSoSoon() {
    ServiceSettings settings = Settings.defaults(ServiceSettings.class);
    MapPublisher maps =
        new MapPublisher(new Run("r1", 7, 1), settings, Runnable::run, System.nanoTime());
    long second = TimeUnit.SECONDS.toNanos(1);
    for (long wait : new long[] {2, 4, 8, 16, 32, 64, 64}) {
      assertThat(
              maps.drawUnlessTooLarge(
                  new GridExtent(10_000, 20_000),
                  () -> {
                    throw new OutOfMemoryError("in a test");
                  }))
          .isEmpty();
      assertThat(maps.tooLarge())
          .startsWith("The map of 10000 x 20000 cells is too large")
          .contains("memory");
      maps.drawn(0);
      assertThat(maps.dueSince()).isEqualTo(wait * second);
    }

    MapMessage small = MapMessage.of(new OccupancyGrid(1, 1, 0.05, 0, 0, new byte[1]), 0);
    assertThat(maps.drawUnlessTooLarge(new GridExtent(1, 1), () -> small)).contains(small);
    assertThat(maps.tooLarge()).isEmpty();
    maps.drawn(0);
    assertThat(maps.dueSince()).isEqualTo(second);
  }

  @Test
  void everyThirdMapAfterAWholeOneIsWholeForObserversWhoCameLate() {
    ServiceSettings settings =
        Settings.build(ServiceSettings.class, Map.of("topology.observerMaps", "3"));
    MapPublisher maps =
        new MapPublisher(new Run("r1", 7, 1), settings, Runnable::run, System.nanoTime());
    TrajectoryTree trajectoryTree = new TrajectoryTree(ONE_PARTICLE);
    MapHistory history = new MapHistory();
    List<Long> whole = new ArrayList<>();
    for (long version = 1; version <= 9; version++) {
      keyFrame(trajectoryTree, version, version);
      MapMessage forRobot = maps.draw(trajectoryTree, history, version).orElseThrow();
      assertThat(forRobot.isWhole()).as("the first, and after a loss").isEqualTo(version % 5 == 1);
      Optional<MapMessage.ForObservers> forObservers = maps.takeForObservers();
      if (forObservers.isPresent()) {
        whole.add(version);
        assertThat(forObservers.get().map().grid().cells())
            .isEqualTo(trajectoryTree.currentMap().cells());
      }
      assertThat(maps.takeForObservers()).as("once").isEmpty();
      maps.robotHolds(version == 5 ? 0 : version);
    }
    assertThat(whole).containsExactly(4L, 9L);
  }

  /** A link that is slower than its maps are made would else lose pieces of each. */
  @Test
  void aMapInPiecesIsFollowedByAnotherWhenTheRobotHasItOrHasNotGotIt() {
    MapPublisher maps =
        new MapPublisher(
            new Run("r1", 7, 1), Settings.defaults(ServiceSettings.class), Runnable::run, 0);
    TrajectoryTree trajectoryTree = new TrajectoryTree(ONE_PARTICLE);
    MapHistory history = new MapHistory();
    Random random = new Random(54);
    float[] ranges = new float[3000];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = (float) (0.5 + 9 * random.nextDouble());
    }
    long interval = TimeUnit.SECONDS.toNanos(1);
    long now = interval;
    for (long version = 1; version <= 3; version++) {
      Scan scan = new Scan(Pose.ORIGIN, -3, 6.0 / ranges.length, 0.1, 10, ranges);
      keyFrame(trajectoryTree, version, version == 3 ? 0.01 : 10 * version, scan);
      maps.changedBy(step(version));
      assertThat(maps.isDue(now)).isTrue();
      MapMessage map = maps.draw(trajectoryTree, history, version).orElseThrow();
      assertThat(map.maxBytes()).isGreaterThan(FrameFragmentation.PIECE_BYTES);
      maps.drawn(now);
      maps.changedBy(step(version));
      now += interval;
      assertThat(maps.isDue(now)).as("it has not come").isFalse();
      if (version == 1) {
        maps.robotHolds(version);
      } else {
        now += MapPublisher.PATIENCE_NANOS;
      }
      assertThat(maps.isDue(now)).isTrue();
    }
    keyFrame(trajectoryTree, 4, 0);
    maps.robotHolds(3);
    assertThat(maps.draw(trajectoryTree, history, 4).orElseThrow().maxBytes())
        .isLessThan(FrameFragmentation.PIECE_BYTES);
    maps.drawn(now);
    maps.changedBy(step(5));
    assertThat(maps.isDue(now + interval)).as("a small one is not awaited").isTrue();
  }

  private static PackedMap known(int side, double turn) {
    OccupancyGrid grid = new OccupancyGrid(side, side, 0.05, -1, 2, new byte[side * side]);
    return PackedMap.of(new ServerMap(grid, new Pose(-1, 2, turn), 65, 25));
  }

  @Test
  void aKnownMapIsForObserversUnlessItIsTurnedOrTooLarge() {
    ServiceSettings settings =
        Settings.build(ServiceSettings.class, Map.of("broker.maxMessageBytes", "65536"));
    Supplier<MapPublisher> anew =
        () -> new MapPublisher(new Run("r1", 7, 1), settings, Runnable::run, 0);
    MapPublisher maps = anew.get();
    maps.knows(null);
    assertThat(maps.hasKnown()).as("the robot makes its own").isFalse();
    maps.knows(known(40, 0));
    assertThat(maps.hasKnown()).isTrue();
    maps.showKnown();
    MapMessage shown = maps.takeForObservers().orElseThrow().map();
    assertThat(shown.grid().cells()).hasSize(1600);
    assertThat(shown.grid().originY()).isEqualTo(2);
    assertThat(maps.takeForObservers()).as("once").isEmpty();
    maps.drawn(0);
    assertThat(maps.dueSince()).as("30 intervals").isEqualTo(TimeUnit.SECONDS.toNanos(30));

    MapPublisher turned = anew.get();
    turned.knows(known(40, 0.1));
    assertThat(turned.hasKnown()).isFalse();

    byte[] noise = new byte[400 * 400];
    new Random(1).nextBytes(noise);
    for (int i = 0; i < noise.length; i++) {
      noise[i] = (byte) Math.abs(noise[i] % 101);
    }
    MapPublisher large = anew.get();
    large.knows(
        PackedMap.of(
            new ServerMap(new OccupancyGrid(400, 400, 0.05, 0, 0, noise), Pose.ORIGIN, 65, 25)));
    assertThat(large.hasKnown()).as("160,000 cells of 6.7 bits are over 65,536 bytes").isFalse();
    assertThat(large.tooLarge()).as("the run does not fail for that").isEmpty();
  }

  @Test
  void aMapTooLargeForAnyMemoryIsRefusedBeforeItIsDrawn() {
    ServiceSettings settings = Settings.defaults(ServiceSettings.class);
    MapPublisher maps =
        new MapPublisher(new Run("r1", 7, 1), settings, Runnable::run, System.nanoTime());
    TrajectoryTree trajectoryTree = new TrajectoryTree(ONE_PARTICLE);
    MapHistory history = new MapHistory();
    keyFrame(trajectoryTree, 1, 0);
    assertThat(maps.draw(trajectoryTree, history, 1)).isPresent();
    assertThat(maps.tooLarge()).isEmpty();

    keyFrame(trajectoryTree, 2, 500);

    String sentence =
        "The map of 50051 x 50001 cells is too large to be sent (at most 268435456 cells can be"
            + " sent); larger cells (slam.cellMetres) make it smaller";
    assertThat(maps.draw(trajectoryTree, history, 2)).isEmpty();
    assertThat(maps.tooLarge()).isEqualTo(sentence);
    MapPublisher ofOnlyTheLast =
        new MapPublisher(new Run("r1", 7, 1), settings, Runnable::run, System.nanoTime());
    assertThat(ofOnlyTheLast.drawLast(trajectoryTree.bestPath().map())).isEmpty();
    assertThat(ofOnlyTheLast.tooLarge()).isEqualTo(sentence);
  }
}
