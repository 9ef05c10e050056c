package org.cartostream.slam.trajectory.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class ScanArchiveTest {

  private static final int BLOCK_RANGES = 100;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final List<PathScan> all = new ArrayList<>();

  /** Ranges of all kinds: each NaN, too, comes back with its own bits. */
  private PathScan next() {
    float[] ranges = new float[random.nextInt(60)];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = Float.intBitsToFloat(random.nextInt());
    }
    Pose mount = new Pose(random.nextGaussian(), random.nextGaussian(), random.nextDouble());
    Scan scan =
        new Scan(mount, random.nextDouble(), -random.nextDouble(), 0.1, random.nextInt(80), ranges);
    int before = all.isEmpty() ? -1 : all.get(all.size() - 1).pathIndex();
    return new PathScan(before + 1 + random.nextInt(3), random.nextInt(99) - 1, scan);
  }

  @Test
  void hasEachScanAsItWasTakenInHoweverManyThereAre() {
    System.out.println("ScanArchiveTest: seed " + seed);
    ScanArchive archive = new ScanArchive(BLOCK_RANGES);
    for (int k = 0; k < 300; k++) {
      PathScan scan = next();
      all.add(scan);
      assertThat(archive.add(scan)).isEqualTo(k);
      int from = random.nextInt(scan.pathIndex() + 2);
      int to = from + random.nextInt(scan.pathIndex() + 2 - from);
      List<PathScan> expected =
          all.stream().filter(each -> each.pathIndex() >= from && each.pathIndex() < to).toList();
      assertSame(archive.between(from, to), expected);
      int number = random.nextInt(k + 1);
      assertThat(values(archive.scan(number)))
          .as("seed %d", seed)
          .isEqualTo(values(all.get(number).scan()));
    }
  }

  @Test
  void whatWasTakenOutBeforeStaysAsItWas() {
    System.out.println("ScanArchiveTest: seed " + seed);
    ScanArchive archive = new ScanArchive(BLOCK_RANGES);
    for (int k = 0; k < 40; k++) {
      all.add(next());
      archive.add(all.get(k));
    }
    Iterable<PathScan> before = archive.between(0, Integer.MAX_VALUE);
    for (int k = 0; k < 40; k++) {
      archive.add(next());
    }
    assertSame(before, all);
    assertSame(before, all); // It can be read more than once.
  }

  /** What no disk takes is counted, and is there all the same. */
  @Test
  void saysWhatItTakesOfTheHeap(@TempDir Path folder) {
    System.out.println("ScanArchiveTest: seed " + seed);
    ScanArchive archive = new ScanArchive(BLOCK_RANGES);
    fill(archive);
    assertThat(archive.heapBytes()).isZero();

    String before = System.setProperty("java.io.tmpdir", folder.resolve("missing").toString());
    try {
      long inFiles = all.stream().mapToLong(each -> ScanBlock.bytes(each.scan())).sum();
      fill(archive);
      long taken = all.stream().mapToLong(each -> ScanBlock.bytes(each.scan())).sum();
      long block = 4L * 3 * BLOCK_RANGES;
      assertThat(archive.heapBytes()).isBetween(taken - inFiles - block, taken - inFiles + block);
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
    assertSame(archive.between(0, Integer.MAX_VALUE), all);
  }

  private void fill(ScanArchive archive) {
    for (int k = 0; k < 100; k++) {
      PathScan scan = next();
      all.add(scan);
      archive.add(scan);
    }
  }

  private void assertSame(Iterable<PathScan> actual, List<PathScan> expected) {
    List<Object> scans = new ArrayList<>();
    actual.forEach(each -> scans.add(values(each)));
    assertThat(scans)
        .as("seed %d", seed)
        .isEqualTo(expected.stream().map(ScanArchiveTest::values).toList());
  }

  private static List<Object> values(PathScan scan) {
    return List.of(scan.pathIndex(), scan.graphNode(), values(scan.scan()));
  }

  /** Ranges by their bits: a NaN may have any. */
  private static List<Object> values(Scan scan) {
    int[] bits =
        IntStream.range(0, scan.beams())
            .map(i -> Float.floatToRawIntBits(scan.ranges()[i]))
            .toArray();
    return List.of(
        scan.mount(),
        scan.startAngle(),
        scan.angleStep(),
        scan.minRange(),
        scan.maxRange(),
        IntBuffer.wrap(bits));
  }
}
