package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the dispatcher lets in and holds, with a store of checkpoints and with none. */
@Quick
class AdmissionTest extends NetworkTest {

  private static final int READINGS = 12;
  private static final int HELD = 3;

  /** What a held reading takes besides its ranges. */
  private static final int READING_BYTES = 500;

  /** Seconds from one checkpoint to the next, and until it is stored, at most. */
  private static final int CHECKPOINT_SECONDS = 3;

  private final List<Reading> readings = Drive.readings(11, READINGS);

  /** With memory for so many readings that are in no checkpoint. */
  private ServiceSettings held(ServiceSettings settings, int count) {
    Map<String, String> checkpoint = new HashMap<>(Settings.values(settings.checkpoint()));
    double bytes = count * (Float.BYTES * readings.get(0).scan().beams() + READING_BYTES + 0.5);
    checkpoint.put("heldMegabytes", Double.toString(bytes / (1 << 20)));
    return checkpointed(settings, Settings.build(CheckpointSettings.class, checkpoint));
  }

  // --- without a store ---------------------------------------------------------------------------

  @InEachMode
  void withoutAStoreARunIsRepeatedFromItsFirstReading(String mode) {
    ServiceSettings settings = checkpointed(settings(2, "mode", mode), 1);
    Network network = network(1, settings, null);
    drive(network, readings, 1, 8);
    network.pass(CHECKPOINT_SECONDS);
    assertThat(network.unacknowledged()).isEqualTo(8);
    network.restartMatcher(0);
    driveToTheEnd(network, readings, 9);

    assertUndisturbed(settings, readings);
    assertThat(of("r1").report().recovery().times()).isOne();
    assertThat(network.delivered(Streams.BARRIERS)).isZero();
  }

  @Test
  void withoutAStoreARunGoesOnWithMoreReadingsThanAreHeld() {
    ServiceSettings settings = held(settings(2), HELD);
    Network network = network(1, settings, null);
    drive(network, readings, 1, 8);
    assertThat(network.unacknowledged()).isEqualTo(HELD);
    driveToTheEnd(network, readings, 9);

    assertUndisturbed(settings, readings);
    assertThat(network.unacknowledged()).isZero();
  }

  /** What was answered stays so. */
  @Test
  void withoutAStoreARunEndsAtADeathWhenMoreReadingsHaveComeThanAreHeld() {
    Network network = network(1, held(settings(2), HELD), null);
    drive(network, readings, 1, 8);
    network.restartMatcher(1);
    send(network, readings, 9, 10);
    finish(network, "r1", 10);

    assertThat(of("r1").report().failure())
        .contains("the state of the run in a task of Matchers is lost")
        .contains("not durable since reading 0");
    assertThat(of("r1").report().processed()).isEqualTo(8);
    assertThat(of("r1").outcome(9)).startsWith("Lost").contains("not durable since reading 0");
    assertThat(of("r1").result().path()).hasSize(8);
    assertThat(network.unacknowledged()).isZero();
  }

  /** A checkpoint has them. */
  @Test
  void withAStoreAnyNumberOfReadingsMayCome() {
    ServiceSettings settings = held(checkpointed(settings(2), 1), HELD);
    Network network = network(1, settings);
    for (int sequence = 1; sequence <= READINGS; sequence += HELD) {
      drive(network, readings, sequence, sequence + HELD - 1);
      network.pass(CHECKPOINT_SECONDS);
    }
    network.restartMatcher(1);
    finish(network, "r1", READINGS);

    assertUndisturbed(settings, readings);
  }

  // --- checkpoints of another service ------------------------------------------------------------

  @Test
  void aCheckpointOfOtherFilterSettingsIsRefusedByANewDispatcher() {
    UnreliableStore store = new UnreliableStore();
    ServiceSettings before = checkpointed(settings(2), 1);
    Network first = network(1, before, store);
    drive(first, readings, 1, 5);
    first.pass(CHECKPOINT_SECONDS);
    assertThat(store.latestReading("r1")).isEqualTo(5);

    Map<String, String> filter = new HashMap<>(Settings.values(before.filter()));
    filter.put("particles", "13");
    ServiceSettings now =
        new ServiceSettings(
            Settings.build(FilterSettings.class, filter), before.broker(), before.topology());
    Network second = network(2, now, store);
    send(second, readings, 6, 6);
    finish(second, "r1", 6);

    String sentence = "particles was 12 and is 13 now";
    assertThat(of("r1").outcome(6)).startsWith("Lost").contains(sentence);
    assertThat(of("r1").report().failure())
        .contains("the run cannot go on from the checkpoint of r1-f4240 at reading 5")
        .contains(sentence);
    assertThat(second.unacknowledged()).isZero();
  }

  /** As after an upgrade: the tasks are others, the settings the same. */
  @InEachMode
  void aRunGoesOnFromItsCheckpointInAnotherService(String mode) {
    UnreliableStore store = new UnreliableStore();
    ServiceSettings settings = checkpointed(settings(2, "mode", mode), 1);
    Network first = network(1, settings, store);
    drive(first, readings, 1, 5);
    first.pass(CHECKPOINT_SECONDS);
    first.close();
    Network second = network(2, settings, store);
    driveToTheEnd(second, readings, 6);

    assertUndisturbed(settings, readings);
    assertThat(of("r1").report().recovery().times()).isOne();
    assertThat(of("r1").report().recovery().reading()).isEqualTo(5);
    assertThat(of("r1").report().recovery().notDurable()).isEmpty();
  }

  /**
   * A service that has gone on from another's checkpoint counts epochs from behind it. A dispatcher
   * that takes a dead one's place there does not know so, and all other tasks do.
   */
  @InEachMode
  void aRunGoesOnWhereADispatcherIsBehindTheEpochsOfItsPredecessor(String mode) {
    UnreliableStore store = new UnreliableStore();
    ServiceSettings settings = checkpointed(settings(2, "mode", mode), 1);
    Network first = network(1, settings, store);
    for (int term = 0; term < 3; term++) {
      first.restartDispatcher();
    }
    drive(first, readings, 1, 5);
    first.pass(CHECKPOINT_SECONDS);
    first.close();
    Network second = network(2, settings, store);
    driveToTheEnd(second, readings, 6);
    for (int sequence = 1; sequence <= 3; sequence++) {
      second.send(reading("r2", sequence, readings));
      second.deliverAll();
    }
    assertThat(of("r2").answered()).isEqualTo(3);
    assertThat(store.latestReading("r2")).isZero();
    long epoch = second.run("r2").epoch();
    second.restartDispatcher();
    for (int sequence = 4; sequence <= READINGS; sequence++) {
      second.send(reading("r2", sequence, readings));
    }
    finish(second, "r2", READINGS);

    assertUndisturbed(settings, "r2", readings);
    assertThat(second.run("r2").epoch()).isGreaterThan(epoch);
  }

  // --- receipts ----------------------------------------------------------------------------------

  @InEachMode
  void readingsAreAcknowledgedWhenTheyAreInACheckpointAndAllAreAtTheEnd(String mode) {
    UnreliableStore store = new UnreliableStore();
    Network network = network(1, checkpointed(settings(3, "mode", mode), 1), store);
    for (int said = 1; said <= READINGS; said++) {
      send(network, readings, said, said);
      network.tick();
      for (int delivery = 0; delivery < 60; delivery++) {
        network.deliverOne();
        assertThat((long) said - network.unacknowledged())
            .isLessThanOrEqualTo(store.latestReading("r1"));
      }
    }
    assertThat(store.latestReading("r1")).isPositive();
    finish(network, "r1", READINGS);

    assertThat(store.latestReading("r1")).isEqualTo(READINGS);
    assertThat(network.unacknowledged()).isZero();
  }

  // --- what a robot sends too much ---------------------------------------------------------------

  /** It was answered, and does not come again; nobody waits for it when all else is repeated. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadingThatWasTurnedAwayIsNotWaitedForAfterADeath(boolean stores) {
    ServiceSettings settings = checkpointed(settings(2, "waitingReadings", "4"), 1);
    Network network = network(1, settings, stores ? new MemoryStore() : null);
    drive(network, readings, 1, 2);
    network.pass(CHECKPOINT_SECONDS);
    send(network, readings, 4, 8);
    send(network, readings, 3, 3);
    awaitAnswers(network, 8);
    assertThat(of("r1").outcome(8)).startsWith("Refused");
    network.restartMatcher(0);
    driveToTheEnd(network, readings, 9);

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(READINGS - 1);
    assertThat(of("r1").report().refused()).isOne();
  }

  /** The broker delivers {@code topology.prefetchMessages} without receipt, of all robots. */
  @InEachMode
  void readingsBehindAGapThatIsNeverFilledLeaveRoomForOthers(String mode) {
    ServiceSettings settings = checkpointed(settings(2, "mode", mode, "prefetchMessages", "4"), 1);
    Network network = network(1, settings, new UnreliableStore());
    network.send(reading("r2", 1, readings));
    for (int sequence = 3; sequence <= 8; sequence++) {
      network.send(reading("r2", sequence, readings));
    }
    network.pass(CHECKPOINT_SECONDS);
    driveToTheEnd(network, readings, 1);

    assertUndisturbed(settings, readings);
    assertThat(network.unacknowledged()).isLessThan(3);
  }

  /**
   * The store is slower than the dispatcher's patience. A checkpoint that is begun anew at each
   * reading would hold them all.
   */
  @InEachMode
  void readingsWhoseCheckpointFailedLeaveRoomForOthers(String mode) {
    ServiceSettings settings =
        checkpointed(
            settings(2, "mode", mode, "prefetchMessages", "4", "readingTimeoutSeconds", "10"), 60);
    Network network = network(1, settings, new UnreliableStore());
    network.writings.hold(true);
    drive(network, readings, 1, 4);
    network.pass(12);
    assertThat(network.unacknowledged()).as("while its checkpoint may succeed").isEqualTo(4);
    drive(network, readings, 5, 5);
    assertThat(network.unacknowledged()).as("after it has failed").isZero();

    network.writings.hold(false);
    driveToTheEnd(network, readings, 6);
    assertUndisturbed(settings, readings);
  }

  // --- tasks that do not come back ---------------------------------------------------------------

  @InEachMode
  void aTaskThatDoesNotComeBackFailsTheRunWithItsName(String mode) {
    int timeoutSeconds = 5;
    ServiceSettings settings =
        settings(2, "mode", mode, "readingTimeoutSeconds", Integer.toString(timeoutSeconds));
    Network network = network(1, checkpointed(settings, 1));
    drive(network, readings, 1, 4);
    network.pass(CHECKPOINT_SECONDS);
    network.lose(Component.Matchers.class, 1);
    send(network, readings, 5, 5);
    network.send(end("r1", 5));
    network.pass(10 * timeoutSeconds);
    assertThat(of("r1").report()).isNull();
    network.pass(2 * timeoutSeconds);

    assertThat(of("r1").report().failure())
        .isEqualTo("of its tasks [matchers-1] did not come back within 50 s");
    assertThat(of("r1").outcome(5)).startsWith("Lost").contains("matchers-1");
    assertThat(of("r1").report().processed()).isEqualTo(4);
    assertThat(of("r1").result().path()).hasSize(4);
    assertThat(network.unacknowledged()).isZero();
  }

  @Test
  void aTaskThatComesBackLateIsWaitedFor() {
    ServiceSettings settings = settings(2, "readingTimeoutSeconds", "5");
    Network network = network(1, checkpointed(settings, 1));
    drive(network, readings, 1, 4);
    network.lose(Component.Matchers.class, 1);
    send(network, readings, 5, 5);
    network.pass(40);
    network.startOne();
    driveToTheEnd(network, readings, 6);

    assertUndisturbed(settings, readings);
  }
}
