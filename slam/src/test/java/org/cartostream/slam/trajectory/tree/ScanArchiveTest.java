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
    return new PathScan(place, 0, new Scan(Pose.ORIGIN, place, 0.1, 0, 30, new float[BEAMS]));
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
    int every = 1;
    for (int i = 0; i < 5000; i++) {
      scanArchive.add(seen(i));
      every *= i / every + 1 > 100 ? 2 : 1;
      int apart = every;
      int last = i;
      List<Integer> expected =
          IntStream.iterate(0, k -> k <= last, k -> k + apart).boxed().toList();
      assertThat(places(scanArchive)).isEqualTo(expected);
      assertThat(scanArchive.seen()).hasSizeBetween(Math.min(i + 1, 50), 100);
    }
    assertThat(every).isEqualTo(64);
  }

  @Test
  void oneScanThatIsTooLargeIsKeptAllTheSame() {
    ScanArchive scanArchive = new ScanArchive(BEAMS / 2);
    IntStream.range(0, 9).forEach(i -> scanArchive.add(seen(i)));
    assertThat(scanArchive.seen()).hasSize(1);
  }
}
