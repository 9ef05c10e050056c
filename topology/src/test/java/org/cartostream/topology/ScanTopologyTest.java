package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.StormTopology;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.FilterSettings;
import org.junit.jupiter.api.Test;

class ScanTopologyTest {

  private static final ServiceSettings SETTINGS =
      new ServiceSettings(
          Settings.defaults(FilterSettings.class),
          BrokerSettings.defaults(),
          Settings.build(TopologySettings.class, Map.of("tasks", "3")));

  private final StormTopology topology = ScanTopology.of(SETTINGS);

  private static List<Stream<?, ?, ?>> streams() throws IllegalAccessException {
    List<Stream<?, ?, ?>> streams = new ArrayList<>();
    for (Field field : Streams.class.getDeclaredFields()) {
      if (Modifier.isPublic(field.getModifiers())) {
        streams.add((Stream<?, ?, ?>) field.get(null));
      }
    }
    return streams;
  }

  private ComponentCommon component(String name) {
    return topology.is_set_bolts() && topology.get_bolts().containsKey(name)
        ? topology.get_bolts().get(name).get_common()
        : topology.get_spouts().get(name).get_common();
  }

  @Test
  void everyStreamIsWrittenAndRead() throws IllegalAccessException {
    assertThat(streams())
        .isNotEmpty()
        .allSatisfy(
            stream -> {
              assertThat(component(stream.source()).get_streams()).containsKey(stream.name());
              assertThat(component(stream.target()).get_inputs())
                  .containsKey(new GlobalStreamId(stream.source(), stream.name()));
            });
  }

  @Test
  void streamsGoTheWayThatTheyDeclare() {
    assertThat(grouping(Streams.KEY_FRAMES).is_set_all()).isTrue();
    assertThat(grouping(Streams.DELIVERIES).is_set_direct()).isTrue();
    assertThat(grouping(Streams.ARRIVALS).get_fields()).containsExactly("robot");
  }

  private Grouping grouping(Stream<?, ?, ?> stream) {
    return component(stream.target())
        .get_inputs()
        .get(new GlobalStreamId(stream.source(), stream.name()));
  }

  @Test
  void everyTaskHasAnExecutor() {
    ComponentCommon matchers = component(Party.component(Party.Matchers.class));
    assertThat(matchers.get_parallelism_hint()).isEqualTo(3);
    assertThat(matchers.get_json_conf()).contains("\"topology.tasks\":3");
  }

  @Test
  void nothingIsAckedAndNothingUnknownCrossesTheWire() {
    assertThat(ScanTopology.configuration(SETTINGS))
        .containsEntry(Config.TOPOLOGY_ACKER_EXECUTORS, 0)
        .containsEntry(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, false);
  }
}
