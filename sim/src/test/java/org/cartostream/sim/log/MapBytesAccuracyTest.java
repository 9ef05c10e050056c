package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.map.MapHistory;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.settings.Settings;
import org.cartostream.sim.robot.Simulation;
import org.cartostream.sim.world.SdfWorld;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;

/** What maps cost on their way to the robot, while it explores the office of 20 x 15 m. */
@Nightly(computes = true)
class MapBytesAccuracyTest {

  /** A map every second of the drive, as by default: the laser turns five times a second. */
  private static final int READINGS_A_MAP = 5;

  private final Codec codec = new Codec(1 << 26);

  private long bytes(MapMessage map) {
    return codec.encode(new Envelope("office", 1, 1, 1, map)).length;
  }

  @Test
  void tilesTakeATenthOfTheBytesOfWholeMaps() {
    List<Reading> office = new ArrayList<>();
    new Simulation(SdfWorld.load("office"), 1, 0)
        .forEachRemaining(sample -> office.add(sample.reading()));
    SerialFilter filter =
        new SerialFilter(Settings.build(FilterSettings.class, Map.of("particles", "10")), "office");
    MapHistory history = new MapHistory();
    OccupancyGrid held = null;
    long heldVersion = 0;
    long whole = 0;
    long tiles = 0;
    int maps = 0;
    for (int i = 1; i <= office.size(); i++) {
      filter.process(i, office.get(i - 1));
      if (i % READINGS_A_MAP == 0 || i == office.size()) {
        OccupancyGrid map = filter.trajectoryTree().currentMap();
        history.update(map, i, 0);
        MapMessage message = history.since(heldVersion);
        held = message.isWhole() ? message.grid() : message.applyTo(held);
        heldVersion = i;
        assertThat(Arrays.equals(held.cells(), map.cells())).isTrue();
        assertThat(held.originX()).isEqualTo(map.originX());
        assertThat(held.originY()).isEqualTo(map.originY());
        whole += bytes(MapMessage.of(map, 0));
        tiles += bytes(message);
        maps++;
      }
    }
    System.out.printf(
        "%d maps of the office: %d bytes as tiles, %d bytes whole: %.1f %%%n",
        maps, tiles, whole, 100.0 * tiles / whole);
    assertThat(tiles).isLessThanOrEqualTo(whole / 10);
  }
}
