package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A whole service dies, and another, of another number of tasks or another mode, goes on from its
 * checkpoint and with what the broker keeps: the robot is told what it would have been told had
 * nothing happened.
 */
class OtherLayoutTest extends NetworkTest {

  private static final int READINGS = 24;

  @ParameterizedTest
  @CsvSource({
    "4, dataflow, 1, dataflow",
    "1, dataflow, 4, dataflow",
    "2, dataflow, 3, bsp",
    "3, bsp, 2, dataflow",
    "4, bsp, 2, bsp",
    "2, bsp, 2, dataflow"
  })
  void goesOnToTheSameAnswer(int before, String modeBefore, int after, String modeAfter) {
    List<Reading> readings = Drive.readings(11, READINGS);
    MemoryStore store = new MemoryStore();
    ServiceSettings first = checkpointed(settings(before, "mode", modeBefore), 2);
    Network died = network(1, first, store);
    for (int sequence = 1; sequence <= READINGS / 2; sequence++) {
      drive(died, readings, sequence, sequence);
      died.pass(1);
    }
    List<Payload.Arrival> kept = died.unacknowledgedMessages();
    assertThat(kept).as("kept by the broker").hasSizeLessThan(READINGS / 2);

    ServiceSettings second = checkpointed(settings(after, "mode", modeAfter), 2);
    Network goesOn = network(2, second, store);
    kept.forEach(goesOn::say);
    driveToTheEnd(goesOn, readings, READINGS / 2 + 1);

    assertUndisturbed(second, readings);
    assertThat(of("r1").report().recovery().times()).isPositive();
    assertThat(goesOn.unacknowledged()).isZero();
  }
}
