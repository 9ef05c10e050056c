package org.cartostream.slam.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.Test;

class AlbumTest {

  private static final int BEAMS = 10;

  private static Seen seen(int place) {
    return new Seen(place, new Scan(Pose.ORIGIN, place, 0.1, 0, 30, new float[BEAMS]));
  }

  private static List<Integer> places(Album album) {
    return album.seen().stream().map(Seen::place).toList();
  }

  @Test
  void keepsAllThereIsRoomFor() {
    Album album = new Album(100 * BEAMS);
    IntStream.range(0, 100).forEach(i -> album.take(seen(i)));
    assertThat(places(album)).isEqualTo(IntStream.range(0, 100).boxed().toList());
  }

  /** However long the drive: never less than half of what there is room for, and evenly spread. */
  @Test
  void keepsEverySoManiethWhereThereIsNoRoomForAll() {
    Album album = new Album(100 * BEAMS);
    for (int i = 0; i < 5000; i++) {
      album.take(seen(i));
      int every = album.every();
      List<Integer> expected =
          IntStream.rangeClosed(0, i / every).map(k -> k * every).boxed().toList();
      assertThat(places(album)).isEqualTo(expected);
      assertThat(album.seen()).hasSizeBetween(Math.min(i + 1, 50), 100);
    }
    assertThat(album.every()).isEqualTo(64);
  }

  @Test
  void goesOnWhereAnotherWasSaved() {
    for (int saved : new int[] {0, 1, 99, 100, 101, 102, 250, 399, 400, 401}) {
      Album album = new Album(100 * BEAMS);
      IntStream.range(0, saved).forEach(i -> album.take(seen(i)));
      Seen[] kept = album.seen().toArray(Seen[]::new);
      Album other = new Album(100 * BEAMS, kept, album.every(), album.skipped());
      for (int i = saved; i < 1000; i++) {
        Seen next = seen(i);
        album.take(next);
        other.take(next);
        assertThat(other.seen()).as("saved after %d, at %d", saved, i).isEqualTo(album.seen());
      }
    }
  }

  @Test
  void oneScanThatIsTooLargeIsKeptAllTheSame() {
    Album album = new Album(BEAMS / 2);
    IntStream.range(0, 9).forEach(i -> album.take(seen(i)));
    assertThat(album.seen()).hasSize(1);
  }
}
