package org.cartostream.slam.sensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RoomTest {

  @Test
  void beamsAreAsLongAsTheWallsAreFar() {
    Pose mount = new Pose(0.5, 0, Math.PI);
    Room.Laser backwards = new Room.Laser(mount, 0, Math.PI / 2, 4);

    // From (1, -0.5), counter-clockwise: the walls at x = -3, y = -2, x = 4 and y = 3.
    Scan scan = Room.askew().scan(new Pose(0.5, -0.5, 0), backwards);

    assertThat(scan.ranges()[0]).isCloseTo(4, within(1e-6f));
    assertThat(scan.ranges()[1]).isCloseTo(1.5f, within(1e-6f));
    assertThat(scan.ranges()[2]).isCloseTo(3, within(1e-6f));
    assertThat(scan.ranges()[3]).isCloseTo(3.5f, within(1e-6f));
  }
}
