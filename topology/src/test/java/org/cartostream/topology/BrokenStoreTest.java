package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Streams;
import org.junit.jupiter.api.Test;

/** Runs whose store of checkpoints is full, gone, hangs, or has lost what was in it. */
@Quick
class BrokenStoreTest extends NetworkTest {

  /** Seconds from one checkpoint to the next, and until it is stored, at most. */
  private static final int CHECKPOINT_SECONDS = 3;

  private final List<Reading> readings = Drive.readings(11, 12);
  private final UnreliableStore store = new UnreliableStore();

  private static ServiceSettings settings(String mode) {
    return checkpointed(settings(2, "mode", mode), 1);
  }

  /** A run of which the first readings are in a checkpoint. */
  private Network stored(ServiceSettings settings, int last) {
    Network network = network(1, settings, store);
    drive(network, readings, 1, last);
    network.pass(CHECKPOINT_SECONDS);
    assertThat(store.latestReading("r1")).isEqualTo(last);
    return network;
  }

  private void isUndisturbedButNotDurable(ServiceSettings settings) {
    assertUndisturbed(settings, readings);
    assertThat(of("r1").report().recovery().notDurable()).startsWith("since reading 0: ");
  }

  @InEachMode
  void aStoreThatIsFullForAWhileHoldsNobodyUp(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = network(1, settings, store);
    store.fullFor("r1");
    for (int sequence = 1; sequence <= 6; sequence++) {
      network.send(reading("r2", sequence, readings));
      drive(network, readings, sequence, sequence);
      network.pass(1);
    }
    network.pass(CHECKPOINT_SECONDS);
    assertThat(store.refused()).isPositive();
    assertThat(store.latestReading("r1")).isZero();
    assertThat(store.latestReading("r2")).isEqualTo(6);
    assertThat(network.unacknowledged()).as("of r1").isEqualTo(6);

    store.fullFor(null);
    drive(network, readings, 7, 8);
    network.pass(CHECKPOINT_SECONDS);
    assertThat(store.latestReading("r1")).isEqualTo(8);
    assertThat(network.unacknowledged()).isZero();
    network.restartMatcher(0);
    driveToTheEnd(network, readings, 9);

    assertUndisturbed(settings, readings);
  }

  /** The robot stands still: the same reading is the last one when it is tried again. */
  @InEachMode
  void aCheckpointThatFailedIsStoredLaterThoughTheRobotSendsNothingMore(String mode) {
    Network network = stored(settings(mode), 2);
    store.commitsFail(true);
    drive(network, readings, 3, 4);
    network.pass(CHECKPOINT_SECONDS);
    assertThat(store.refused()).isPositive();
    assertThat(store.latestReading("r1")).isEqualTo(2);

    store.commitsFail(false);
    network.pass(CHECKPOINT_SECONDS);
    assertThat(store.latestReading("r1")).isEqualTo(4);
  }

  /** Not even whether there is a checkpoint can be asked; what died is repeated from reading 1. */
  @InEachMode
  void aRunBeginsIsRestoredAndEndsThoughTheStoreIsGone(String mode) {
    ServiceSettings settings = settings(mode);
    store.goes();
    Network network = network(1, settings, store);
    drive(network, readings, 1, 6);
    network.pass(CHECKPOINT_SECONDS);
    network.restartMatcher(0);
    driveToTheEnd(network, readings, 7);

    isUndisturbedButNotDurable(settings);
  }

  /** Many checkpoints lie on a slow drive, and it is the last one's turn after a minute. */
  @Test
  void aRunIsWaitedForWhoseCheckpointIsFoundLate() {
    ServiceSettings settings = settings("dataflow");
    Network network = stored(settings, 5);
    network.writings.hold(true);
    network.restartDispatcher();
    send(network, readings, 6, 6);
    network.deliverAll();
    network.pass(60);
    assertThat(of("r1").answered()).isEqualTo(5);
    network.writings.hold(false);
    awaitAnswers(network, 6);
    driveToTheEnd(network, readings, 7);

    assertUndisturbed(settings, readings);
  }

  /** As a network drive that hangs: each task has one part at most that waits for it. */
  @InEachMode
  void aStoreThatHangsHoldsNobodyUpAndFillsNoMemory(String mode) {
    ServiceSettings settings =
        checkpointed(settings(2, "mode", mode, "readingTimeoutSeconds", "10"), 1);
    Network network = network(1, settings, store);
    network.writings.hold(true);
    send(network, readings, 1, 1);
    network.pass(12);
    drive(network, readings, 2, 6);
    network.pass(60);
    driveToTheEnd(network, readings, 7);

    isUndisturbedButNotDurable(settings);
    assertThat(network.writings.waiting()).as("parts that wait").isBetween(1, 6);
  }

  /** It is tried again; what is damaged for good is not. */
  @InEachMode
  void aPartThatCannotBeReadForAWhileIsReadLater(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = stored(settings, 5);
    store.readsFail(9);
    network.restartMatcher(0);
    driveToTheEnd(network, readings, 6);

    assertUndisturbed(settings, readings);
  }

  /** What lies there may be of use to a later dispatcher, or another release. */
  @Test
  void aRunsCheckpointStaysWhereItCannotBeFound() {
    Network network = stored(settings("dataflow"), 5);
    store.searchesFail(1);
    network.restartDispatcher();
    send(network, readings, 6, 6);
    network.pass(1);

    assertThat(store.latestReading("r1")).isEqualTo(5);
  }

  /** Also at the end, when all that is left to do is to store it. */
  @InEachMode
  void aRunEndsThoughItsLastCheckpointCannotBeStored(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = network(1, settings, store);
    store.fullFor("r1");
    driveToTheEnd(network, readings, 1);

    isUndisturbedButNotDurable(settings);
  }

  /** Until it is known, the one before counts, and must be there. */
  @InEachMode
  void aRunIsRestoredBeforeItIsKnownThatALaterCheckpointIsStored(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = stored(settings, 5);
    drive(network, readings, 6, 8);
    stepUntil(() -> store.latestReading("r1") == 8, network::deliverOneOrTick);
    network.deliverAllBut(Streams.STORED);
    network.restartMatcher(0);
    driveToTheEnd(network, readings, 9);

    assertUndisturbed(settings, readings);
    assertThat(of("r1").report().recovery().reading()).isEqualTo(5);
  }

  /** As after somebody has deleted its files. */
  @InEachMode
  void aRobotLearnsThatItsRunCannotBeRestored(String mode) throws IOException {
    Network network = stored(settings(mode), 5);
    for (String run : store.runs()) {
      store.delete(run);
    }
    network.restartPublisher();
    send(network, readings, 6, 7);
    finish(network, "r1", 7);

    assertThat(of("r1").report().failure())
        .contains("cannot be restored: checkpoint of r1-f4240 at reading 5");
    assertThat(network.unacknowledged()).isZero();
  }
}
