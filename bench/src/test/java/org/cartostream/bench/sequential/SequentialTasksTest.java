package org.cartostream.bench.sequential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Filters;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class SequentialTasksTest {

  private static final int PARTICLES = 12;
  private static final ServiceSettings SETTINGS =
      new ServiceSettings(
          Filters.restless(PARTICLES),
          BrokerSettings.defaults(),
          Settings.defaults(TopologySettings.class));

  /** A clock that says how often it was asked: every time is 1, and everybody's is counted. */
  private long ticks;

  private List<SequentialTasks.ReadingTimes> rehearse(
      SequentialTasks sequentialTasks, List<Reading> readings) {
    return IntStream.range(0, readings.size())
        .mapToObj(i -> sequentialTasks.process(i + 1L, readings.get(i)))
        .flatMap(Optional::stream)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void timesEveryTaskAndLosesNoParticle(int tasks) {
    SequentialTasks sequentialTasks = new SequentialTasks(SETTINGS, "r1", tasks, () -> ticks++);
    List<SequentialTasks.ReadingTimes> readingTimeses =
        rehearse(sequentialTasks, Drive.readings(7, 25));

    assertThat(readingTimeses).hasSize(25).anyMatch(SequentialTasks.ReadingTimes::resampled);
    for (SequentialTasks.ReadingTimes readingTimes : readingTimeses) {
      long each = readingTimes.keyFrame() ? 1 : 0;
      assertThat(readingTimes.intakeNanos()).isEqualTo(1);
      assertThat(readingTimes.decideNanos()).isEqualTo(each);
      assertThat(readingTimes.matchNanos()).hasSize(tasks).containsOnly(each);
      assertThat(readingTimes.mapUpdateNanos()).hasSize(tasks).containsOnly(each);
      assertThat(readingTimes.transfers())
          .allMatch(move -> move.from() != move.to() && move.bytes() > 0);
    }
    assertThat(
            readingTimeses.stream().mapToInt(readingTimes -> readingTimes.transfers().size()).sum()
                > 0)
        .isEqualTo(tasks > 1);
    assertThat(sequentialTasks.particles().stream().flatMap(List::stream).sorted())
        .containsExactlyElementsOf(IntStream.range(0, PARTICLES).boxed().toList());
  }

  /** Else the least of several rehearsals would be the least of different things. */
  @Test
  void everyRehearsalOfTheSameReadingsMovesTheSame() {
    List<Reading> readings = Drive.readings(7, 25);
    List<List<SequentialTasks.ReadingTimes>> twice =
        Arrays.asList(
            rehearse(new SequentialTasks(SETTINGS, "r1", 3, System::nanoTime), readings),
            rehearse(new SequentialTasks(SETTINGS, "r1", 3, System::nanoTime), readings));
    assertThat(twice.get(0).stream().map(SequentialTasks.ReadingTimes::transfers))
        .containsExactlyElementsOf(
            twice.get(1).stream().map(SequentialTasks.ReadingTimes::transfers).toList());
  }
}
