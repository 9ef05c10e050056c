package org.cartostream.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.GatewayMeters;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Quick
@Timeout(60)
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

  /** Its graph is there, but for strangers alone: no settings are made, and no service starts. */
  @Test
  void waitsForAScanBeforeItStartsAService() throws Exception {
    assertThat(saidOf(Set.of(), false))
        .containsExactly("no robot was there: nobody publishes /scan");
  }

  @Test
  void saysAsWhatAScanIsPublishedThatIsNone() throws Exception {
    assertThat(saidOf(Set.of("sensor_msgs/msg/PointCloud2"), false))
        .containsExactly(
            "no robot was there: /scan is published as sensor_msgs/msg/PointCloud2, and not as"
                + " sensor_msgs/msg/LaserScan");
  }

  /** Its end may be all that is missing, and nobody drives for that. */
  @Test
  void goesOnWithARunThoughNobodyPublishesAScan() {
    assertThatThrownBy(() -> saidOf(Set.of(), true)).hasMessage("settings are made");
  }

  /** What is said where a robot's graph has no scan, but what is published as something else. */
  private static List<String> saidOf(Set<String> types, boolean resumes) throws Exception {
    ShutdownRequest stop = new ShutdownRequest();
    FakeGraph strangers =
        new FakeGraph(
            () -> {
              stop.request(ShutdownRequest.BY_CTRL_C);
              return false;
            },
            types);
    List<String> said = new ArrayList<>();
    try (GatewayMeters meters =
        new GatewayMeters("r1", Settings.build(GatewaySettings.class, Map.of()))) {
      strangers
          .run(Path.of("unused"), resumes, stop)
          .run(
              any -> {
                throw new IllegalStateException("settings are made");
              },
              said::add,
              List.of(),
              meters);
    }
    return said;
  }
}
