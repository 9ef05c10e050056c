package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dispatcher dies in the middle of a mending; its successor mends the run. */
class MendingByAnotherTest extends NetworkTest {

  private static final int READINGS = 14;
  private static final int DYING = 7;
  private static final int TASKS = 3;

  private final List<Reading> readings = Drive.readings(11, READINGS);

  private static ServiceSettings settings(String mode) {
    return settings(TASKS, "mode", mode);
  }

  /**
   * The matchers have ended two key frames without the one that died.
   *
   * @param heard by how many it was heard that they are to
   */
  @ParameterizedTest
  @CsvSource({
    "dataflow, all, nobody",
    "dataflow, all, a matcher",
    "dataflow, one, nobody",
    "dataflow, one, a matcher",
    "bsp, all, nobody",
    "bsp, all, a matcher",
    "bsp, one, nobody",
    "bsp, one, a matcher"
  })
  void mendsWhatWasSettled(String mode, String heard, String others) {
    ServiceSettings settings = settings(mode);
    Network network = loseAMatcher(settings);
    goOnUntilTheyAreToSettle(network);
    if (heard.equals("one")) {
      network.lose(Streams.ROLL_CALLS, 2);
    }
    network.deliverAllOf(Streams.ROLL_CALLS);
    restartDispatcherAnd(others, network, settings);
    endWith(network, DYING + 1);

    assertWentOn(settings, readings);
  }

  /** The matchers were done; only a word that said so was lost. They take no further key frame. */
  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void mendsWhatWasSettledThoughAllWereDone(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = networkAfter(DYING - 1, readings, settings);
    network.say(reading("r1", DYING, readings));
    while (!network.lose(Streams.READY)) {
      assertThat(network.deliverOne()).isTrue();
    }
    goOnUntilTheyAreToSettle(network);
    network.deliverAllOf(Streams.ROLL_CALLS);
    network.restartDispatcher(settings);
    endWith(network, DYING);

    assertWentOn(settings, readings);
  }

  /**
   * The particles of a first mending are on their way when the second begins.
   *
   * @param reborn how many tasks have theirs
   */
  @ParameterizedTest
  @CsvSource({
    "dataflow, none, nobody",
    "dataflow, none, a matcher",
    "dataflow, one, nobody",
    "dataflow, one, a matcher",
    "bsp, none, nobody",
    "bsp, none, a matcher",
    "bsp, one, nobody",
    "bsp, one, a matcher"
  })
  void mendsWhileParticlesAreOnTheirWay(String mode, String reborn, String others) {
    ServiceSettings settings = settings(mode);
    Network network = loseAMatcher(settings);
    goOnUntilRebirthsAreOnTheirWay(network);
    network.deliverAllTo(Component.Publisher.class, 0);
    network.deliverAllOf(Streams.REBIRTHS);
    assertThat(network.isOnItsWay(Streams.SURVIVORS)).isTrue();
    if (reborn.equals("one")) {
      network.deliverAllTo(Component.Matchers.class, 0);
    }
    assertThat(network.isOnItsWay(Streams.REBORN)).isEqualTo(reborn.equals("one"));
    restartDispatcherAnd(others, network, settings);
    network.say(reading("r1", DYING, readings));
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.RECALLS);
    endWith(network, DYING + 1);

    assertWentOn(settings, readings);
  }

  /** What the dispatcher said of a first mending has reached the matchers and nobody else. */
  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void saysAgainWhatOnlyTheMatchersHeardOfAMending(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = loseAMatcher(settings);
    goOnUntilRebirthsAreOnTheirWay(network);
    network.deliverAllOf(Streams.REBIRTHS);
    network.restartDispatcher(settings);
    network.say(reading("r1", DYING, readings));
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.RECALLS);
    endWith(network, DYING + 1);

    assertWentOn(settings, readings);
  }

  private static void restartDispatcherAnd(
      String others, Network network, ServiceSettings settings) {
    network.restartDispatcher(settings);
    if (others.equals("a matcher")) {
      network.loseMatcher(2);
      network.restartMatcher(2, settings);
    }
  }

  /** All the others match a first key frame, and have the second. */
  private Network loseAMatcher(ServiceSettings settings) {
    Network network = networkAfter(DYING - 1, readings, settings);
    say(network, readings, DYING, DYING + 1);
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.ADMITTED);
    network.restartMatcher(1, settings);
    network.deliverAllOf(Streams.KEY_FRAMES);
    return network;
  }

  private static void goOnUntilRebirthsAreOnTheirWay(Network network) {
    goOnUntil(
        () -> network.isOnItsWay(Streams.REBIRTHS),
        () -> {
          network.tick();
          while (!network.isOnItsWay(Streams.REBIRTHS) && network.deliverOne()) {
            // Until they are told to, or nobody has anything to say.
          }
        });
  }

  private static void goOnUntilTheyAreToSettle(Network network) {
    goOnUntil(
        () -> network.onItsWay(Streams.ROLL_CALLS).stream().anyMatch(c -> c.open().length > 0),
        () -> {
          network.tick();
          while (network.onItsWay(Streams.ROLL_CALLS).stream().allMatch(c -> c.open().length == 0)
              && network.deliverOne()) {
            // Until they are told to, or nobody has anything to say.
          }
        });
  }

  /** The robot sends again what was not answered, and then the rest. */
  private void endWith(Network network, int last) {
    say(network, readings, DYING, last);
    awaitAnswers(network, last);
    driveToTheEnd(network, readings, last + 1);
  }
}
