package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LiveRobotTest {

  /** Who gives them waits in vain for what they should do. */
  @Test
  void knowsWhichSettingsMeanNothingWhereTheServiceIsElsewhere() {
    Set<String> given =
        Set.of(
            "slam.particles",
            "slam.intake.keyFrameMetres",
            "topology.mapIntervalSeconds",
            "ros.baseFrame",
            "gateway.creditReadings");
    assertThat(LiveRobot.ofTheService(new TreeSet<>(given)))
        .isEqualTo(List.of("slam.particles", "topology.mapIntervalSeconds"));
  }
}
