package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.junit.jupiter.api.Test;

/** What was answered stays so, and is in the report, whatever fails afterwards. */
@Quick
class GivenUpRunTest extends NetworkTest {

  private final List<Reading> readings = Drive.readings(11, 8);

  /** Reading 3 was answered; given up in the replay, its robot is told that it is lost. */
  @Test
  void aRunThatIsGivenUpInItsReplaySaysNothingElseOfWhatWasAnswered() {
    Network network = networkAfter(3, readings, settings(2));
    network.send(
        new Payload.Arrival.OfReading(
            new Run("r1", RUN, 0), 4, new Reading(0, null, readings.get(0).scan()), 0, null, null));
    network.send(end("r1", 4));
    network.deliverAll();

    assertThat(of("r1").report().processed()).isEqualTo(3);
  }

  /** Without a store the receipts go when the run has ended, before its result is sent. */
  @Test
  void withoutAStoreADispatcherThatDiesWhileLoopsAreClosedChangesNothing() {
    ServiceSettings settings = settings(2);
    Network network = network(1, settings, null);
    drive(network, readings, 1, 8);
    network.closings.hold(true);
    network.send(end("r1", 8));
    network.pass(5);
    network.restartDispatcher();
    network.send(end("r1", 8));
    network.pass(5);
    network.closings.hold(false);
    awaitReport(network, "r1");

    assertUndisturbed(settings, readings);
  }
}
