package org.cartostream.slam.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** What is counted is what Java's own counter of allocated bytes says. */
@Quick
class MapMemoryTest {

  private static final int TILES = 3000;
  private static final int APART = 2 * Tile.SIDE * TiledMap.UNITS;

  private static TiledMap withHits(TiledMap map, int count) {
    int middle = APART / 4;
    for (int i = 0; i < count; i++) {
      map.hit(new int[] {i % 100 * APART}, new int[] {i / 100 * APART}, 1, middle, middle);
    }
    return map;
  }

  private static long bytes(TiledMap... maps) {
    MapMemory mapMemory = new MapMemory();
    for (TiledMap map : maps) {
      mapMemory.add(map);
    }
    return mapMemory.bytes();
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  @Test
  void isWhatWasAllocated() {
    TiledMap map = withHits(new TiledMap(), TILES);
    TiledMap fork = map.fork();
    long before = allocated();
    fork.setKeyFrame(1);
    withHits(fork, TILES);
    long copied = allocated() - before;

    assertThat(bytes(map, fork) - bytes(map)).isCloseTo(copied, withinPercentage(10));
  }

  /** Around one hit 49 cells know it, of 1,024. */
  @Test
  void isLessWhereNobodyLooks() {
    TiledMap map = withHits(new TiledMap(), TILES);
    long looked = bytes(map);
    for (int i = 0; i < 2 * TiledMap.UNSEEN; i++) {
      map.tick();
    }
    long unseen = bytes(map);
    assertThat(unseen / TILES).as("bytes of a tile").isLessThan(looked / TILES / 3);

    map.tick();
    ScanTileCache.entry(map, 0, 0);
    assertThat(bytes(map) - unseen).as("of one").isBetween(1000L, (long) Tile.NEAREST_BYTES);
  }

  @Test
  void countsOnceWhatMapsShare() {
    TiledMap map = withHits(new TiledMap(), TILES);
    TiledMap fork = map.fork();
    long alone = bytes(map);

    assertThat(alone).isGreaterThan((long) TILES * Tile.FIXED_BYTES);
    assertThat(bytes(map, map, fork)).isEqualTo(alone);
    withHits(fork, 1);
    assertThat(bytes(map, fork) - alone)
        .as("one tile and what leads to it")
        .isBetween((long) Tile.FIXED_BYTES, 10L * Tile.FIXED_BYTES);
  }
}
