package org.cartostream.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class RobotRunTest {

  /** Who gives them waits in vain for what they should do. */
  @Test
  void knowsWhichSettingsMeanNothingWhereTheServiceIsElsewhere() {
    Set<String> given =
        Set.of(
            "slam.particles",
            "slam.readingFilter.keyFrameMetres",
            "topology.mapIntervalSeconds",
            "ros.baseFrame",
            "gateway.creditReadings");
    assertThat(RobotRun.serviceKeys(new TreeSet<>(given)))
        .isEqualTo(List.of("slam.particles", "topology.mapIntervalSeconds"));
  }
}
