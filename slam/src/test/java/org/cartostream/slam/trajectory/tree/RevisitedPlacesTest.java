package org.cartostream.slam.trajectory.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.graph.RingDrive;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RevisitedPlacesTest {

  private static final Room RING = RingDrive.ring();

  /** Two rounds of 48 m each, with a pose each decimetre. */
  private static final List<Pose> TRUTH = RingDrive.rounds(2);

  /** Checks two rounds: the poses of the second are what {@code second} makes of the true ones. */
  private static RevisitedPlaces check(UnaryOperator<Pose> second, UnaryOperator<Scan> seen) {
    List<PathPose> path = new ArrayList<>();
    List<PathScan> scans = new ArrayList<>();
    for (int i = 0; i < TRUTH.size(); i++) {
      Pose pose = i < TRUTH.size() / 2 ? TRUTH.get(i) : second.apply(TRUTH.get(i));
      Scan scan = RING.scan(TRUTH.get(i), Room.Laser.ahead(181));
      scans.add(new PathScan(i, 0, i % 200 < 20 ? seen.apply(scan) : scan));
      path.add(new PathPose(i, i, pose));
    }
    return RevisitedPlaces.of(path, scans.iterator());
  }

  @Test
  void whereEachSceneIsWhereItWasNothingContradicts() {
    RevisitedPlaces check = check(pose -> pose, scan -> scan);

    assertThat(check.places()).isBetween(90, 100);
    assertThat(check.contradicted()).isZero();
  }

  @Test
  void aSecondRoundBesideTheFirstContradictsIt() {
    RevisitedPlaces check = check(pose -> new Pose(1.2, 0.9, 0).then(pose), scan -> scan);

    assertThat(check.contradicted()).isGreaterThan(check.places() / 2);
  }

  /** For two metres of each twenty a third of the beams end at somebody who walks ahead. */
  @Test
  void somebodyWhoWalksAheadBreaksNoMap() {
    RevisitedPlaces check =
        check(
            pose -> pose,
            scan -> {
              float[] ranges = scan.ranges().clone();
              for (int i = 60; i < 120; i++) {
                ranges[i] = Math.min(ranges[i], 0.8f);
              }
              return scan.withRanges(ranges);
            });

    assertThat(check.contradicted()).isZero();
  }
}
