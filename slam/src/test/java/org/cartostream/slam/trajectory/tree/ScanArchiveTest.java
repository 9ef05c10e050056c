package org.cartostream.slam.trajectory.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.Test;

class ScanArchiveTest {

  private static final int BEAMS = 10;

  private static PathScan seen(int place) {
    return new PathScan(place, new Scan(Pose.ORIGIN, place, 0.1, 0, 30, new float[BEAMS]));
  }

  private static List<Integer> places(ScanArchive scanArchive) {
    return scanArchive.seen().stream().map(PathScan::pathIndex).toList();
  }

  @Test
  void keepsAllThereIsRoomFor() {
    ScanArchive scanArchive = new ScanArchive(100 * BEAMS);
    IntStream.range(0, 100).forEach(i -> scanArchive.add(seen(i)));
    assertThat(places(scanArchive)).isEqualTo(IntStream.range(0, 100).boxed().toList());
  }

  /** However long the drive: never less than half of what there is room for, and evenly spread. */
  @Test
  void keepsEverySoManiethWhereThereIsNoRoomForAll() {
    ScanArchive scanArchive = new ScanArchive(100 * BEAMS);
    for (int i = 0; i < 5000; i++) {
      scanArchive.add(seen(i));
      int every = scanArchive.every();
      List<Integer> expected =
          IntStream.rangeClosed(0, i / every).map(k -> k * every).boxed().toList();
      assertThat(places(scanArchive)).isEqualTo(expected);
      assertThat(scanArchive.seen()).hasSizeBetween(Math.min(i + 1, 50), 100);
    }
    assertThat(scanArchive.every()).isEqualTo(64);
  }

  @Test
  void goesOnWhereAnotherWasSaved() {
    for (int saved : new int[] {0, 1, 99, 100, 101, 102, 250, 399, 400, 401}) {
      ScanArchive scanArchive = new ScanArchive(100 * BEAMS);
      IntStream.range(0, saved).forEach(i -> scanArchive.add(seen(i)));
      PathScan[] kept = scanArchive.seen().toArray(PathScan[]::new);
      ScanArchive other =
          new ScanArchive(100 * BEAMS, kept, scanArchive.every(), scanArchive.skipped());
      for (int i = saved; i < 1000; i++) {
        PathScan next = seen(i);
        scanArchive.add(next);
        other.add(next);
        assertThat(other.seen())
            .as("saved after %d, at %d", saved, i)
            .isEqualTo(scanArchive.seen());
      }
    }
  }

  @Test
  void oneScanThatIsTooLargeIsKeptAllTheSame() {
    ScanArchive scanArchive = new ScanArchive(BEAMS / 2);
    IntStream.range(0, 9).forEach(i -> scanArchive.add(seen(i)));
    assertThat(scanArchive.seen()).hasSize(1);
  }
}
