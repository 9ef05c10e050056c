package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.settings.Mode;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScanTopologyTest {

  private static final ServiceSettings SETTINGS = settings(Map.of("tasks", "3"));

  private final StormTopology topology = ScanTopology.of(SETTINGS);

  private static ServiceSettings settings(Map<String, String> topology) {
    return new ServiceSettings(
        Settings.defaults(FilterSettings.class),
        BrokerSettings.defaults(),
        Settings.build(TopologySettings.class, topology));
  }

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
    return component(topology, name);
  }

  private static ComponentCommon component(StormTopology topology, String name) {
    if (topology.get_bolts().containsKey(name)) {
      return topology.get_bolts().get(name).get_common();
    }
    return topology.get_spouts().containsKey(name)
        ? topology.get_spouts().get(name).get_common()
        : new ComponentCommon(Map.of(), Map.of());
  }

  private static boolean isWritten(Stream<?, ?, ?> stream, StormTopology by) {
    return component(by, stream.source()).get_streams().containsKey(stream.name());
  }

  private static boolean isRead(Stream<?, ?, ?> stream, StormTopology by) {
    return component(by, stream.target())
        .get_inputs()
        .containsKey(new GlobalStreamId(stream.source(), stream.name()));
  }

  @Test
  void everyStreamIsWrittenAndReadInAMode() throws IllegalAccessException {
    StormTopology bsp = ScanTopology.of(settings(Map.of("mode", "bsp")));
    assertThat(streams())
        .isNotEmpty()
        .allMatch(
            stream ->
                (isWritten(stream, topology) && isRead(stream, topology))
                    || (isWritten(stream, bsp) && isRead(stream, bsp)));
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void whatIsReadIsWritten(Mode mode) throws IllegalAccessException {
    StormTopology of = ScanTopology.of(settings(Map.of("mode", mode.toString())));
    assertThat(streams()).allMatch(stream -> !isRead(stream, of) || isWritten(stream, of));
  }

  @Test
  void refusesTasksInTwoProcessesThatAreToMeetInMemory() {
    ServiceSettings impossible = settings(Map.of("mode", "bsp", "workers", "2"));
    assertThatThrownBy(() -> ScanTopology.of(impossible))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 processes (topology.workers)")
        .hasMessageContaining("tcp or rabbitmq");
  }

  @Test
  void streamsGoTheWayThatTheyDeclare() {
    assertThat(grouping(Streams.KEY_FRAMES).is_set_all()).isTrue();
    assertThat(grouping(Streams.PARTICLES).is_set_direct()).isTrue();
    assertThat(grouping(Streams.ARRIVALS).get_fields()).containsExactly("robot");
  }

  private Grouping grouping(Stream<?, ?, ?> stream) {
    return component(stream.target())
        .get_inputs()
        .get(new GlobalStreamId(stream.source(), stream.name()));
  }

  @Test
  void everyTaskHasAnExecutor() {
    ComponentCommon matchers = component(Component.nameOf(Component.Matchers.class));
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
