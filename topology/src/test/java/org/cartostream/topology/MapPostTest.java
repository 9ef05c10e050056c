package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.MapHistory;
import org.cartostream.broker.MapMessage;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.Beliefs;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Lineage;
import org.cartostream.slam.filter.Resampling;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.Extent;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.Test;

class MapPostTest {

  private static final FilterSettings ONE_PARTICLE =
      Settings.build(
          FilterSettings.class,
          Map.of("particles", "1", "cellMetres", "0.01", "matcher.hitMetres", "0.03"));

  /** A key frame at which the only particle is at (metres, metres), and sees half a metre ahead. */
  private static void keyFrame(Lineage lineage, long sequence, double metres) {
    Scan scan = new Scan(Pose.ORIGIN, 0, 1, 0.1, 10, new float[] {0.5f});
    Pose at = new Pose(metres, metres, 0);
    Step step =
        new Step(
            sequence, 0, true, sequence == 1, false, false, at, at, Pose.ORIGIN, Pose.ORIGIN, scan);
    double[] place = {metres};
    Beliefs all =
        new Beliefs(
            sequence, new int[1], place, place, new double[1], new double[1], new long[1], 0);
    lineage.keyFrame(step, all, new Resampling(sequence, false, new int[1], 1, 0, 0));
  }

  @Test
  void aMapThatTheMemoryDoesNotHoldIsRefusedAndThenNotDrawnAgainSoSoon() {
    TopologySettings settings = Settings.defaults(TopologySettings.class);
    MapPost maps = new MapPost(new Run("r1", 7, 1), settings, 1 << 20);
    long second = TimeUnit.SECONDS.toNanos(1);
    for (long wait : new long[] {2, 4, 8, 16, 32, 64, 64}) {
      assertThat(
              maps.drawUnlessTooLarge(
                  new Extent(10_000, 20_000),
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

    MapMessage small = MapMessage.of(new OccupancyGrid(1, 1, 0.05, 0, 0, new byte[1]), false);
    assertThat(maps.drawUnlessTooLarge(new Extent(1, 1), () -> small)).contains(small);
    assertThat(maps.tooLarge()).isEmpty();
    maps.drawn(0);
    assertThat(maps.dueSince()).isEqualTo(second);
  }

  @Test
  void aMapTooLargeForAnyMemoryIsRefusedBeforeItIsDrawn() {
    TopologySettings settings = Settings.defaults(TopologySettings.class);
    MapPost maps = new MapPost(new Run("r1", 7, 1), settings, 1 << 20);
    Lineage lineage = new Lineage(ONE_PARTICLE);
    MapHistory history = new MapHistory();
    keyFrame(lineage, 1, 0);
    assertThat(maps.draw(lineage, history, 1)).isPresent();
    assertThat(maps.tooLarge()).isEmpty();

    keyFrame(lineage, 2, 500);

    String sentence =
        "The map of 50051 x 50001 cells is too large to be sent (at most 268435456 cells can be"
            + " sent); larger cells (slam.cellMetres) make it smaller";
    assertThat(maps.draw(lineage, history, 2)).isEmpty();
    assertThat(maps.tooLarge()).isEqualTo(sentence);
    MapPost ofOnlyTheLast = new MapPost(new Run("r1", 7, 1), settings, 1 << 20);
    assertThat(ofOnlyTheLast.drawLast(lineage.course().map())).isEmpty();
    assertThat(ofOnlyTheLast.tooLarge()).isEqualTo(sentence);
  }
}
