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
import net.jqwik.api.constraints.IntRange;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class TiledMapTest {

  private static final int CELL = TiledMap.UNITS;
  private static final long TIE = -1;

  /** After so many ticks without a look all tiles are packed. */
  private static final int PACKED = 2 * TiledMap.UNSEEN;

  /** Hits around a tile corner, crowded enough to meet again in the same cells. */
  private static List<int[]> hits(Random random, int count) {
    List<int[]> hits = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      hits.add(new int[] {(int) (8 * CELL * random.nextGaussian()), random.nextInt(40 * CELL) - 9});
    }
    return hits;
  }

  private static void hit(TiledMap map, int x, int y) {
    map.hit(new int[] {x}, new int[] {y}, 1, 0, 0);
  }

  private static void add(TiledMap map, int x, int y) {
    int cellX = Math.floorDiv(x, CELL);
    int cellY = Math.floorDiv(y, CELL);
    map.add(cellX, cellY, 1, x - cellX * CELL, y - cellY * CELL);
  }

  private static long sum(TiledMap map, int[] kernel, int[] x, int[] y) {
    ScanTileCache scanTileCache = new ScanTileCache();
    scanTileCache.locate(map, x, y, x.length, 0, 0, 0);
    return scanTileCache.sum(kernel, x, y, x.length, 0, 0);
  }

  private static TiledMap mapOf(List<int[]> hits) {
    TiledMap map = new TiledMap();
    hits.forEach(hit -> hit(map, hit[0], hit[1]));
    return map;
  }

  /** What a map derives for every cell near its tiles. */
  private static Map<Long, Short> nearest(TiledMap map) {
    Map<Long, Short> nearest = new HashMap<>();
    map.tiles()
        .forEach(
            (tileX, tileY, tile) -> {
              for (int y = tileY << Tile.BITS; y >> Tile.BITS == tileY; y++) {
                for (int x = tileX << Tile.BITS; x >> Tile.BITS == tileX; x++) {
                  if (map.nearest(tile, x, y) != Tile.NONE) {
                    nearest.put((long) y << 32 | x & 0xffffffffL, map.nearest(tile, x, y));
                  }
                }
              }
            });
    return nearest;
  }

  @Property(tries = 100)
  void nearestHitsKeptStepByStepEqualThoseSearchedFromScratch(@ForAll long seed) {
    TiledMap map = new TiledMap();
    Random random = new Random(seed);
    for (int[] hit : hits(random, 300)) {
      add(map, hit[0], hit[1]);
      // What was put off is looked for between two hits, or only at the end.
      int[] other = hits(random, 1).get(0);
      ScanTileCache.entry(map, other[0], other[1]);
    }

    map.tiles()
        .forEach(
            (tileX, tileY, tile) -> {
              for (int y = tileY << Tile.BITS; y >> Tile.BITS == tileY; y++) {
                for (int x = tileX << Tile.BITS; x >> Tile.BITS == tileX; x++) {
                  assertThat(map.nearest(tile, x, y)).isEqualTo(map.search(x, y));
                }
              }
            });
  }

  @Property(tries = 50)
  void nearestHitIsTheOneThatBruteForceFinds(@ForAll long seed) {
    Random random = new Random(seed);
    List<int[]> hits = hits(random, 60);
    TiledMap map = new TiledMap();
    // Past what would leave out hits next to settled ones.
    hits.forEach(hit -> add(map, hit[0], hit[1]));
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
      long found = sum(map, kernel, new int[] {x}, new int[] {y});
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
      hit(one, mine.get(i)[0], mine.get(i)[1]);
      hit(other, yours.get(i)[0], yours.get(i)[1]);
    }

    List<int[]> all = new ArrayList<>(common);
    all.addAll(mine);
    assertThat(MapCodec.encode(one, MapCodec.EVER))
        .isEqualTo(MapCodec.encode(mapOf(all), MapCodec.EVER));
    assertThat(nearest(one)).isEqualTo(nearest(mapOf(all)));
    all = new ArrayList<>(common);
    all.addAll(yours);
    assertThat(nearest(other)).isEqualTo(nearest(mapOf(all)));
  }

  @Property(tries = 50)
  void tilesThatArePackedSayAndTakeInTheSame(@ForAll long seed) {
    Random random = new Random(seed);
    List<int[]> all = new ArrayList<>(hits(random, 200));
    TiledMap map = mapOf(all);
    TiledMap fork = map.fork();
    for (int i = 0; i < PACKED; i++) {
      map.tick();
    }
    assertThat(nearest(fork)).isEqualTo(nearest(mapOf(all)));
    for (int i = 0; i < PACKED; i++) {
      map.tick();
    }
    for (int[] hit : hits(random, 50)) {
      all.add(hit);
      hit(map, hit[0], hit[1]);
    }

    assertThat(MapCodec.encode(map, MapCodec.EVER))
        .isEqualTo(MapCodec.encode(mapOf(all), MapCodec.EVER));
    assertThat(nearest(map)).isEqualTo(nearest(mapOf(all)));
  }

  @Test
  void forkSharesTilesThatNobodyWroteTo() {
    TiledMap one = new TiledMap();
    hit(one, 5 * CELL, 5 * CELL);
    hit(one, 5000 * CELL, 5 * CELL);

    TiledMap other = one.fork();
    hit(other, 6 * CELL, 5 * CELL);

    assertThat(other.tiles().get(0, 0)).isNotSameAs(one.tiles().get(0, 0));
    assertThat(other.tiles().get(156, 0)).isSameAs(one.tiles().get(156, 0));
  }

  @Property(tries = 50)
  void mapComesBackFromItsBytes(@ForAll long seed) {
    TiledMap map = mapOf(hits(new Random(seed), 200));

    TiledMap back = MapCodec.decode(MapCodec.encode(map, MapCodec.EVER));

    assertThat(back.occupiedCells()).isEqualTo(map.occupiedCells());
    assertThat(nearest(back)).isEqualTo(nearest(map));
    // Also what cannot be seen yet: a further hit moves both alike.
    hit(map, 100, 100);
    hit(back, 100, 100);
    assertThat(MapCodec.encode(back, MapCodec.EVER)).isEqualTo(MapCodec.encode(map, MapCodec.EVER));
  }

  @Test
  void refusesBytesThatAreNoMap() {
    byte[] cut = Arrays.copyOf(MapCodec.encode(mapOf(hits(new Random(1), 50)), MapCodec.EVER), 40);

    assertThatThrownBy(() -> MapCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MapCodec.decode(new byte[] {1, 2, 3}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Property(tries = 50)
  void neighbouringBeamsThatEndInOneCellAreAddedAtOnce(@ForAll long seed) {
    Random random = new Random(seed);
    TiledMap oneByOne = new TiledMap();
    int[] x = new int[200];
    int[] y = new int[200];
    for (int i = 0; i < 200; i++) {
      // Two hits in each cell, and cells too far apart to settle each other.
      x[i] = (i / 2 % 10) * 4 * CELL + random.nextInt(CELL);
      y[i] = (i / 20) * 4 * CELL + random.nextInt(CELL);
      hit(oneByOne, x[i] + 77, y[i] - 33_000);
    }
    TiledMap atOnce = new TiledMap();
    atOnce.hit(x, y, 200, 77, -33_000);

    assertThat(MapCodec.encode(atOnce, MapCodec.EVER))
        .isEqualTo(MapCodec.encode(oneByOne, MapCodec.EVER));
    assertThat(nearest(atOnce)).isEqualTo(nearest(oneByOne));
  }

  @Property(tries = 20)
  void tableLaidElsewhereSumsWhatEachBeamFinds(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 10_000) int reach) {
    Random random = new Random(seed);
    TiledMap map = mapOf(hits(random, 300));
    int[] kernel = new int[TiledMap.KERNEL_ENTRIES + 1];
    Arrays.setAll(kernel, i -> i * i);
    int[] x = random.ints(200, -60 * CELL, 60 * CELL).toArray();
    int[] y = random.ints(200, -60 * CELL, 60 * CELL).toArray();
    // From 5,500 cells on no table is wide enough.
    x[7] = reach * CELL;
    ScanTileCache scanTileCache = new ScanTileCache();
    scanTileCache.locate(map, x, y, 200, 0, 0, 0);
    for (int i = 0; i < 20; i++) {
      int atX = random.nextInt(100 * CELL) - 50 * CELL;
      int atY = random.nextInt(100 * CELL) - 50 * CELL;
      long expected = 0;
      for (int beam = 0; beam < 200; beam++) {
        expected += kernel[ScanTileCache.entry(map, x[beam] + atX, y[beam] + atY)];
      }

      assertThat(scanTileCache.sum(kernel, x, y, 200, atX, atY)).isEqualTo(expected);
    }
  }

  @Property(tries = 20)
  void wallThatIsSeenAgainAndAgainSettles(@ForAll long seed) {
    Random random = new Random(seed);
    TiledMap map = new TiledMap();
    // A wall along y = 0, 100 cells long, seen with 3 cm of noise in cells of 5 cm.
    for (int round = 0; round < 1000; round++) {
      for (int x = 0; x < 100 * CELL; x += CELL / 2) {
        hit(map, x, (int) (0.6 * CELL * random.nextGaussian()));
      }
    }

    // The noise reaches five and more cells of each column.
    assertThat(map.occupiedCells()).as("seed %d", seed).isLessThan(4 * 100);
  }

  @Test
  void growsInAnyDirection() {
    TiledMap map = new TiledMap();
    int far = 100_000 * CELL;
    for (int[] corner : new int[][] {{far, far}, {-far, far}, {-far, -far}, {far, -far}}) {
      hit(map, corner[0], corner[1]);
    }

    int[] kernel = new int[TiledMap.KERNEL_ENTRIES + 1];
    kernel[0] = 1;
    int[] x = {far, -far, -far, far, 0};
    int[] y = {far, far, -far, -far, 0};
    assertThat(sum(map, kernel, x, y)).isEqualTo(4);
  }
}
