package org.cartostream.gateway.ros.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ScanExtentsTest {

  private static LaserScan scan(int beams, double degrees) {
    float step = (float) (Math.toRadians(degrees) / Math.max(1, beams - 1));
    return new LaserScan(
        new Header(0, 0, "laser"),
        0,
        (float) Math.toRadians(degrees),
        step,
        0,
        0,
        0.1f,
        8f,
        new float[beams],
        new float[0]);
  }

  /** Which of the scans count as cut short, by their index. */
  private static List<Integer> truncated(ScanExtents extents, List<LaserScan> scans) {
    List<Integer> truncated = new ArrayList<>();
    for (int i = 0; i < scans.size(); i++) {
      if (extents.next(scans.get(i)) != null) {
        truncated.add(i);
      }
    }
    return truncated;
  }

  private static List<Integer> inFile(List<LaserScan> scans) {
    ScanExtents extents = ScanExtents.ofFile();
    scans.forEach(extents::add);
    return truncated(extents, scans);
  }

  private static List<Integer> live(List<LaserScan> scans) {
    return truncated(ScanExtents.live(), scans);
  }

  private static List<LaserScan> scans(int count, int beams, double degrees) {
    return new ArrayList<>(Collections.nCopies(count, scan(beams, degrees)));
  }

  /** The LD19's first ones: some beams, spread over the whole turn. */
  @Test
  void findsThoseOfALaserThatStartsUp() {
    List<LaserScan> scans = scans(3, 20, 360);
    scans.addAll(scans(50, 450, 360));
    assertThat(inFile(scans)).containsExactly(0, 1, 2);
    assertThat(live(scans)).containsExactly(0, 1, 2);
    ScanExtents extents = ScanExtents.ofFile();
    scans.forEach(extents::add);
    assertThat(extents.next(scans.get(0)).detail())
        .isEqualTo("20 beams over 360 degrees; usual are 450 beams over 360 degrees");
  }

  @Test
  void findsThoseAmongWholeOnes() {
    List<LaserScan> scans = scans(200, 450, 360);
    scans.set(60, scan(20, 360));
    scans.set(61, scan(300, 90));
    scans.set(62, scan(0, 0));
    scans.set(199, scan(1, 0));
    assertThat(inFile(scans)).containsExactly(60, 61, 62, 199);
    assertThat(live(scans)).containsExactly(60, 61, 62, 199);
  }

  /** From 95 % of the beams on downwards; of a smaller view all are where the scan says. */
  @Test
  void findsThoseThatLackFewBeamsWhereAllHaveAsMany() {
    List<LaserScan> scans = scans(200, 450, 360);
    for (int i = 100; i < 140; i++) {
      scans.set(i, scan(427 - 5 * (i - 100), 360));
    }
    scans.set(160, scan(300, 240));
    scans.set(170, scan(449, 360));
    List<Integer> few = IntStream.range(100, 140).boxed().toList();
    assertThat(inFile(scans)).isEqualTo(few);
    assertThat(live(scans)).startsWith(100, 101, 102).doesNotContain(160, 170);
  }

  @Test
  void letsNumbersVary() {
    List<LaserScan> scans = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      scans.add(scan(440 + 7 * i % 30, 360));
      scans.add(scan(250 + 7 * i % 30, 300));
    }
    assertThat(inFile(scans)).isEmpty();
    assertThat(live(scans)).isEmpty();
  }

  /** A file knows what comes; live it takes half a window to see that it stays so. */
  @Test
  void takesALaserThatIsSetToFewerBeams() {
    List<LaserScan> scans = scans(200, 1440, 360);
    scans.addAll(scans(200, 360, 360));
    assertThat(inFile(scans)).isEmpty();
    assertThat(live(scans)).hasSizeBetween(5, 10).allMatch(i -> i >= 200 && i < 210);
  }

  /** Sonars all around: refused until there are enough of them to believe it. */
  @Test
  void takesALaserWithFewBeamsInTheEnd() {
    assertThat(inFile(scans(30, 16, 360))).isEmpty();
    assertThat(live(scans(30, 16, 360))).hasSize(19).contains(0, 18);
    assertThat(live(scans(30, 16, 90))).isEmpty();
  }
}
