package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Its laser's beams run clockwise, and are declared counter-clockwise; or its wheels are swapped.
 */
@Quick
class MirroredScanTest extends RoomDrive {

  private static final int READINGS = 60;

  /** A drive to and fro, with turns to both sides. */
  private ReadingFilter.Decision drive(double radians, boolean mirrored, boolean swapped) {
    ReadingFilter.Decision last = null;
    for (int i = 0; i < READINGS; i++) {
      double turn = i / 7 % 3 == 0 ? -radians : radians;
      double metres = i / 10 % 2 == 0 ? 0.05 : -0.05;
      truth = truth.then(new Pose(metres, 0, turn));
      odometry = odometry.then(new Pose(metres, 0, swapped ? -turn : turn));
      Scan scan = room.scan(truth, laser);
      stamp += periodNanos;
      Reading reading = new Reading(stamp, odometry, mirrored ? Room.mirrored(scan) : scan);
      last = readingFilter.decide(++sequence, reading);
    }
    return last;
  }

  private static void assertIsMirrored(ReadingFilter.Decision decision) {
    assertThat(decision)
        .isInstanceOfSatisfying(
            ReadingFilter.Decision.Refuse.class,
            refuse -> {
              assertThat(refuse.why().refusal()).isEqualTo(ReadingRefusal.MIRRORED_SCAN);
              assertThat(refuse.why().toString()).contains("ros.mount.upsideDown=true");
            });
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.1, 0.2, 0.35})
  void isFoundWhateverTheTurns(double radians) {
    assertIsMirrored(drive(radians, true, false));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.1, 0.2, 0.35})
  void odometryThatTurnsTheOtherWayLooksTheSame(double radians) {
    assertIsMirrored(drive(radians, false, true));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.1, 0.2, 0.35})
  void aScanThatIsRightIsUsed(double radians) {
    assertThat(drive(radians, false, false)).isInstanceOf(ReadingFilter.Decision.Accept.class);
  }
}
