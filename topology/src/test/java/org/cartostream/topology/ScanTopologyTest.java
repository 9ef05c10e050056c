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
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Quick
class ScanTopologyTest {

  private static final ServiceSettings SETTINGS = settings(Map.of("tasks", "3"));

  private final StormTopology topology = ScanTopology.of(SETTINGS);

  private static ServiceSettings settings(Map<String, String> topology) {
    return new ServiceSettings(
        Settings.defaults(FilterSettings.class),
        BrokerSettings.defaults(),
        Settings.build(TopologySettings.class, topology));
  }

  /** All streams of the topology. */
  static List<Stream<?, ?, ?>> streams() throws IllegalAccessException {
    List<Stream<?, ?, ?>> streams = new ArrayList<>();
    for (Field field : Streams.class.getDeclaredFields()) {
      if (Modifier.isPublic(field.getModifiers())) {
        streams.add((Stream<?, ?, ?>) field.get(null));
      }
    }
    return streams;
  }

  private static ComponentCommon component(StormTopology topology, String name) {
    return topology.get_bolts().containsKey(name)
        ? topology.get_bolts().get(name).get_common()
        : new ComponentCommon(Map.of(), Map.of());
  }

  private static boolean isWritten(Stream<?, ?, ?> stream, StormTopology by) {
    return stream.sources().stream()
        .anyMatch(source -> component(by, source).get_streams().containsKey(stream.name()));
  }

  private static boolean isRead(Stream<?, ?, ?> stream, StormTopology by) {
    return stream.targets().stream()
        .anyMatch(
            target ->
                stream.sources().stream().anyMatch(source -> isRead(stream, source, target, by)));
  }

  private static boolean isRead(
      Stream<?, ?, ?> stream, String source, String target, StormTopology by) {
    boolean isBroadcast = target.equals(ScanTopology.MATCHERS) && stream.isBroadcastBy(source);
    return component(by, target)
        .get_inputs()
        .containsKey(
            isBroadcast
                ? new GlobalStreamId(target, Stream.BROADCAST)
                : new GlobalStreamId(source, stream.name()));
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

  /** By each component of those from which it is read. */
  @ParameterizedTest
  @EnumSource(ResamplingMode.class)
  void whatIsReadIsWritten(ResamplingMode mode) {
    StormTopology of = ScanTopology.of(settings(Map.of("mode", mode.toString())));
    assertThat(of.get_spouts()).isEmpty();
    of.get_bolts()
        .forEach(
            (reader, bolt) ->
                assertThat(bolt.get_common().get_inputs().keySet())
                    .as(reader)
                    .isNotEmpty()
                    .allMatch(
                        input ->
                            component(of, input.get_componentId())
                                .get_streams()
                                .containsKey(input.get_streamId())));
  }

  /** Whoever may write a stream and is there is heard by whoever reads it. */
  @ParameterizedTest
  @EnumSource(ResamplingMode.class)
  void whatIsWrittenIsRead(ResamplingMode mode) throws IllegalAccessException {
    StormTopology of = ScanTopology.of(settings(Map.of("mode", mode.toString())));
    for (Stream<?, ?, ?> stream : streams()) {
      for (String source : stream.sources()) {
        if (component(of, source).get_streams().containsKey(stream.name())) {
          assertThat(stream.targets())
              .as("%s from %s", stream, source)
              .anyMatch(target -> isRead(stream, source, target, of));
        }
      }
    }
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
    assertThat(grouping(Streams.PARTICLES).is_set_direct()).isTrue();
    assertThat(grouping(Streams.ARRIVALS).is_set_direct()).isTrue();
    assertThat(grouping(Streams.READY).get_fields()).containsExactly("robot");
  }

  /** All that dispatcher and resampler say to all matchers, in either mode. */
  @ParameterizedTest
  @EnumSource(ResamplingMode.class)
  void matchersReadNothingOfDispatcherAndResamplerByStorm(ResamplingMode mode) {
    StormTopology of = ScanTopology.of(settings(Map.of("mode", mode.toString())));
    assertThat(component(of, ScanTopology.MATCHERS).get_inputs().keySet())
        .contains(new GlobalStreamId(ScanTopology.MATCHERS, Stream.BROADCAST))
        .noneMatch(input -> List.of("Dispatcher", "Resampler").contains(input.get_componentId()));
    assertThat(component(of, "Publisher").get_inputs())
        .containsKey(new GlobalStreamId("Dispatcher", Streams.RESTORE.name()));
  }

  private Grouping grouping(Stream<?, ?, ?> stream) {
    return component(topology, stream.targets().get(0))
        .get_inputs()
        .get(new GlobalStreamId(stream.sources().get(0), stream.name()));
  }

  @Test
  void everyTaskHasAnExecutor() {
    ComponentCommon matchers = component(topology, Component.nameOf(Component.Matchers.class));
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
