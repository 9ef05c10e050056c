package org.cartostream.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Percentage;
import org.cartostream.bench.model.MachineModel;
import org.cartostream.bench.model.MessageCost;
import org.cartostream.bench.played.FilterRecorder;
import org.cartostream.bench.played.FilterRecording;
import org.cartostream.bench.scale.PlayedModel.MessagesAlone;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Filters;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Test;

@Quick
class PlayedModelTest {

  private static final int READINGS = 30;
  private static final long PIECE_NANOS = 10_000_000;
  private static final MachineModel FREE =
      new MachineModel(2, 1, 0, MessageCost.NONE, MessageCost.NONE, true);

  private final List<Reading> readings = Drive.readings(7, READINGS);
  private final ServiceSettings settings =
      new ServiceSettings(
          Filters.restless(12),
          BrokerSettings.defaults(),
          Settings.defaults(TopologySettings.class));
  private final FilterRecording recording = recorded();
  private final PlayedModel model = new PlayedModel(settings, recording, "r1", readings, 0, 0);

  /** Each piece of work takes 10 ms: much more than what is really computed meanwhile. */
  private FilterRecording recorded() {
    AtomicLong clock = new AtomicLong();
    return FilterRecorder.mapping(
        settings, "r1", readings, () -> clock.getAndAdd(PIECE_NANOS), 1, () -> false);
  }

  @Test
  void oneTaskTakesWhatWasRecorded() {
    assertThat(model.millis(1, 3, FREE))
        .isCloseTo(3 * recording.millis() / READINGS, Percentage.withPercentage(5));
  }

  /** Played tasks need no core: four of them are faster than two cores would make them. */
  @Test
  void fourTasksWaitAtTheSameTimeOnTwoCores() {
    double together = model.millis(4, 1, FREE);
    MachineModel computing = new MachineModel(2, 1, 0, MessageCost.NONE, MessageCost.NONE);
    assertThat(model.millis(1, 1, FREE) / together).isBetween(2.2, 4.0);
    assertThat(model.millis(4, 1, computing)).isGreaterThan(1.4 * together);
    PlayedModel.Costs free = new PlayedModel.Costs(4, MessageCost.NONE, 0, 1);
    assertThat(model.millis(4, 1, free.withCores())).isCloseTo(together, within(0.05 * together));
  }

  /** Its costs are those by which a run of messages alone takes the time that it took. */
  @Test
  void messagesTakeAsLongAsWhenTheyWereAlone() {
    MessagesAlone one = new MessagesAlone(40, 30);
    MessagesAlone four = new MessagesAlone(60, 48);
    PlayedModel.Costs costs = model.costs(4, one, four, 0.9);
    assertThat(costs.hop().overheadNanos()).isCloseTo(18e6 / (6 * 3), within(1.0));
    assertThat(model.millis(4, 0, costs.here())).isCloseTo(60, within(0.1));
    assertThat(model.millis(4, 1, costs.here()))
        .isGreaterThan(model.millis(4, 1, costs.withCores()))
        .isGreaterThan(model.millis(4, 1, FREE));
  }
}
