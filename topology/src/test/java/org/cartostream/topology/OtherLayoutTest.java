package org.cartostream.topology;

import org.cartostream.testing.Quick;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service of another number of tasks, or another mode, goes on where one has died. */
@Quick
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
    assertGoesOn(
        checkpointed(settings(before, "mode", modeBefore), 2),
        checkpointed(settings(after, "mode", modeAfter), 2),
        Drive.readings(11, READINGS));
  }
}
