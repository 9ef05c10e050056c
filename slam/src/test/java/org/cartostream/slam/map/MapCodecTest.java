package org.cartostream.slam.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** What was written to a map after a key frame, as bytes. */
@Quick
class MapCodecTest {

  private static final int CELL = TiledMap.UNITS;

  /** What a cell holds: that and nothing else makes two maps the same. */
  private record Cell(int hits, int sumX, int sumY) {}

  /** All cells that have hits, by their place. */
  private static Map<String, Cell> cells(TiledMap map) {
    Map<String, Cell> cells = new HashMap<>();
    map.tiles()
        .forEach(
            (tileX, tileY, tile) -> {
              for (int at = 0; at < Tile.SIDE * Tile.SIDE; at++) {
                int x = at & Tile.MASK;
                int y = at >> Tile.BITS;
                if (tile.isOccupied(x, y)) {
                  cells.put(
                      (tileX * Tile.SIDE + x) + "," + (tileY * Tile.SIDE + y),
                      new Cell(tile.hits(x, y), tile.sumX(x, y), tile.sumY(x, y)));
                }
              }
            });
    return cells;
  }

  /** What is derived of them, for every cell near a hit. */
  private static Map<String, Short> nearest(TiledMap map) {
    Map<String, Short> nearest = new HashMap<>();
    map.tiles()
        .forEach(
            (tileX, tileY, tile) -> {
              for (int y = tileY << Tile.BITS; y >> Tile.BITS == tileY; y++) {
                for (int x = tileX << Tile.BITS; x >> Tile.BITS == tileX; x++) {
                  if (map.nearest(tile, x, y) != Tile.NONE) {
                    nearest.put(x + "," + y, map.nearest(tile, x, y));
                  }
                }
              }
            });
    return nearest;
  }

  /** One key frame's scan: a wall of a few dozen hits somewhere around the origin's four tiles. */
  private static void scan(TiledMap map, int keyFrame, Random random) {
    map.setKeyFrame(keyFrame);
    int[] x = new int[40];
    int[] y = new int[40];
    int atX = random.nextInt(120 * CELL) - 60 * CELL;
    int atY = random.nextInt(120 * CELL) - 60 * CELL;
    for (int i = 0; i < x.length; i++) {
      x[i] = i * CELL / 2;
      y[i] = (int) (2 * CELL * random.nextGaussian());
    }
    map.hit(x, y, x.length, atX, atY);
  }

  private static void scans(TiledMap map, int first, int last, Random random) {
    for (int keyFrame = first; keyFrame <= last; keyFrame++) {
      scan(map, keyFrame, random);
    }
  }

  @Property(tries = 100)
  void bytesHoldTheCellsThatHaveChangedAndNoOthers(@ForAll long seed) {
    Random random = new Random(seed);
    TiledMap map = new TiledMap();
    int after = random.nextInt(20);
    scans(map, 1, after, random);
    Map<String, Cell> before = cells(map);
    scans(map, after + 1, after + random.nextInt(20), random);
    Map<String, Cell> changed = cells(map);
    before.forEach(changed::remove);

    byte[] bytes = MapCodec.encode(map, after);

    assertThat(cells(MapCodec.decode(bytes))).isEqualTo(changed);
    assertThat(map.cellsWrittenAfter(after)).isEqualTo(changed.size());
  }

  @Property(tries = 100)
  void mapAsItWasAndTheBytesMakeTheMapAsItIs(@ForAll long seed) {
    Random random = new Random(seed);
    TiledMap map = new TiledMap();
    scans(map, 1, 15, random);
    TiledMap there = map.fork();
    Map<String, Cell> before = cells(map);
    scans(map, 16, 25, random);
    TiledMap kept = there.fork();

    MapCodec.update(there, MapCodec.encode(map, 15));

    assertThat(cells(there)).isEqualTo(cells(map));
    assertThat(nearest(there)).isEqualTo(nearest(map));
    assertThat(there.occupiedCells()).isEqualTo(map.occupiedCells());
    assertThat(cells(kept)).isEqualTo(before);
  }

  /**
   * Two tasks pass a map on and on, each time as what was written since both had it last; when it
   * was written the receiver knows roughly, but never too early.
   */
  @Property(tries = 25)
  void mapThatGoesToAndFroLosesNothing(@ForAll long seed) {
    Random random = new Random(seed);
    TiledMap truth = new TiledMap();
    List<TiledMap> held = new ArrayList<>(List.of(new TiledMap(), new TiledMap()));
    List<List<TiledMap>> kept = List.of(new ArrayList<>(), new ArrayList<>());
    List<Integer> when = new ArrayList<>();
    kept.forEach(task -> task.add(new TiledMap()));
    when.add(0);
    int at = 0;
    for (int keyFrame = 1; keyFrame <= 40; keyFrame++) {
      long same = random.nextLong();
      scan(truth, keyFrame, new Random(same));
      scan(held.get(at), keyFrame, new Random(same));
      if (random.nextInt(4) == 0) {
        int from = at;
        at = 1 - at;
        int which = random.nextInt(when.size());
        TiledMap arrived = kept.get(at).get(which).fork();
        MapCodec.update(arrived, MapCodec.encode(held.get(from), when.get(which)));
        held.set(at, arrived);
        kept.get(0).add(held.get(0).fork());
        kept.get(1).add(held.get(1).fork());
        when.add(keyFrame);
      }

      assertThat(cells(held.get(at))).isEqualTo(cells(truth));
    }
  }

  @Property(tries = 20)
  void wholeMapsHaveTheirPast(@ForAll long seed) {
    TiledMap late = new TiledMap();
    Random random = new Random(seed);
    for (int keyFrame = 1; keyFrame <= 10; keyFrame++) {
      scan(late, 1000 + 2 * keyFrame, random);
    }

    assertThat(MapCodec.decode(MapCodec.encode(late, MapCodec.EVER)).cellsWrittenAfter(1000))
        .isEqualTo(late.occupiedCells());
  }

  @Property(tries = 300)
  void bytesThatWereChangedAreAMapOrRefused(@ForAll long seed) {
    Random random = new Random(seed);
    TiledMap map = new TiledMap();
    scans(map, 1, 3, random);
    byte[] bytes = MapCodec.encode(map, MapCodec.EVER);
    byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));
    byte[] inside = corrupt(inflated(bytes), random);

    assertThatThrownBy(() -> MapCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
    // Some bits of the packing mean nothing; all others are in the checksum.
    unlessRefused(corrupt(bytes, random)).ifPresent(same -> assertThat(same).isEqualTo(cells(map)));
    // A checksum that fits keeps nothing away from the reader.
    unlessRefused(deflated(inside));
  }

  private static Optional<Map<String, Cell>> unlessRefused(byte[] bytes) {
    try {
      return Optional.of(cells(MapCodec.decode(bytes)));
    } catch (IllegalArgumentException refused) {
      return Optional.empty();
    }
  }

  /** The bytes with one to three of them changed. */
  private static byte[] corrupt(byte[] bytes, Random random) {
    byte[] changed = bytes.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      // Near the start, too: there a tile says where it is.
      int max = random.nextBoolean() ? changed.length : Math.min(changed.length, 16);
      changed[random.nextInt(max)] = (byte) random.nextInt();
    }
    if (Arrays.equals(changed, bytes)) {
      changed[0]++;
    }
    return changed;
  }

  private static byte[] inflated(byte[] bytes) {
    try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] deflated(byte[] plain) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new DeflaterOutputStream(bytes)) {
      out.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** A map of one hit, as it is before deflating. */
  private static byte[] oneHit(int column, int row, int hits, int end) {
    ByteBuffer plain = ByteBuffer.allocate(200);
    plain.put((byte) 1).putInt(column).putInt(row).put((byte) 1).putInt(1);
    for (int y = 1; y < Tile.SIDE; y++) {
      plain.putInt(0);
    }
    for (int rest = hits; ; rest >>>= 7) {
      plain.put((byte) (rest > 0x7f ? rest | 0x80 : rest));
      if (rest <= 0x7f) {
        break;
      }
    }
    plain.put((byte) 9).put((byte) 9).put((byte) end);
    return Arrays.copyOf(plain.array(), plain.position());
  }

  @Test
  void refusesWhatNoMapCanHoldAndSaysWhatItIs() {
    assertThat(cells(MapCodec.decode(deflated(oneHit(-262144, 262143, 1 << 20, 0))))).hasSize(1);
    refuses(oneHit(262144, 0, 1, 0), "a tile at (262144, 0)");
    refuses(oneHit(0, -262145, 1, 0), "a tile at (0, -262145)");
    refuses(oneHit(0, 0, 1 + (1 << 20), 0), "cell of 1048577 hits");
    refuses(oneHit(0, 0, 1, 2), "it goes on behind its last tile");
    refuses(concatenated(oneHit(0, 0, 1, 0), new byte[1]), "it goes on behind its last tile");
    byte[] one = oneHit(-262144, -262144, 1, 0);
    byte[] other = oneHit(262143, 262143, 1, 0);
    refuses(
        concatenated(Arrays.copyOf(one, one.length - 1), other),
        "a map of 32769 x 32769 blocks of 512 cells a side is too large");
  }

  private static void refuses(byte[] plain, String why) {
    assertThatThrownBy(() -> MapCodec.decode(deflated(plain)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  private static byte[] concatenated(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  @Test
  void nothingNewIsNoCellAtAll() {
    TiledMap map = new TiledMap();
    scans(map, 1, 5, new Random(1));

    assertThat(MapCodec.encode(map, 5)).hasSizeLessThan(16);
    assertThat(MapCodec.estimatedBytes(map, 5)).isZero();
  }

  @Test
  void refusesToGoOnFromAMapThatHasSeenMore() {
    TiledMap map = new TiledMap();
    map.hit(new int[] {100}, new int[] {100}, 1, 0, 0);
    byte[] bytes = MapCodec.encode(map, MapCodec.EVER);
    map.hit(new int[] {110}, new int[] {110}, 1, 0, 0);

    assertThatThrownBy(() -> MapCodec.update(map, bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cell (0, 0) has had 2 hits, and cannot have 1");
  }
}
