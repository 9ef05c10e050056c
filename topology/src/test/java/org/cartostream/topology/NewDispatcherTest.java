package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The dispatcher's worker dies, with what was on its way to it and from it; its successor has the
 * others say what they know of the run. The robot sends again what is not answered.
 */
class NewDispatcherTest extends NetworkTest {

  private static final int READINGS = 16;
  private static final int DYING = 8;
  private static final int TASKS = 3;

  private final List<Reading> readings = new ArrayList<>(Drive.readings(11, READINGS));

  /** Whatever has come of two readings before it dies, and whoever dies with it. */
  @ParameterizedTest
  @CsvSource({
    "dataflow, nobody, 0",
    "dataflow, nobody, 1",
    "dataflow, nobody, 2",
    "dataflow, nobody, 4",
    "dataflow, nobody, 7",
    "dataflow, nobody, 11",
    "dataflow, nobody, 15",
    "dataflow, nobody, 19",
    "dataflow, nobody, 24",
    "dataflow, nobody, 30",
    "dataflow, matcher and resampler, 2",
    "dataflow, matcher and resampler, 9",
    "dataflow, matcher and resampler, 17",
    "bsp, nobody, 0",
    "bsp, nobody, 3",
    "bsp, nobody, 8",
    "bsp, nobody, 14",
    "bsp, matcher, 6"
  })
  void goesOn(String mode, String others, int deliveriesBefore) {
    ServiceSettings settings = settings(mode);
    Network network = network(deliveriesBefore, settings);
    drive(network, readings, 1, DYING - 1);
    say(network, readings, DYING, DYING + 1);
    network.deliver(deliveriesBefore);
    network.restartDispatcher(settings);
    if (others.contains("matcher")) {
      network.restartMatcher(1, settings);
    }
    if (others.contains("resampler")) {
      network.restartResampler(settings);
    }
    say(network, readings, DYING, DYING + 1);
    driveToTheEnd(network, readings, DYING + 1);

    assertWentOn(settings, readings);
  }

  private static ServiceSettings settings(String mode) {
    return settings(TASKS, "mode", mode);
  }

  /** Nobody has said it: it is as long as the publisher knew of the reading. */
  @Test
  void makesNoReadingTakeNoTime() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(DYING - 1, readings, settings);
    long begin = System.nanoTime();
    network.say(reading("r1", DYING, readings));
    network.deliverAllBut(Streams.SERVED);
    assertThat(of("r1").answered()).isEqualTo(DYING - 1);
    network.restartDispatcher(settings);
    drive(network, readings, DYING, DYING);

    assertThat(serviceNanos(DYING)).isBetween(1L, System.nanoTime() - begin);
  }

  private long serviceNanos(int sequence) {
    return of("r1").all().stream()
        .filter(answer -> answer.sequence() == sequence)
        .map(Envelope::body)
        .filter(OutcomeMessage.class::isInstance)
        .map(body -> (Outcome.Processed) ((OutcomeMessage) body).outcome())
        .findFirst()
        .orElseThrow()
        .serviceNanos();
  }

  /** The key frames die on their way to the matchers, when the publisher has heard of them. */
  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void processesAgainWhatOnlyThePublisherHeardOf(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = networkAfter(DYING - 1, readings, settings);
    dieWithKeyFrames(network, settings, DYING);
    driveToTheEnd(network, readings, DYING + 1);

    assertThat(of("r1").report().rebuilt()).isZero();
    assertUndisturbed(settings, readings);
  }

  /** What was to tell the publisher of them died, and the tasks are done with them. */
  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void tellsThePublisherOfWhatOnlyTheMatchersHeardOf(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = networkAfter(DYING - 1, readings, settings);
    say(network, readings, DYING, DYING + 1);
    network.deliverAllBut(Streams.ADMITTED, Streams.SERVED);
    assertThat(of("r1").answered()).isEqualTo(DYING - 1);
    network.restartDispatcher(settings);
    network.say(reading("r1", DYING, readings));
    driveToTheEnd(network, readings, DYING + 1);

    assertUndisturbed(settings, readings);
  }

  /** Its first word comes once more, as from a broker that was not told that it was heard. */
  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void goesOnThoughTheRunsFirstWordIsTheFirstThatItHears(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = networkAfter(DYING - 1, readings, settings);
    network.restartDispatcher(settings);
    network.say(reading("r1", 1, readings));
    network.deliverAll();
    driveToTheEnd(network, readings, DYING);

    assertUndisturbed(settings, readings);
  }

  /** A matcher dies as well, and so nothing is left of the first reading but what is begun anew. */
  @Test
  void beginsAnewWhatWasNoMoreThanBegun() {
    ServiceSettings settings = settings("dataflow");
    Network network = network(1, settings);
    network.say(reading("r1", 1, readings));
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.ADMITTED);
    network.deliverAllTo(Component.Matchers.class, 0);
    network.restartDispatcher(settings);
    network.restartMatcher(1, settings);
    driveToTheEnd(network, readings, 1);

    assertUndisturbed(settings, readings);
  }

  /** The readings before it could not be used, so it would be the run's first key frame. */
  @Test
  void processesAgainAFirstKeyFrame() {
    readings.set(0, Drive.blind(readings.get(0)));
    readings.set(1, Drive.blind(readings.get(1)));
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(2, readings, settings);
    dieWithKeyFrames(network, settings, 3);
    driveToTheEnd(network, readings, 4);

    assertUndisturbed(settings, readings);
  }

  /** Two readings are admitted; the robot sends the first of them again. */
  private void dieWithKeyFrames(Network network, ServiceSettings settings, int sequence) {
    say(network, readings, sequence, sequence + 1);
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.ADMITTED);
    network.restartDispatcher(settings);
    network.say(reading("r1", sequence, readings));
  }

  /** It dies at a run's first reading, and the run begins anew; what came of the first is late. */
  @Test
  void takesNothingOfARunForTheSameThatHasBegunAnew() {
    ServiceSettings settings = settings("bsp");
    Network network = network(1, settings);
    network.say(reading("r1", 1, readings));
    network.deliverAllFromRobots();
    goOnUntil(
        () -> network.onItsWay(Streams.READY).size() == TASKS,
        () ->
            IntStream.range(0, TASKS)
                .forEach(i -> network.deliverAllTo(Component.Matchers.class, i)));
    List<Payload.Ready> late = network.onItsWay(Streams.READY);
    network.restartDispatcher(settings);
    network.say(reading("r1", 1, readings));
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.RECALLS);
    network.deliverAllOf(Streams.PUBLISHER_RECALLS);
    network.deliverAllOf(Streams.RECALLED);
    network.deliverAllOf(Streams.REMEMBERED);
    late.forEach(word -> network.say(Streams.READY, word));
    network.say(Streams.MATCHERS_FAILED, new Payload.Failed(late.get(0).run(), "Late"));
    network.deliverAllOf(Streams.READY);
    assertThat(network.isOnItsWay(Streams.SERVED)).isFalse();
    driveToTheEnd(network, readings, 2);

    assertUndisturbed(settings, readings);
  }

  /**
   * The link to its host is back when its successor has gone on for a while; it knows of nothing,
   * and goes on where it was.
   */
  @ParameterizedTest
  @CsvSource({"dataflow, reading", "dataflow, end", "bsp, reading", "bsp, end"})
  void isNotHeardAnyMoreWhenItWasCutOff(String mode, String hears) {
    ServiceSettings settings = settings(mode);
    Network network = networkAfter(DYING - 1, readings, settings);
    network.cutOffDispatcher(settings);
    drive(network, readings, DYING, DYING);
    Run run = new Run("r1", RUN, 0);
    if (hears.equals("end")) {
      Payload end = new Payload.Arrival.OfEnd(run, DYING - 1, 0, 0);
      network.tellTheOneCutOff(Streams.ARRIVALS, end);
      assertThat(network.isOnItsWay(Streams.MATCHERS_RELEASED)).isTrue();
    } else {
      for (int sequence = DYING; sequence <= DYING + 1; sequence++) {
        Reading another = readings.get(sequence + 1);
        Payload reading = new Payload.Arrival.OfReading(run, sequence, another, 0);
        network.tellTheOneCutOff(Streams.ARRIVALS, reading);
      }
      assertThat(network.onItsWay(Streams.KEY_FRAMES)).hasSize(2 * TASKS);
    }
    driveToTheEnd(network, readings, DYING + 1);

    assertUndisturbed(settings, readings);
  }

  /** The matchers let go of the run, and the publisher does not hear of its end. */
  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void saysTheFarewellOfARunWhoseEndDiedWithIt(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = networkAfter(READINGS, readings, settings);
    network.say(end("r1", READINGS));
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.MATCHERS_RELEASED);
    network.restartDispatcher(settings);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertUndisturbed(settings, readings);
  }

  @Test
  void saysTheFarewellAgain() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(READINGS, readings, settings);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");
    List<FinishedMessage> before = reports();
    network.restartDispatcher(settings);
    network.say(end("r1", READINGS));
    network.deliverAll();

    assertThat(before).hasSize(1);
    assertThat(reports()).containsExactly(before.get(0), before.get(0));
  }

  private List<FinishedMessage> reports() {
    return of("r1").all().stream()
        .map(Envelope::body)
        .filter(FinishedMessage.class::isInstance)
        .map(FinishedMessage.class::cast)
        .toList();
  }

  /** It is the last of all processes but the publisher's that die. */
  @Test
  void keepsThePathWhenAllParticlesAreGone() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(DYING - 1, readings, settings);
    restartAllButThePublisher(network, settings);
    drive(network, readings, DYING, DYING);
    network.say(end("r1", DYING));
    awaitReport(network, "r1");

    String sentence = "The particles were lost when processes died";
    assertThat(of("r1").outcome(DYING)).startsWith("Lost").contains(sentence);
    assertThat(of("r1").report().failure()).contains(sentence);
    assertThat(of("r1").path()).hasSize(DYING - 1);
  }

  @Test
  void endsInOrderWhenParticlesAreNotNeededAnyMore() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(READINGS, readings, settings);
    restartAllButThePublisher(network, settings);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertUndisturbed(settings, readings);
  }

  private static void restartAllButThePublisher(Network network, ServiceSettings settings) {
    network.restartDispatcher(settings);
    network.restartResampler(settings);
    for (int task = 0; task < TASKS; task++) {
      network.restartMatcher(task, settings);
    }
  }
}
