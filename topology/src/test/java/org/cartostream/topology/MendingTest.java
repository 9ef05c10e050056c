package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A task dies with its particles, and the run goes on with those of the others. */
class MendingTest extends NetworkTest {

  private static final int READINGS = 14;
  private static final int DYING = 7;
  private static final int TASKS = 3;

  /** A sixth of the 30 that a reading may take, and one more. */
  private static final int ASKED_AFTER_SECONDS = 6;

  private static final ServiceSettings SETTINGS = settings(TASKS);

  private final List<Reading> readings = Drive.readings(11, READINGS);

  /** Whatever the task has done of the reading before it dies. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 7, 9, 12, 15, 19, 24, 28})
  void goesOnWithCopiesOfTheParticlesThatAreLeft(int deliveriesBefore) {
    goesOnWithCopies("dataflow", "512", deliveriesBefore);
  }

  /** With particles that move by tiles, too. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4, 6, 8, 12})
  void goesOnWithCopiesInBsp(int deliveriesBefore) {
    goesOnWithCopies("bsp", "1", deliveriesBefore);
  }

  private void goesOnWithCopies(String mode, String rebuildKeyFrames, int deliveriesBefore) {
    ServiceSettings settings = settings(TASKS, "rebuildKeyFrames", rebuildKeyFrames, "mode", mode);
    Network network = network(deliveriesBefore, settings);
    drive(network, readings, 1, DYING - 1);
    say(network, readings, DYING, DYING + 1);
    network.deliver(deliveriesBefore);
    network.restartMatcher(1, settings);
    awaitAnswers(network, DYING + 1);
    driveToTheEnd(network, readings, DYING + 2);

    assertThat(of("r1").report().rebuilt()).isBetween(1L, (long) settings.filter().particles() - 1);
    assertWentOn(settings, readings);
  }

  /** Seconds for which a task does nothing at all, of 30 that a reading may take. */
  @ParameterizedTest
  @ValueSource(ints = {ASKED_AFTER_SECONDS, 29})
  void changesNothingWhenATaskIsOnlySlow(int seconds) {
    Network network = networkAfter(DYING - 1, readings, SETTINGS);
    network.say(reading("r1", DYING, readings));
    network.deliverAllFromRobots();
    passInSilence(network, seconds);
    network.deliverAll();
    driveToTheEnd(network, readings, DYING + 1);

    assertThat(of("r1").report().rebuilt()).isZero();
    assertUndisturbed(SETTINGS, readings);
  }

  /** Its first question reaches tasks that are done, and their answers are not needed any more. */
  @Test
  void changesNothingWhenTheDispatcherIsSlowAndThenTheTasks() {
    Network network = networkAfter(DYING - 1, readings, SETTINGS);
    network.say(reading("r1", DYING, readings));
    network.deliverAllFromRobots();
    goOnUntil(
        () -> network.onItsWay(Streams.READY).size() == TASKS,
        () -> {
          IntStream.range(0, TASKS).forEach(i -> network.deliverAllTo(Component.Matchers.class, i));
          network.deliverAllTo(Component.Resampler.class, 0);
        });
    passInSilence(network, ASKED_AFTER_SECONDS);
    network.deliverAllOf(Streams.READY);
    network.deliverAll();
    network.say(reading("r1", DYING + 1, readings));
    network.deliverAllFromRobots();
    passInSilence(network, ASKED_AFTER_SECONDS);
    network.deliverAll();
    driveToTheEnd(network, readings, DYING + 2);

    assertThat(of("r1").report().rebuilt()).isZero();
    assertUndisturbed(SETTINGS, readings);
  }

  /** Seconds pass in which nothing is delivered, and the tasks are asked. */
  private static void passInSilence(Network network, int seconds) {
    for (int second = 0; second < seconds; second++) {
      assertThat(network.isOnItsWay(Streams.ROLL_CALLS)).isEqualTo(second >= ASKED_AFTER_SECONDS);
      network.tick();
    }
    assertThat(network.isOnItsWay(Streams.ROLL_CALLS)).isTrue();
  }

  /** It is asked, but has nothing more to do for the reading, and dies before it answers. */
  @Test
  void goesOnWhenATaskDiesThatWasOnlyAsked() {
    Network network = networkAfter(DYING - 1, readings, SETTINGS);
    network.say(reading("r1", DYING, readings));
    network.deliverAllFromRobots();
    passInSilence(network, ASKED_AFTER_SECONDS);
    network.lose(Streams.ROLL_CALLS);
    network.deliverAll();
    network.restartMatcher(1, SETTINGS);
    driveToTheEnd(network, readings, DYING + 1);

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(READINGS);
    assertThat(of("r1").report().rebuilt()).isPositive();
  }

  /** A task that lacks something says so whenever it is asked; no question may follow from that. */
  @Test
  void asksOnceInASecondThoughNobodyTakesThePlaceOfTheOneThatDied() {
    ServiceSettings settings = settings(TASKS, "mode", "bsp");
    Network network = networkAfter(DYING - 1, readings, settings);
    network.loseMatcher(1);
    network.say(reading("r1", DYING, readings));
    int seconds = 10;
    for (int second = 0; second < seconds; second++) {
      network.tick();
      for (int i = 0; i < 1000 && network.deliverOne(); i++) {
        // Without end if each answer makes a question.
      }
    }

    assertThat(network.delivered(Streams.ROLL_CALLS)).isBetween(1, TASKS * seconds);
  }

  /** Words that were said again, because nobody could know that they had arrived. */
  @Test
  void isNotDisturbedByWhatIsSaidAgainAndComesLate() {
    Network network = networkAfter(DYING - 1, readings, SETTINGS);
    network.restartMatcher(1, SETTINGS);
    network.say(reading("r1", DYING, readings));
    Payload.Rebirth rebirth = awaitRebirth(network);
    network.deliverAllOf(Streams.REBIRTHS);
    int sent = network.onItsWay(Streams.SURVIVORS).size();
    network.say(Streams.REBIRTHS, rebirth);
    network.deliverAllOf(Streams.REBIRTHS);
    assertThat(network.onItsWay(Streams.SURVIVORS)).as("maps, sent once").hasSize(sent);
    awaitAnswers(network, DYING);
    drive(network, readings, DYING + 1, DYING + 3);
    network.say(Streams.REBIRTHS, rebirth);
    network.say(Streams.RESAMPLER_REBIRTHS, rebirth);
    driveToTheEnd(network, readings, DYING + 4);

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(READINGS);
  }

  private static Payload.Rebirth awaitRebirth(Network network) {
    while (network.deliverOne()) {
      // The task that is gone lets nothing go on.
    }
    goOnUntil(
        () -> network.isOnItsWay(Streams.RESAMPLER_REBIRTHS),
        () -> {
          network.tick();
          while (!network.isOnItsWay(Streams.RESAMPLER_REBIRTHS) && network.deliverOne()) {
            // Until it is told, or nobody has anything to say.
          }
        });
    return network.onItsWay(Streams.RESAMPLER_REBIRTHS).get(0);
  }

  /** It would decide by where the particles were before. */
  @Test
  void goesOnWhenTheResamplerDoesNotHearOfARebirth() {
    Network network = networkAfter(DYING - 1, readings, SETTINGS);
    network.restartMatcher(1, SETTINGS);
    network.say(reading("r1", DYING, readings));
    goOnUntil(
        () -> of("r1").answered() >= DYING,
        () -> {
          network.tick();
          network.deliverAllBut(Streams.RESAMPLER_REBIRTHS);
        });
    driveToTheEnd(network, readings, DYING + 1);

    assertWentOn(SETTINGS, readings);
  }

  @Test
  void goesOnWhenATaskComesTooLateInBsp() {
    ServiceSettings settings = settings(2, "mode", "bsp");
    Network network = networkAfter(DYING - 1, readings, settings);
    network.say(reading("r1", DYING, readings));
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.KEY_FRAMES);
    network.lose(Streams.GATHERED);
    network.say(
        Streams.GATHERED,
        new Payload.CollectiveResult(
            new Run("r1", RUN, FIRST_ORDER), DYING, new byte[0][], "rank 1 is late"));
    awaitAnswers(network, DYING);
    driveToTheEnd(network, readings, DYING + 1);

    assertWentOn(settings, readings);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void outlivesASecondDeath(String mode) {
    ServiceSettings settings = settings(2, "mode", mode);
    Network network = network(1, settings);
    for (int sequence = 1; sequence <= READINGS; sequence++) {
      if (sequence == 5 || sequence == 9) {
        network.restartMatcher(sequence % 4 / 2, settings);
      }
      network.say(reading("r1", sequence, readings));
      awaitAnswers(network, sequence);
    }
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertWentOn(settings, readings);
  }

  /**
   * Another task dies while particles are on their way, and the third has some.
   *
   * @param survivors whether it has heard that it is to send its own
   * @param reborn whether the third has begun again with them
   */
  @ParameterizedTest
  @CsvSource({
    "dataflow, no, no",
    "dataflow, yes, no",
    "dataflow, yes, yes",
    "bsp, no, no",
    "bsp, yes, no",
    "bsp, yes, yes"
  })
  void outlivesASecondDeathWhileParticlesAreOnTheirWay(
      String mode, String survivors, String reborn) {
    ServiceSettings settings = settings(TASKS, "mode", mode);
    Network network = networkAfter(DYING - 1, readings, settings);
    network.restartMatcher(2, settings);
    say(network, readings, DYING, DYING + 1);
    goOnUntil(
        () -> network.isOnItsWay(Streams.REBIRTHS),
        () -> {
          network.tick();
          while (!network.isOnItsWay(Streams.REBIRTHS) && network.deliverOne()) {
            // Until they are told to, or nobody has anything to say.
          }
        });
    network.deliverAllTo(Component.Publisher.class, 0);
    if (survivors.equals("no")) {
      network.lose(Streams.REBIRTHS, 1);
    }
    network.deliverAllOf(Streams.REBIRTHS);
    if (reborn.equals("yes")) {
      network.deliverAllTo(Component.Matchers.class, 0);
    }
    assertThat(network.isOnItsWay(Streams.REBORN)).isEqualTo(reborn.equals("yes"));
    network.loseMatcher(1);
    network.restartMatcher(1, settings);
    awaitAnswers(network, DYING + 1);
    driveToTheEnd(network, readings, DYING + 2);

    assertWentOn(settings, readings);
  }

  /** Of two that are left one has begun again, and the other has not heard yet that it may. */
  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void losesNoParticlesOfATaskThatHasNotBegunAgainAtASecondDeath(String mode) {
    ServiceSettings settings = settings(4, "mode", mode);
    Network network = networkAfter(DYING - 1, readings, settings);
    network.restartMatcher(3, settings);
    say(network, readings, DYING, DYING + 1);
    Payload.Rebirth first = awaitRebirthAfter(network, 0);
    network.lose(Streams.REBIRTHS, 2);
    network.deliverAllOf(Streams.REBIRTHS);
    network.deliverAllTo(Component.Matchers.class, 0);
    assertThat(network.isOnItsWay(Streams.REBORN)).isTrue();
    network.loseMatcher(1);
    network.restartMatcher(1, settings);
    Payload.Rebirth second = awaitRebirthAfter(network, first.generation());
    awaitAnswers(network, DYING + 1);
    driveToTheEnd(network, readings, DYING + 2);

    assertThat(first.hasLeftOn(2)).isTrue();
    assertThat(second.hasLeftOn(0)).isTrue();
    assertThat(second.hasLeftOn(2)).isTrue();
    assertWentOn(settings, readings);
  }

  /** That is told, and has reached nobody. */
  private static Payload.Rebirth awaitRebirthAfter(Network network, int generation) {
    List<Payload.Rebirth> told = new ArrayList<>();
    goOnUntil(
        () -> !told.isEmpty(),
        () -> {
          network.tick();
          boolean more = true;
          while (more && told.isEmpty()) {
            network.onItsWay(Streams.REBIRTHS).stream()
                .filter(each -> each.generation() > generation)
                .findAny()
                .ifPresent(told::add);
            more = told.isEmpty() && network.deliverOne();
          }
        });
    return told.get(0);
  }
}
