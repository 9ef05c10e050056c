package org.cartostream.gateway.ros;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.cartostream.ros.local.FakeNode;
import org.junit.jupiter.api.Test;

class GmappingParametersTest {

  /** A node that a launch file gives these parameters. */
  private static FakeNode launched(Map<String, String> parameters) {
    return new FakeNode(parameters, Map.of());
  }

  /** As in turtlebot3_gmapping_params.yaml. */
  @Test
  void readsWhatALaunchFileAsksFor() {
    GmappingParameters read =
        GmappingParameters.read(
            launched(
                Map.of(
                    "~base_frame", "base_footprint",
                    "~maxUrange", "3.0",
                    "~map_update_interval", "2.0",
                    "~particles", "100",
                    "~minimumScore", "50",
                    "~sigma", "0.05")),
            Map.of());
    assertThat(read.settings())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "ros.baseFrame", "base_footprint",
                "ros.maxUsableRangeMetres", "3.0",
                "topology.mapIntervalSeconds", "2.0",
                "slam.particles", "100"));
    assertThat(read.ignored()).containsExactlyInAnyOrder("minimumScore", "sigma");
  }

  @Test
  void letsTheCommandLineWinAndNamesWhatItDoesNotKnow() {
    GmappingParameters read =
        GmappingParameters.read(
            launched(Map.of("~base_frame", "base_footprint")),
            Map.of("base_frame", "base", "bass_frame", "base"));
    assertThat(read.settings()).isEqualTo(Map.of("ros.baseFrame", "base"));
    assertThat(read.ignored()).containsExactly("bass_frame");
  }
}
