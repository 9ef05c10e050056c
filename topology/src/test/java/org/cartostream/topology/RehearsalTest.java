package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RehearsalTest {

  private static final int PARTICLES = 12;
  private static final ServiceSettings SETTINGS =
      new ServiceSettings(
          Filters.restless(PARTICLES),
          BrokerSettings.defaults(),
          Settings.defaults(TopologySettings.class));

  /** A clock that says how often it was asked: every time is 1, and everybody's is counted. */
  private long ticks;

  private List<Rehearsal.Turn> rehearse(Rehearsal rehearsal, List<Reading> readings) {
    return IntStream.range(0, readings.size())
        .mapToObj(i -> rehearsal.process(i + 1L, readings.get(i)))
        .flatMap(Optional::stream)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void timesEveryTaskAndLosesNoParticle(int tasks) {
    Rehearsal rehearsal = new Rehearsal(SETTINGS, "r1", tasks, () -> ticks++);
    List<Rehearsal.Turn> turns = rehearse(rehearsal, Drive.readings(7, 25));

    assertThat(turns).hasSize(25).anyMatch(Rehearsal.Turn::resampled);
    for (Rehearsal.Turn turn : turns) {
      long each = turn.keyFrame() ? 1 : 0;
      assertThat(turn.intakeNanos()).isEqualTo(1);
      assertThat(turn.decideNanos()).isEqualTo(each);
      assertThat(turn.matchNanos()).hasSize(tasks).containsOnly(each);
      assertThat(turn.registerNanos()).hasSize(tasks).containsOnly(each);
      assertThat(turn.transfers()).allMatch(move -> move.from() != move.to() && move.bytes() > 0);
    }
    assertThat(turns.stream().mapToInt(turn -> turn.transfers().size()).sum() > 0)
        .isEqualTo(tasks > 1);
    assertThat(rehearsal.particles().stream().flatMap(List::stream).sorted())
        .containsExactlyElementsOf(IntStream.range(0, PARTICLES).boxed().toList());
  }

  /** Else the least of several rehearsals would be the least of different things. */
  @Test
  void everyRehearsalOfTheSameReadingsMovesTheSame() {
    List<Reading> readings = Drive.readings(7, 25);
    List<List<Rehearsal.Turn>> twice =
        Arrays.asList(
            rehearse(new Rehearsal(SETTINGS, "r1", 3, System::nanoTime), readings),
            rehearse(new Rehearsal(SETTINGS, "r1", 3, System::nanoTime), readings));
    assertThat(twice.get(0).stream().map(Rehearsal.Turn::transfers))
        .containsExactlyElementsOf(twice.get(1).stream().map(Rehearsal.Turn::transfers).toList());
  }
}
