package org.cartostream.slam.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.Test;

class AlbumTest {

  private static final int BEAMS = 10;

  private static Scan scan(int number) {
    return new Scan(Pose.ORIGIN, number, 0.1, 0, 30, new float[BEAMS]);
  }

  /** Takes in what is seen along a line, a step of 0.03 m each. */
  private static List<PathPose> drive(Album album, int steps) {
    List<PathPose> path = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      path.add(new PathPose(i, i, new Pose(0.03 * i, 0, 0)));
      album.take(new Seen(i, scan(i)), path);
    }
    return path;
  }

  @Test
  void keepsAllThereIsRoomFor() {
    Album album = new Album(100 * BEAMS, new Seen[0], 0);
    drive(album, 100);
    assertThat(album.seen()).hasSize(100);
    assertThat(album.apart()).isZero();
  }

  @Test
  void keepsFewerWhereThereIsNoRoomForAll() {
    Album album = new Album(100 * BEAMS, new Seen[0], 0);
    List<PathPose> path = drive(album, 5000);

    assertThat(album.seen()).hasSizeBetween(40, 100);
    assertThat(album.seen().get(0).place()).isZero();
    for (int i = 1; i < album.seen().size(); i++) {
      Pose before = path.get(album.seen().get(i - 1).place()).pose();
      Pose here = path.get(album.seen().get(i).place()).pose();
      assertThat(before.distance(here)).isBetween(album.apart() - 1e-9, 2 * album.apart());
    }
    assertThat(album.seen().get(album.seen().size() - 1).place()).isGreaterThan(4800);
  }

  @Test
  void goesOnWhereAnotherHasKeptSome() {
    Album album = new Album(100 * BEAMS, new Seen[0], 0);
    List<PathPose> path = drive(album, 450);
    Album other = new Album(100 * BEAMS, album.seen().toArray(Seen[]::new), album.apart());
    for (int i = 450; i < 1000; i++) {
      path.add(new PathPose(i, i, new Pose(0.03 * i, 0, 0)));
      Seen seen = new Seen(i, scan(i));
      album.take(seen, path);
      other.take(seen, path);
    }
    assertThat(other.seen()).isEqualTo(album.seen());
    assertThat(other.apart()).isEqualTo(album.apart());
  }

  /** However often it turns on the spot. */
  @Test
  void doesNotGrowWhereARobotTurns() {
    Album album = new Album(50 * BEAMS, new Seen[0], 0);
    List<PathPose> path = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      path.add(new PathPose(i, i, new Pose(0, 0, Pose.wrap(0.5 * i))));
      album.take(new Seen(i, scan(i)), path);
      assertThat(album.seen()).hasSizeLessThanOrEqualTo(50);
    }
  }
}
