package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A reading that ends the process with all of a service's tasks whenever it is admitted: it is
 * found, and the run goes on as if it had not come.
 */
@Quick
class PoisonReadingTest extends NetworkTest {

  private static final long FATAL = 6;
  private static final String NOTE = "attempts.json";

  /** Two from one checkpoint, and two with the reading alone. */
  private static final int DEATHS = 4;

  private static final int MAX_STEPS = 100_000;

  private final List<Reading> readings = Drive.readings(11, 10);
  private final MemoryStore store = new MemoryStore();
  private int deaths;

  private static ServiceSettings settings(String mode, double everySeconds) {
    return checkpointed(settings(2, "mode", mode), everySeconds);
  }

  /** Of which robots the reading is. */
  private final Set<String> fatal = new HashSet<>(Set.of("r1"));

  private boolean isAdmitted(Network network) {
    return network.onItsWay(Streams.ADMITTED).stream()
        .anyMatch(each -> fatal.contains(each.run().robot()) && each.step().sequence() == FATAL);
  }

  private static void dieAndStart(Network network) {
    network.loseAll();
    while (network.startOne()) {}
  }

  private static void othersDieAndStart(Network network) {
    network.loseAllButDispatcher();
    while (network.startOne()) {}
  }

  private static Consumer<Network> death(boolean isWithDispatcher) {
    return isWithDispatcher ? PoisonReadingTest::dieAndStart : PoisonReadingTest::othersDieAndStart;
  }

  /** A network in which r1 has its answers to the readings before, and sends this and the next. */
  private Network networkBefore(ServiceSettings settings) {
    Network network = network(1, settings, store);
    drive(network, readings, 1, 5);
    send(network, readings, 6, 7);
    return network;
  }

  /**
   * Ends the process whenever the reading is admitted, until it is answered.
   *
   * @return how often that was
   */
  private int die(Network network, Consumer<Network> death) {
    int deaths = 0;
    for (int step = 0; fatal.stream().anyMatch(each -> of(each).outcome(FATAL) == null); step++) {
      assertThat(step).as("steps, after %d deaths", deaths).isLessThan(MAX_STEPS);
      if (isAdmitted(network)) {
        deaths++;
        death.accept(network);
      } else {
        network.deliverOneOrTick();
      }
    }
    return deaths;
  }

  private void assertIsAsWithoutIt(ServiceSettings settings) {
    Answers.Result without =
        Answers.serialWithout(Set.of(FATAL), settings.filter(), "r1", readings);
    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().refused()).isOne();
    assertThat(of("r1").outcome(FATAL + 1)).isEqualTo(without.outcomes().get(FATAL + 1));
    assertThat(of("r1").result().path()).isEqualTo(without.path());
    assertThat(of("r1").result().map()).isEqualTo(without.map());
  }

  /**
   * Also if the run has no checkpoint yet, and where the dispatcher is in another process: nobody
   * is started who would read what was noted.
   */
  @ParameterizedTest
  @CsvSource({
    "dataflow, 1, true",
    "dataflow, 10000, true",
    "bsp, 1, true",
    "bsp, 10000, true",
    "dataflow, 1, false",
    "dataflow, 10000, false",
    "bsp, 1, false",
    "bsp, 10000, false"
  })
  void theReadingIsRefusedAndTheRunGoesOn(
      String mode, double everySeconds, boolean isWithDispatcher) {
    ServiceSettings settings = settings(mode, everySeconds);
    Network network = network(1, settings, store);
    drive(network, readings, 1, 3);
    network.pass(2);
    drive(network, readings, 4, 5);
    send(network, readings, 6, 7);

    assertThat(die(network, death(isWithDispatcher))).isEqualTo(DEATHS);
    assertThat(of("r1").outcome(FATAL))
        .startsWith("Refused[refusal=FAILS,")
        .contains("the service's process ended at it, twice");
    if (!isWithDispatcher) {
      dieAndStart(network);
    }
    driveToTheEnd(network, readings, 8);
    assertIsAsWithoutIt(settings);
    assertThat(store.filesBesideRuns()).contains("failed-r1-6.json");
  }

  /** The matchers are done with it then; the next must not be blamed. */
  @ParameterizedTest
  @CsvSource({"dataflow, true", "dataflow, false", "bsp, true", "bsp, false"})
  void theReadingIsRefusedAtWhichThePublisherEndsAfterAllOthersAreDoneWithIt(
      String mode, boolean isWithDispatcher) {
    ServiceSettings settings = settings(mode, 10000);
    Network network = network(1, settings, store);
    drive(network, readings, 1, 5);
    network.fault =
        (task, stream, payload) -> {
          boolean ends = stream.equals(Streams.SERVED.name()) && payload.processed() == FATAL;
          if (ends && isWithDispatcher) {
            network.loseAll();
          } else if (ends) {
            network.loseAllButDispatcher();
          }
          deaths += ends ? 1 : 0;
          return ends;
        };
    send(network, readings, 6, 7);
    stepUntil(
        () -> of("r1").answered() == 7,
        () -> {
          network.pass(1);
          send(network, readings, of("r1").answered() + 1, 7); // As gateways repeat them.
          while (network.startOne()) {}
        });
    assertThat(deaths).isEqualTo(DEATHS);
    assertThat(of("r1").outcome(FATAL)).startsWith("Refused[refusal=FAILS,");
    driveToTheEnd(network, readings, 8);
    assertIsAsWithoutIt(settings);
  }

  /** Each is found, and no reading of the others is refused that was processed meanwhile. */
  @ParameterizedTest
  @CsvSource({"true, 1", "false, 3", "true, 10000"})
  void fatalReadingsOfTwoRobotsAreFound(boolean isWithDispatcher, double everySeconds) {
    ServiceSettings settings = settings("dataflow", everySeconds);
    Network network = network(1, settings, store);
    List<List<Reading>> all =
        List.of(readings, Drive.readings(12, 10), Drive.readings(13, 10), Drive.readings(14, 10));
    for (int sequence = 1; sequence <= 7; sequence++) {
      for (int robot = 1; robot <= all.size(); robot++) {
        network.send(reading("r" + robot, sequence, all.get(robot - 1)));
      }
      int count = sequence;
      if (sequence < FATAL) {
        passUntil(network, () -> of("r1").answered() + of("r4").answered() == 2 * count);
      }
    }
    fatal.add("r2");
    die(network, death(isWithDispatcher));
    for (int robot = 1; robot <= all.size(); robot++) {
      String name = "r" + robot;
      passUntil(network, () -> of(name).answered() == 7);
      drive(network, name, all.get(robot - 1), 8, 10);
      finish(network, name, 10);
      Set<Long> refused = fatal.contains(name) ? Set.of(FATAL) : Set.of();
      assertThat(of(name).result().path())
          .as(name)
          .isEqualTo(
              Answers.serialWithout(refused, settings.filter(), name, all.get(robot - 1)).path());
    }
  }

  @Nightly
  @ParameterizedTest
  @CsvSource({"true, 3", "false, 1", "false, 10000"})
  void fatalReadingsOfTwoRobotsAreFoundTheOtherWayAbout(boolean isWithDispatcher, double every) {
    fatalReadingsOfTwoRobotsAreFound(isWithDispatcher, every);
  }

  /** Its refusal waits for the turn that the reading has, which waits for the refusal. */
  @Test
  void aRunThatIsRefusedForItsMemoryWhileAReadingIsToBeNotedDoesNotStandStill() {
    Network network = networkBefore(settings("dataflow", 10000));
    stepUntil(
        () ->
            network.onItsWay(Streams.PAUSE_MAPS).stream()
                .anyMatch(each -> each.sequence() == FATAL),
        () -> {
          if (isAdmitted(network)) {
            othersDieAndStart(network);
          } else {
            network.deliverOneOrTick();
          }
        });
    network.send(
        Streams.MEMORY_PRESSURE, new Payload.MemoryPressure(network.run("r1"), "the heap is full"));
    passUntil(network, () -> of("r1").answered() == 7);
    assertThat(of("r1").outcome(7)).startsWith("Refused[refusal=MEMORY_SHORT,");
  }

  /** It is an input of the run: nothing is tried again after another failure. */
  @Test
  void theReadingIsRefusedAfterAnyOtherDeath() {
    ServiceSettings settings = settings("dataflow", 10000);
    Network network = networkBefore(settings);
    die(network, PoisonReadingTest::dieAndStart);
    dieAndStart(network);
    awaitAnswers(network, 7);
    dieAndStart(network);
    driveToTheEnd(network, readings, 8);

    assertIsAsWithoutIt(settings);
  }

  /** It may die with the process each time, whatever of it is being processed. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noReadingOfAnotherRobotIsRefused(boolean isWithDispatcher) {
    ServiceSettings settings = settings("dataflow", 10000);
    Network network = network(1, settings, store);
    List<Reading> others = Drive.readings(12, 10);
    drive(network, readings, 1, 5);
    drive(network, "r2", others, 1, 5);
    network.send(reading("r2", 6, others));
    network.send(reading("r2", 7, others));
    send(network, readings, 6, 7);
    die(network, death(isWithDispatcher));
    driveToTheEnd(network, readings, 8);
    for (int sequence = 8; sequence <= 10; sequence++) {
      network.send(reading("r2", sequence, others));
    }
    finish(network, "r2", 10);

    assertIsAsWithoutIt(settings);
    assertUndisturbed(settings, "r2", others);
  }

  /**
   * As when a machine is switched off again and again, once while each of the readings is
   * processed: no reading is to blame.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingIsRefusedWhereTheProcessEndsElsewhereEachTime(boolean isWithDispatcher) {
    ServiceSettings settings = settings("dataflow", 10000);
    Network network = network(1, settings, store);
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      send(network, readings, sequence, sequence);
      network.deliver(sequence);
      death(isWithDispatcher).accept(network);
      awaitAnswers(network, sequence);
    }
    finish(network, "r1", readings.size());

    assertUndisturbed(settings, readings);
  }

  private Network networkAfterThreeDeaths(ServiceSettings settings, CheckpointStore store) {
    Network network = network(1, settings, store);
    drive(network, readings, 1, 5);
    for (int death = 0; death < 3; death++) {
      dieAndStart(network);
      send(network, readings, 6, 6);
      network.deliverAll();
    }
    return network;
  }

  /** Its writer hangs, and the run must not hang with it. */
  @Test
  void aStoreThatHangsHoldsNoReadingBackForLong() {
    ServiceSettings settings = settings("dataflow", 10000);
    Network network = networkAfterThreeDeaths(settings, store);
    network.writings.hold(true);
    send(network, readings, 7, 7);
    awaitAnswers(network, 7);
    network.writings.hold(false);
    driveToTheEnd(network, readings, 8);

    assertUndisturbed(settings, readings);
  }

  /** Nothing can be noted: the readings do not wait for that. */
  @Test
  void aStoreThatIsFullHoldsNoReadingBack() {
    ServiceSettings settings = settings("dataflow", 10000);
    UnreliableStore full = new UnreliableStore();
    Network network = networkAfterThreeDeaths(settings, full);
    full.fullFor("r1");
    send(network, readings, 7, 7);
    network.deliverAll();
    assertThat(of("r1").answered()).isEqualTo(7);
    assertThat(full.refused()).as("the note that it is tried, and that it is done").isEqualTo(2);
    full.fullFor(null);
    driveToTheEnd(network, readings, 8);

    assertUndisturbed(settings, readings);
  }

  /** While it cannot be noted that a reading is refused, its robot is not told so. */
  @Test
  void aRefusalIsToldWhenItIsNoted() {
    ServiceSettings settings = settings("dataflow", 10000);
    Network network = networkBefore(settings);
    stepUntil(
        () -> isAdmitted(network) && deaths == DEATHS - 1,
        () -> {
          if (isAdmitted(network)) {
            deaths++;
            othersDieAndStart(network);
          } else {
            network.deliverOneOrTick();
          }
        });
    network.writings.hold(true);
    othersDieAndStart(network);
    long epoch = network.run("r1").epoch();
    passUntil(network, () -> network.run("r1").epoch() > epoch);
    network.pass(3);
    assertThat(network.writings.waiting()).isPositive();
    assertThat(of("r1").outcome(FATAL)).isNull();

    network.writings.hold(false);
    network.pass(1);
    assertThat(of("r1").outcome(FATAL)).startsWith("Refused[refusal=FAILS,");
    dieAndStart(network);
    driveToTheEnd(network, readings, 8);
    assertIsAsWithoutIt(settings);
  }

  /** That a store was full for a while leaves the service able to find the reading. */
  @Test
  void theReadingIsFoundThoughItCouldNotBeNotedBefore() {
    ServiceSettings settings = settings("dataflow", 10000);
    UnreliableStore full = new UnreliableStore();
    Network network = network(1, settings, full);
    drive(network, readings, 1, 3);
    for (int death = 0; death < 2; death++) {
      othersDieAndStart(network);
      send(network, readings, 4, 4);
      awaitAnswers(network, 4);
    }
    full.fullFor("r1");
    send(network, readings, 5, 5);
    awaitAnswers(network, 5);
    assertThat(full.refused()).isPositive();
    full.fullFor(null);
    network.pass(12);
    send(network, readings, 6, 7);

    assertThat(die(network, PoisonReadingTest::othersDieAndStart)).isLessThanOrEqualTo(DEATHS);
    driveToTheEnd(network, readings, 8);
    assertIsAsWithoutIt(settings);
  }

  @Test
  void whileNobodyDiesNothingIsNoted() {
    ServiceSettings settings = settings("dataflow", 1);
    Network network = network(1, settings, store);
    drive(network, readings, 1, 4);
    network.pass(2);
    network.restartMatcher(0);
    driveToTheEnd(network, readings, 5);

    assertUndisturbed(settings, readings);
    for (String run : store.runs()) {
      assertThat(store.readBeside(run, NOTE)).isEmpty();
    }
  }
}
