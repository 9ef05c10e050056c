package org.cartostream.slam.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TiledMapTest {

  private static final int CELL = TiledMap.UNITS;
  private static final long TIE = -1;

  /** Hits around a tile corner, crowded enough to meet again in the same cells. */
  private static List<int[]> hits(Random random, int count) {
    List<int[]> hits = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      hits.add(new int[] {(int) (8 * CELL * random.nextGaussian()), random.nextInt(40 * CELL) - 9});
    }
    return hits;
  }

  private static TiledMap mapOf(List<int[]> hits) {
    TiledMap map = new TiledMap();
    hits.forEach(hit -> map.hit(hit[0], hit[1]));
    return map;
  }

  /** What a map derives for every cell near its tiles. */
  private static Map<Long, Short> nearest(TiledMap map) {
    Map<Long, Short> nearest = new HashMap<>();
    map.tiles()
        .forEach(
            (tileX, tileY, tile) -> {
              for (int at = 0; at < tile.nearest.length; at++) {
                if (tile.nearest[at] != Tile.NONE) {
                  long x = (tileX << Tile.BITS) + (at & Tile.MASK);
                  long y = (tileY << Tile.BITS) + (at >> Tile.BITS);
                  nearest.put(y << 32 | x & 0xffffffffL, tile.nearest[at]);
                }
              }
            });
    return nearest;
  }

  @Property(tries = 100)
  void nearestHitsKeptStepByStepEqualThoseSearchedFromScratch(@ForAll long seed) {
    TiledMap map = mapOf(hits(new Random(seed), 300));

    map.tiles()
        .forEach(
            (tileX, tileY, tile) -> {
              for (int at = 0; at < tile.nearest.length; at++) {
                int x = (tileX << Tile.BITS) + (at & Tile.MASK);
                int y = (tileY << Tile.BITS) + (at >> Tile.BITS);
                assertThat(tile.nearest[at]).isEqualTo(map.search(x, y));
              }
            });
  }

  @Property(tries = 50)
  void nearestHitIsTheOneThatBruteForceFinds(@ForAll long seed) {
    Random random = new Random(seed);
    List<int[]> hits = hits(random, 60);
    TiledMap map = mapOf(hits);
    // Means of the hits of each cell, rounded to the middle of a thirty-second of a cell.
    Map<String, double[]> sums = new HashMap<>();
    for (int[] hit : hits) {
      int x = Math.floorDiv(hit[0], CELL);
      int y = Math.floorDiv(hit[1], CELL);
      double[] sum = sums.computeIfAbsent(x + "," + y, key -> new double[] {x, y, 0, 0, 0});
      sum[2] += hit[0] - x * CELL + 0.5;
      sum[3] += hit[1] - y * CELL + 0.5;
      sum[4]++;
    }
    int[] kernel = new int[TiledMap.KERNEL_ENTRIES + 1];
    Arrays.setAll(kernel, i -> i);
    for (int i = 0; i < 50; i++) {
      int x = random.nextInt(30 * CELL) - 15 * CELL;
      int y = random.nextInt(30 * CELL) - 4 * CELL;
      long found = map.sum(kernel, new int[] {0}, new int[] {0}, 1, x, y);
      long expected = bruteForce(sums.values(), x, y);
      if (expected != TIE) {
        assertThat(found).isEqualTo(expected);
      }
    }
  }

  /** The kernel entry for a beam end, in floating point and without any index. */
  private static long bruteForce(Iterable<double[]> sums, int endX, int endY) {
    int cellX = Math.floorDiv(endX, CELL);
    int cellY = Math.floorDiv(endY, CELL);
    double nearest = Double.MAX_VALUE;
    double squared = Double.MAX_VALUE;
    for (double[] sum : sums) {
      if (Math.abs(sum[0] - cellX) > TiledMap.REACH || Math.abs(sum[1] - cellY) > TiledMap.REACH) {
        continue;
      }
      double meanX = sum[0] + (Math.floor(Math.floor(sum[2] / sum[4]) / 8) + 0.5) / 32;
      double meanY = sum[1] + (Math.floor(Math.floor(sum[3] / sum[4]) / 8) + 0.5) / 32;
      double toCentre = Math.hypot(meanX - cellX - 0.5, meanY - cellY - 0.5);
      if (toCentre < nearest - 1e-9) {
        nearest = toCentre;
        double dx = 512 * (meanX - (endX + 0.5) / CELL);
        double dy = 512 * (meanY - (endY + 0.5) / CELL);
        squared = dx * dx + dy * dy;
      } else if (toCentre < nearest + 1e-9) {
        // A tie is decided by row, then column; sums are in no order.
        return TIE;
      }
    }
    return (long) Math.min(TiledMap.KERNEL_ENTRIES, Math.floor(squared / 1024));
  }

  @Property(tries = 50)
  void forkAndOriginalDoNotSeeEachOthersHits(@ForAll long seed) {
    Random random = new Random(seed);
    List<int[]> common = hits(random, 100);
    List<int[]> mine = hits(random, 50);
    List<int[]> yours = hits(random, 50);
    TiledMap one = mapOf(common);

    TiledMap other = one.fork();
    for (int i = 0; i < 50; i++) {
      one.hit(mine.get(i)[0], mine.get(i)[1]);
      other.hit(yours.get(i)[0], yours.get(i)[1]);
    }

    List<int[]> all = new ArrayList<>(common);
    all.addAll(mine);
    assertThat(MapCodec.encode(one)).isEqualTo(MapCodec.encode(mapOf(all)));
    assertThat(nearest(one)).isEqualTo(nearest(mapOf(all)));
    all = new ArrayList<>(common);
    all.addAll(yours);
    assertThat(nearest(other)).isEqualTo(nearest(mapOf(all)));
  }

  @Test
  void forkSharesTilesThatNobodyWroteTo() {
    TiledMap one = new TiledMap();
    one.hit(5 * CELL, 5 * CELL);
    one.hit(5000 * CELL, 5 * CELL);

    TiledMap other = one.fork();
    other.hit(6 * CELL, 5 * CELL);

    assertThat(other.tiles().get(0, 0)).isNotSameAs(one.tiles().get(0, 0));
    assertThat(other.tiles().get(156, 0)).isSameAs(one.tiles().get(156, 0));
  }

  @Property(tries = 50)
  void mapComesBackFromItsBytes(@ForAll long seed) {
    TiledMap map = mapOf(hits(new Random(seed), 200));

    TiledMap back = MapCodec.decode(MapCodec.encode(map));

    assertThat(back.occupiedCells()).isEqualTo(map.occupiedCells());
    assertThat(nearest(back)).isEqualTo(nearest(map));
    // Also what cannot be seen yet: a further hit moves both alike.
    map.hit(100, 100);
    back.hit(100, 100);
    assertThat(MapCodec.encode(back)).isEqualTo(MapCodec.encode(map));
  }

  @Test
  void refusesBytesThatAreNoMap() {
    byte[] cut = Arrays.copyOf(MapCodec.encode(mapOf(hits(new Random(1), 50))), 40);

    assertThatThrownBy(() -> MapCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MapCodec.decode(new byte[] {1, 2, 3}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void growsInAnyDirection() {
    TiledMap map = new TiledMap();
    int far = 100_000 * CELL;
    for (int[] corner : new int[][] {{far, far}, {-far, far}, {-far, -far}, {far, -far}}) {
      map.hit(corner[0], corner[1]);
    }

    int[] kernel = new int[TiledMap.KERNEL_ENTRIES + 1];
    kernel[0] = 1;
    int[] x = {far, -far, -far, far, 0};
    int[] y = {far, far, -far, -far, 0};
    assertThat(map.sum(kernel, x, y, 5, 0, 0)).isEqualTo(4);
  }
}
