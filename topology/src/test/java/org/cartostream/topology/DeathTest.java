package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Streams;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks die at the moments that matter: while a run is restored, and while it is saved. */
@Quick
class DeathTest extends NetworkTest {

  private static final int READINGS = 8;
  private static final int DYING = 5;

  /** At so many moments each dies, so many messages apart. */
  private static final int MOMENTS = 4;

  private static final int APART = 5;

  private final List<Reading> readings = Drive.readings(11, READINGS);

  /** Whose task dies, and is started again at once. */
  private enum Dying {
    DISPATCHER(Network::restartDispatcher),
    PUBLISHER(Network::restartPublisher),
    RESAMPLER(Network::restartResampler),
    MATCHER(network -> network.restartMatcher(1)),
    ALL(
        network -> {
          network.restartMatcher(0);
          network.restartMatcher(1);
          network.restartResampler();
          network.restartPublisher();
          network.restartDispatcher();
        });

    private final Consumer<Network> restart;

    Dying(Consumer<Network> restart) {
      this.restart = restart;
    }
  }

  private static ServiceSettings settings() {
    return checkpointed(settings(2), 1);
  }

  /** A network that has answered the readings before, has a checkpoint, and works on two more. */
  private Network working(long seed, ServiceSettings settings) {
    Network network = network(seed, settings);
    drive(network, readings, 1, DYING - 3);
    network.pass(2);
    drive(network, readings, DYING - 2, DYING - 1);
    send(network, readings, DYING, DYING + 1);
    network.deliver((int) seed);
    return network;
  }

  private void assertGoesOn(Network network, ServiceSettings settings) {
    awaitAnswers(network, DYING + 1);
    driveToTheEnd(network, readings, DYING + 2);
    assertUndisturbed(settings, readings);
    assertThat(network.unacknowledged()).isZero();
    answers.clear();
  }

  /** It dies when the run is being restored, for a matcher died before. */
  @ParameterizedTest
  @EnumSource
  void aSecondDeathWhileTheRunIsRestoredChangesNothing(Dying second) {
    for (int moment = 0; moment < MOMENTS; moment++) {
      ServiceSettings settings = settings();
      Network network = working(moment, settings);
      long epoch = network.run("r1").epoch();
      network.restartMatcher(0);
      stepUntil(
          () -> network.run("r1").epoch() > epoch,
          () -> {
            network.tick();
            network.deliverAllOf(Streams.KEEP_ALIVE);
            network.deliverAllOf(Streams.FAILED);
          });
      assertThat(network.isOnItsWay(Streams.RESTORE)).isTrue();
      network.deliver(APART * moment / 2);
      second.restart.accept(network);
      assertGoesOn(network, settings);
    }
  }

  /** It dies after so many messages, or parts written, since the checkpoint was begun. */
  @ParameterizedTest
  @EnumSource
  void aDeathWhileACheckpointIsWrittenChangesNothing(Dying dying) {
    for (int moment = 0; moment < MOMENTS; moment++) {
      ServiceSettings settings = settings();
      Network network = working(moment, settings);
      int barriers = network.delivered(Streams.BARRIERS);
      stepUntil(
          () -> network.isOnItsWay(Streams.BARRIERS),
          () -> {
            network.tick();
            network.deliverAllOf(Streams.STORED);
          });
      network.deliver(APART * moment);
      dying.restart.accept(network);
      assertGoesOn(network, settings);
      assertThat(network.delivered(Streams.BARRIERS)).isGreaterThan(barriers);
    }
  }

  /** Only what a checkpoint has is acknowledged: the broker has the rest. */
  @InEachMode
  void theDeathOfAllChangesNothing(String mode) {
    for (int moment = 0; moment < MOMENTS; moment++) {
      ServiceSettings settings = checkpointed(settings(2, "mode", mode), 1);
      Network network = working(APART * moment, settings);
      network.loseAll();
      network.pass(5);
      while (network.startOne()) {
        network.deliver(moment);
      }
      assertGoesOn(network, settings);
    }
  }

  /** Nothing is stored: all of it is repeated. */
  @ParameterizedTest
  @CsvSource({"dataflow, 2", "dataflow, 3", "bsp, 2", "bsp, 3"})
  void deathsWithoutAStoreChangeNothing(String mode, int tasks) {
    for (long seed = 1; seed <= 3; seed++) {
      ServiceSettings settings = settings(tasks, "mode", mode);
      Network network = network(seed, settings, null);
      Random random = new Random(seed);
      for (int sequence = 1; sequence <= READINGS; sequence++) {
        send(network, readings, sequence, sequence);
        network.deliver(random.nextInt(20));
        if (sequence % 4 == 0) {
          network.restartMatcher(random.nextInt(tasks));
        }
        awaitAnswers(network, sequence);
      }
      finish(network, "r1", READINGS);
      assertUndisturbed(settings, readings);
      answers.clear();
    }
  }

  /** Each time it asks again for the answer that it has: that is all that it sends. */
  @InEachMode
  void theRunOfARobotThatStandsSurvivesAnyNumberOfDeaths(String mode) {
    ServiceSettings settings = checkpointed(settings(2, "mode", mode), 1);
    Network network = network(1, settings);
    List<Reading> readings = Drive.readings(11, 8);
    drive(network, readings, 1, 5);
    for (int death = 0; death < 10; death++) {
      network.restartPublisher();
      send(network, readings, 5, 5);
      network.pass(20);
    }
    driveToTheEnd(network, readings, 6);

    assertUndisturbed(settings, readings);
    assertThat(of("r1").report().recovery().times()).isEqualTo(10);
  }

  /** As where both are one process: the fencing token is the first again. */
  @InEachMode
  void aServiceGoesOnThoughItsPredecessorDiedWithItsZooKeeperBeforeACheckpoint(String mode) {
    ServiceSettings settings = checkpointed(settings(2, "mode", mode), 1000);
    Network network = network(1, settings);
    drive(network, readings, 1, READINGS - 1);
    network.replaceService();
    driveToTheEnd(network, readings, READINGS);

    assertUndisturbed(settings, readings);
    assertThat(of("r1").report().refused()).isZero();
  }
}
