package org.cartostream.slam.map.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** A known map as bytes. */
@Quick
class PackedMapTest {

  private static final Pose ORIGIN = new Pose(-3, 7.5, 0.25);

  private static ServerMap map(int width, int height, byte[] cells) {
    OccupancyGrid grid = new OccupancyGrid(width, height, 0.05, ORIGIN.x(), ORIGIN.y(), cells);
    return new ServerMap(grid, ORIGIN, 65, 19);
  }

  private static ServerMap noise(long seed) {
    byte[] cells = new byte[300 * 200];
    new Random(seed).nextBytes(cells);
    cells[17] = 0;
    return map(300, 200, cells);
  }

  private static PackedMap with(PackedMap packed, byte[] deflated) {
    return new PackedMap(
        packed.width(), packed.height(), packed.resolution(), packed.origin(), 65, 19, deflated);
  }

  @Test
  void comesBackAsItWas() {
    for (ServerMap map : new ServerMap[] {noise(1), map(40, 30, new byte[1200])}) {
      assertThat(PackedMap.of(map).unpack()).usingRecursiveComparison().isEqualTo(map);
    }
  }

  @Test
  void hasADigestOfAllThatItIs() {
    PackedMap packed = PackedMap.of(noise(1));
    assertThat(PackedMap.of(noise(1)).digest()).isEqualTo(packed.digest()).hasSize(64);
    assertThat(PackedMap.of(noise(2)).digest()).isNotEqualTo(packed.digest());
    Pose turned = new Pose(ORIGIN.x(), ORIGIN.y(), 0.26);
    PackedMap other = new PackedMap(300, 200, 0.05, turned, 65, 19, packed.deflated());
    assertThat(other.digest()).isNotEqualTo(packed.digest());
  }

  @Test
  void refusesBytesThatAreNotItsCells() {
    PackedMap packed = PackedMap.of(noise(1));
    byte[] cut = Arrays.copyOf(packed.deflated(), packed.deflated().length - 100);
    assertThatThrownBy(() -> with(packed, cut).unpack())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("300 x 200 cells")
        .hasMessageContaining("too early");
    byte[] more = PackedMap.of(map(300, 201, new byte[300 * 201])).deflated();
    assertThatThrownBy(() -> with(packed, more).unpack()).hasMessageContaining("they hold more");
    assertThatThrownBy(() -> with(packed, new byte[10]))
        .hasMessageContaining("10 bytes cannot inflate to 300 x 200 cells");
    byte[] garbage = new byte[1000];
    new Random(3).nextBytes(garbage);
    assertThatThrownBy(() -> with(packed, garbage).unpack())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesAMapInWhichARobotIsNowhere() {
    byte[] walls = new byte[1200];
    Arrays.fill(walls, (byte) 100);
    assertThatThrownBy(() -> PackedMap.of(map(40, 30, walls)).unpack())
        .hasMessageContaining("no cell of the known map is free");
  }

  @Test
  void namesTheLimitAndTheScaleThatWouldDo() {
    PackedMap packed = PackedMap.of(noise(1));
    packed.requireAtMost(60_000);
    assertThatThrownBy(() -> packed.requireAtMost(15_000))
        .hasMessageContaining("300 x 200 cells, 60000 in all")
        .hasMessageContaining("at most 15000")
        .hasMessageContaining("0.1 m per cell");
  }
}
