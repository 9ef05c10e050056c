package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * While other threads encode a robot's states and draw its map, other robots are answered, it waits
 * itself, and nothing of it is lost.
 */
@Quick
class OffloadTest extends NetworkTest {

  private static final int TASKS = 2;
  private static final int BEFORE = 3;

  private final List<Reading> first = Drive.readings(11, 8);
  private final List<Reading> second = Drive.readings(12, 6);

  private static ServiceSettings settings(String mode) {
    return checkpointed(settings(TASKS, "mode", mode), 1);
  }

  /** r1 has its answers so far; the matchers' states are being encoded, and its map drawn. */
  private Network offloaded(ServiceSettings settings) {
    Network network = network(1, settings);
    drive(network, first, 1, BEFORE - 1);
    network.offloads.hold(true);
    drive(network, first, BEFORE, BEFORE);
    passUntil(network, () -> network.offloads.waiting() == TASKS + 1);
    return network;
  }

  @InEachMode
  void anotherRobotIsAnsweredMeanwhile(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = offloaded(settings);
    send(network, first, BEFORE + 1, BEFORE + 2);
    for (int sequence = 1; sequence <= 2; sequence++) {
      network.send(reading("r2", sequence, second));
      network.deliverAll();
      assertThat(of("r2").answered()).isEqualTo(sequence);
    }
    assertThat(of("r1").answered()).isEqualTo(BEFORE);

    network.offloads.hold(false);
    for (int sequence = 3; sequence <= second.size(); sequence++) {
      network.send(reading("r2", sequence, second));
      network.deliverAll();
    }
    network.send(end("r2", second.size()));
    driveToTheEnd(network, first, BEFORE + 3);
    awaitReport(network, "r2");
    assertUndisturbed(settings, "r1", first);
    assertUndisturbed(settings, "r2", second);
    assertThat(of("r1").report().recovery().times()).isZero();
  }

  /** The others' threads go on with states that nobody has any more. */
  @InEachMode
  void aRunThatIsRestoredMeanwhileGoesOn(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = offloaded(settings);
    send(network, first, BEFORE + 1, BEFORE + 2);
    network.restartMatcher(0);
    long epoch = network.run("r1").epoch();
    passUntil(network, () -> network.run("r1").epoch() > epoch);
    network.offloads.hold(false);
    awaitAnswers(network, BEFORE + 2);
    driveToTheEnd(network, first, BEFORE + 3);
    assertUndisturbed(settings, first);
    assertThat(of("r1").report().recovery().times()).isPositive();
  }

  /** A machine without memory for a thread has some again later. */
  @InEachMode
  void aRunForWhichThereIsNoThreadIsRestored(String mode) {
    assertIsRestored(settings(mode), network -> network.offloads.refuse(1, task -> true));
  }

  @InEachMode
  void aRunWhoseWorkThrowsInAnotherThreadIsRestored(String mode) {
    assertIsRestored(settings(mode), network -> network.clock.failEncodings(1));
  }

  private void assertIsRestored(ServiceSettings settings, Consumer<Network> failure) {
    Network network = network(1, settings);
    drive(network, first, 1, BEFORE);
    failure.accept(network);
    driveToTheEnd(network, first, BEFORE + 1);
    assertUndisturbed(settings, first);
    assertThat(of("r1").report().recovery().times()).isOne();
  }
}
