package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * With as many particles as their spread needs, of which tasks may have none for a while: whatever
 * dies and is lost, the answer is the serial filter's.
 */
@Quick
class AdaptiveNumberTest extends RecoverySchedules {

  private static final int PARTICLES = 12;
  private static final int READINGS = 24;
  private static final int SCHEDULES = 3;

  @Override
  ServiceSettings service(int tasks, String... topology) {
    ServiceSettings fixed = settings(tasks, topology);
    return new ServiceSettings(Filters.adaptive(PARTICLES), fixed.broker(), fixed.topology());
  }

  /** Else the other tests would show nothing. */
  @Test
  void theNumberChangesInTheseDrives() {
    SerialFilter filter = new SerialFilter(Filters.adaptive(PARTICLES), "r1");
    List<Integer> numbers = new ArrayList<>();
    List<Reading> readings = Drive.readings(11, READINGS);
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      filter.process(sequence, readings.get(sequence - 1));
      numbers.add(filter.partition().size());
    }

    assertThat(Set.copyOf(numbers)).hasSizeGreaterThan(3).contains(2);
    assertThat(numbers.subList(numbers.indexOf(2), numbers.size()))
        .as("it grows again")
        .anyMatch(each -> each > 2);
  }

  @ParameterizedTest
  @CsvSource({"dataflow, 2", "dataflow, 3", "bsp, 2", "bsp, 3"})
  void whateverDiesAndIsLostTheAnswerIsTheUndisturbedOne(String mode, int tasks) {
    assertUndisturbed(mode, tasks, 7000 * tasks, SCHEDULES);
  }

  @Nightly
  @ParameterizedTest
  @CsvSource({"dataflow, 2", "dataflow, 3", "bsp, 2", "bsp, 3"})
  void whateverElseDiesAndIsLostTheAnswerIsTheUndisturbedOne(String mode, int tasks) {
    assertUndisturbed(mode, tasks, 7000 * tasks + SCHEDULES, 10);
  }

  @ParameterizedTest
  @CsvSource({"4, dataflow, 1, dataflow", "1, dataflow, 4, bsp", "3, bsp, 2, dataflow"})
  void otherTasksGoOnToTheSameAnswer(int before, String modeBefore, int after, String modeAfter) {
    assertGoesOn(
        checkpointed(service(before, "mode", modeBefore), 2),
        checkpointed(service(after, "mode", modeAfter), 2),
        Drive.readings(11, READINGS));
  }
}
