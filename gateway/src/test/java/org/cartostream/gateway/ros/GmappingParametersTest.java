package org.cartostream.gateway.ros;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.cartostream.gateway.ros.client.MessageType;
import org.cartostream.gateway.ros.client.RosNode;
import org.cartostream.gateway.ros.client.ServiceType;
import org.junit.jupiter.api.Test;

class GmappingParametersTest {

  /** A launch file's parameters, and no graph. */
  private record Launched(Map<String, String> parameters) implements RosNode {

    @Override
    public String name() {
      return "/slam_gmapping";
    }

    @Override
    public String resolve(String name) {
      return name;
    }

    @Override
    public <M extends Record> void subscribe(
        String topic, MessageType<M> type, Consumer<M> listener) {}

    @Override
    public <M extends Record> Publisher<M> publish(
        String topic, MessageType<M> type, boolean latched) {
      throw new UnsupportedOperationException(topic);
    }

    @Override
    public <Q extends Record, A extends Record> void serve(
        String service, ServiceType<Q, A> type, Function<Q, A> answer) {}

    @Override
    public Optional<String> parameter(String name) {
      return Optional.ofNullable(parameters.get(name));
    }

    @Override
    public void close() {}
  }

  /** As in turtlebot3_gmapping_params.yaml. */
  @Test
  void readsWhatALaunchFileAsksFor() {
    GmappingParameters read =
        GmappingParameters.read(
            new Launched(
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
            new Launched(Map.of("~base_frame", "base_footprint")),
            Map.of("base_frame", "base", "bass_frame", "base"));
    assertThat(read.settings()).isEqualTo(Map.of("ros.baseFrame", "base"));
    assertThat(read.ignored()).containsExactly("bass_frame");
  }
}
