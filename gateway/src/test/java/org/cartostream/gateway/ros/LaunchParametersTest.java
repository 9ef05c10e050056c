package org.cartostream.gateway.ros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.cartostream.ros.RosException;
import org.cartostream.ros.local.FakeNode;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class LaunchParametersTest {

  /** A node that a launch file gives these parameters. */
  private static FakeNode launched(Map<String, String> parameters) {
    return new FakeNode(parameters, Map.of());
  }

  /** As in turtlebot3_gmapping_params.yaml. */
  @Test
  void readsWhatALaunchFileAsksFor() {
    LaunchParameters read =
        LaunchParameters.read(
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

  /** The defaults of slam_gmapping, which are not all those here. */
  @Test
  void readsGmappingsMotionModelCellsAndThreshold() {
    LaunchParameters read =
        LaunchParameters.read(
            launched(
                Map.of(
                    "~srr", "0.1",
                    "~srt", "0.2",
                    "~str", "0.1",
                    "~stt", "0.2",
                    "~delta", "0.05",
                    "~resampleThreshold", "0.5")),
            Map.of("srr", "0.3"));
    assertThat(read.settings())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "slam.motion.srr", "0.3",
                "slam.motion.srt", "0.2",
                "slam.motion.str", "0.1",
                "slam.motion.stt", "0.2",
                "slam.cellMetres", "0.05",
                "slam.resampleBelow", "0.5"));
    assertThat(read.ignored()).isEmpty();
  }

  @Test
  void letsTheCommandLineWinAndNamesWhatItDoesNotKnow() {
    LaunchParameters read =
        LaunchParameters.read(
            launched(Map.of("~base_frame", "base_footprint")),
            Map.of("base_frame", "base", "bass_frame", "base"));
    assertThat(read.settings()).isEqualTo(Map.of("ros.baseFrame", "base"));
    assertThat(read.ignored()).containsExactly("bass_frame");
  }

  /** As in slam_toolbox's mapper_params_online_async.yaml. */
  @Test
  void readsWhatSlamToolboxIsAskedFor() {
    Map<String, String> given =
        Map.of(
            "mode", "mapping",
            "scan_topic", "/base_scan",
            "resolution", "0.05",
            "minimum_time_interval", "0.5",
            "min_laser_range", "0.2",
            "use_sim_time", "true",
            "solver_plugin", "solver_plugins::CeresSolver");
    LaunchParameters read = LaunchParameters.read(launched(Map.of()), given);
    assertThat(read.settings())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "slam.cellMetres", "0.05",
                "ros.minIntervalSeconds", "0.5",
                "slam.readingFilter.minRangeMetres", "0.2",
                "ros.simulatedTime", "true"));
    assertThat(read.ignored()).containsExactly("solver_plugin");
    assertThat(LaunchParameters.remappings(given)).isEqualTo(Map.of("scan", "/base_scan"));
  }

  @Test
  void refusesToDoAnythingElseThanMapping() {
    assertThatThrownBy(() -> LaunchParameters.read(launched(Map.of()), Map.of("mode", "lifelong")))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("'lifelong'")
        .hasMessageContaining("'mapping'");
  }
}
