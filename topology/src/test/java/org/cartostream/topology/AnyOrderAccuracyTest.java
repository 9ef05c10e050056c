package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * As {@link AnyOrderTest}, with more orders, a recorded log, and particles that move in every way.
 */
@Nightly(computes = true)
class AnyOrderAccuracyTest extends AnyOrder {

  @ParameterizedTest
  @CsvSource({
    "dataflow,2,1",
    "dataflow,2,2",
    "dataflow,3,3",
    "dataflow,4,5",
    "dataflow,7,6",
    "bsp,1,1",
    "bsp,2,1",
    "bsp,2,2",
    "bsp,3,3",
    "bsp,7,5",
    "bsp,8,6"
  })
  void answersAsTheSerialFilterDoes(String mode, int tasks, long seed) {
    assertAnswersAsTheSerialFilter(mode, tasks, seed);
  }

  @ParameterizedTest
  @CsvSource({"dataflow,2", "dataflow,3", "bsp,5", "bsp,6"})
  void servesTwoRobotsAsEachAlone(String mode, long seed) {
    assertServesTwoRobotsAsEachAlone(mode, seed);
  }

  /** However particles move: by poses for the most part; by tiles alone; or by either. */
  @ParameterizedTest
  @CsvSource({
    "dataflow,1,512",
    "dataflow,2,512",
    "dataflow,4,512",
    "dataflow,4,0",
    "dataflow,3,20",
    "bsp,1,512",
    "bsp,2,512",
    "bsp,4,512",
    "bsp,8,512",
    "bsp,4,0",
    "bsp,3,20"
  })
  void mapsARecordedLogAsTheSerialFilterDoes(String mode, int tasks, String rebuildKeyFrames) {
    List<Reading> readings = Recorded.intel(200);
    ServiceSettings settings = settings(tasks, "mode", mode, "rebuildKeyFrames", rebuildKeyFrames);

    driveInAnyOrder(network(tasks, settings), "r1", readings, new Random(tasks));

    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", readings));
  }

  /** Poses, tiles, and who goes where: all follow from what all tasks know. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "5", "512"})
  void movesTheSameBytesInBothModes(String rebuildKeyFrames) {
    List<Reading> readings = Drive.readings(11, 60);
    Map<String, Long> moved = new HashMap<>();
    for (String mode : List.of("dataflow", "bsp")) {
      ServiceSettings settings = settings(4, "mode", mode, "rebuildKeyFrames", rebuildKeyFrames);
      answers.clear();
      driveInAnyOrder(network(7, settings), "r1", readings, new Random(7));
      moved.put(mode, of("r1").report().bytesMoved());
    }

    assertThat(moved.get("dataflow")).isPositive().isEqualTo(moved.get("bsp"));
  }
}
