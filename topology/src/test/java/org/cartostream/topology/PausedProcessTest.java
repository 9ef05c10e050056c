package org.cartostream.topology;

import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The process is stopped for longer than a reading may take, and goes on; what was on its way is
 * heard after the first tick. Nothing is lost.
 */
@Quick
class PausedProcessTest extends NetworkTest {

  private static final int READINGS = 10;
  private static final int STOPPED = 5;
  private static final int MINUTE = 60;

  private final List<Reading> readings = Drive.readings(11, READINGS);

  private static ServiceSettings settings(String mode) {
    return settings(2, "readingTimeoutSeconds", "20", "mode", mode);
  }

  /** Whatever has come of the reading before. */
  @ParameterizedTest
  @CsvSource({
    "dataflow, 0",
    "dataflow, 2",
    "dataflow, 5",
    "dataflow, 8",
    "dataflow, 11",
    "bsp, 1",
    "bsp, 4",
    "bsp, 7"
  })
  void changesNothing(String mode, int deliveriesBefore) {
    ServiceSettings settings = settings(mode);
    Network network = networkAfter(STOPPED - 1, readings, settings);
    network.send(reading("r1", STOPPED, readings));
    network.deliver(deliveriesBefore);

    assertUndisturbedByAMinute(network, settings);
  }

  /** The publisher knows that the tasks are done, and waits for the verdict. */
  @InEachMode
  void losesNoVerdict(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = networkAfter(STOPPED - 1, readings, settings);
    network.send(reading("r1", STOPPED, readings));
    network.deliverAllFromRobots();
    stepUntil(
        () -> network.onItsWay(Streams.READY).size() == 2,
        () -> {
          network.deliverAllTo(Component.Matchers.class, 0);
          network.deliverAllTo(Component.Matchers.class, 1);
          network.deliverAllTo(Component.Resampler.class, 0);
        });
    network.deliverAllOf(Streams.READY);
    network.deliverAllOf(Streams.SERVED);

    assertUndisturbedByAMinute(network, settings);
  }

  /** A new dispatcher has the run restored. */
  @InEachMode
  void endsNoRestore(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = networkAfter(STOPPED - 1, readings, settings);
    network.restartDispatcher();
    network.send(reading("r1", STOPPED, readings));
    network.deliverAllFromRobots();

    assertUndisturbedByAMinute(network, settings);
  }

  private void assertUndisturbedByAMinute(Network network, ServiceSettings settings) {
    network.clock.pass(MINUTE);
    network.tick();
    network.deliverAll();
    driveToTheEnd(network, readings, STOPPED + 1);

    assertUndisturbed(settings, readings);
  }
}
