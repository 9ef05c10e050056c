package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.FinishedMessage;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.OutcomeMessage;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.Beliefs;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.sensor.Reading;
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

  private static final Run SAID = new Run("r1", RUN, 0);

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
    network.say(reading("r1", DYING, readings));
    network.say(reading("r1", DYING + 1, readings));
    for (int i = 0; i < deliveriesBefore; i++) {
      network.deliverOne();
    }
    network.restartDispatcher(settings);
    if (others.contains("matcher")) {
      network.restartMatcher(1, settings);
    }
    if (others.contains("resampler")) {
      network.restartResampler(settings);
    }
    network.say(reading("r1", DYING, readings));
    network.say(reading("r1", DYING + 1, readings));
    drive(network, readings, DYING + 1, READINGS);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(READINGS);
    assertThat(of("r1").report().lost()).isZero();
    assertIsNear(of("r1").path(), Answers.serial(settings.filter(), "r1", readings).path());
  }

  private static ServiceSettings settings(String mode) {
    return settings(TASKS, "readingTimeoutSeconds", "2", "mode", mode);
  }

  /** Nobody has said it: it is as long as the publisher knew of the reading. */
  @Test
  void makesNoReadingTakeNoTime() {
    ServiceSettings settings = settings("dataflow");
    Network network = network(1, settings);
    drive(network, readings, 1, DYING - 1);
    long begin = System.nanoTime();
    network.say(reading("r1", DYING, readings));
    do {
      network.lose(Streams.SERVED);
    } while (network.deliverOne());
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
    Network network = network(1, settings);
    drive(network, readings, 1, DYING - 1);
    dieWithKeyFrames(network, settings, DYING);
    drive(network, readings, DYING + 1, READINGS);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().rebuilt()).isZero();
    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", readings));
  }

  /** What was to tell the publisher of them died, and the tasks are done with them. */
  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void tellsThePublisherOfWhatOnlyTheMatchersHeardOf(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = network(1, settings);
    drive(network, readings, 1, DYING - 1);
    network.say(reading("r1", DYING, readings));
    network.say(reading("r1", DYING + 1, readings));
    do {
      network.lose(Streams.ADMITTED);
      network.lose(Streams.SERVED);
    } while (network.deliverOne());
    assertThat(of("r1").answered()).isEqualTo(DYING - 1);
    network.restartDispatcher(settings);
    network.say(reading("r1", DYING, readings));
    drive(network, readings, DYING + 1, READINGS);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", readings));
  }

  /**
   * One matcher is behind by a verdict when all are asked to settle. What it then hears must not
   * have it begin the next key frame, by which the others would go, and leave it behind.
   */
  @Test
  void leavesNoMatcherBehindThatWasBehindByAVerdict() {
    Network network = dieWithTheFirstMatcherBehind(DYING + 1);
    endAfter(network, DYING + 1);

    assertThat(of("r1").report().rebuilt()).isZero();
  }

  /** Two matchers went by what all believe; the one that is to say so has it still in its queue. */
  @Test
  void losesNoVerdictThatAMatcherIsYetToHear() {
    endAfter(dieWithTheFirstMatcherBehind(DYING), DYING);
  }

  /** All went by the verdict; the one matcher that had said it dies, and its word with it. */
  @Test
  void losesNoVerdictThatDiesWithTheMatcherThatSaidIt() {
    ServiceSettings settings = stillSettings();
    Network network = network(1, settings);
    drive(network, readings, 1, DYING - 1);
    sayFromDyingTo(DYING, network);
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.ADMITTED);
    network.deliverAllOf(Streams.KEY_FRAMES);
    goOnUntil(
        () -> network.onItsWay(Streams.READY).size() == TASKS,
        () -> IntStream.of(1, 2, 0).forEach(i -> network.deliverAllTo(Party.Matchers.class, i)));
    assertThat(network.lose(Streams.AGREEMENTS)).isTrue();
    network.loseMatcher(0);
    network.restartMatcher(0, settings);
    awaitAnswers(network, DYING);
    endAfter(network, DYING);
  }

  /** All but the first matcher, which is to say what was decided, went by the verdict. */
  private Network dieWithTheFirstMatcherBehind(int last) {
    ServiceSettings settings = stillSettings();
    Network network = network(1, settings);
    drive(network, readings, 1, DYING - 1);
    sayFromDyingTo(last, network);
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.ADMITTED);
    network.deliverAllOf(Streams.KEY_FRAMES);
    network.deliverAllTo(Party.Matchers.class, 1);
    network.deliverAllTo(Party.Matchers.class, 2);
    network.restartDispatcher(settings);
    sayFromDyingTo(last, network);
    goOnUntil(
        () -> network.delivered(Streams.REBIRTHS) > 0, () -> goOnWithoutMatchersOwnWords(network));
    return network;
  }

  private void sayFromDyingTo(int last, Network network) {
    for (int sequence = DYING; sequence <= last; sequence++) {
      network.say(reading("r1", sequence, readings));
    }
  }

  private static void goOnWithoutMatchersOwnWords(Network network) {
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.KEY_FRAMES);
    network.deliverAllOf(Streams.READY);
    network.deliverAllTo(Party.Publisher.class, 0);
    network.deliverAllOf(Streams.FOLLOWING);
    network.tick();
  }

  private void endAfter(Network network, int last) {
    drive(network, readings, last + 1, READINGS);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");
    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(READINGS);
  }

  /** Nothing moves, so that nobody waits for another matcher's particles. */
  private static ServiceSettings stillSettings() {
    ServiceSettings settings = settings("bsp");
    return new ServiceSettings(
        Settings.build(FilterSettings.class, Map.of("particles", "12")),
        settings.broker(),
        settings.topology());
  }

  /** The readings before it could not be used, so it would be the run's first key frame. */
  @Test
  void processesAgainAFirstKeyFrame() {
    readings.set(0, Drive.blind(readings.get(0)));
    readings.set(1, Drive.blind(readings.get(1)));
    ServiceSettings settings = settings("dataflow");
    Network network = network(1, settings);
    drive(network, readings, 1, 2);
    dieWithKeyFrames(network, settings, 3);
    drive(network, readings, 4, READINGS);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", readings));
  }

  /** Two readings are admitted; the robot sends the first of them again. */
  private void dieWithKeyFrames(Network network, ServiceSettings settings, int sequence) {
    network.say(reading("r1", sequence, readings));
    network.say(reading("r1", sequence + 1, readings));
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
            IntStream.range(0, TASKS).forEach(i -> network.deliverAllTo(Party.Matchers.class, i)));
    List<Payload.Ready> late = network.onItsWay(Streams.READY);
    network.restartDispatcher(settings);
    network.say(reading("r1", 1, readings));
    network.deliverAllFromRobots();
    late.forEach(word -> network.say(Streams.READY, word));
    network.say(Streams.MATCHERS_FAILED, new Payload.Failed(late.get(0).run(), "Late"));
    network.deliverAllOf(Streams.READY);
    assertThat(network.isOnItsWay(Streams.SERVED)).isFalse();
    drive(network, readings, 2, READINGS);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", readings));
  }

  /** The matchers let go of the run, and the publisher does not hear of its end. */
  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void saysTheFarewellOfARunWhoseEndDiedWithIt(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = network(1, settings);
    drive(network, readings, 1, READINGS);
    network.say(end("r1", READINGS));
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.MATCHERS_OVER);
    network.restartDispatcher(settings);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", readings));
  }

  @Test
  void saysTheFarewellAgain() {
    ServiceSettings settings = settings("dataflow");
    Network network = network(1, settings);
    drive(network, readings, 1, READINGS);
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
    Network network = network(1, settings);
    drive(network, readings, 1, DYING - 1);
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
    Network network = network(1, settings);
    drive(network, readings, 1, READINGS);
    restartAllButThePublisher(network, settings);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", readings));
  }

  private static void restartAllButThePublisher(Network network, ServiceSettings settings) {
    network.restartDispatcher(settings);
    network.restartResampler(settings);
    for (int task = 0; task < TASKS; task++) {
      network.restartMatcher(task, settings);
    }
  }

  /** Their robots have left, so the successor never learns of them. */
  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void isNotNeededToLetGoOfRunsOfWhichNobodySpeaks(String mode) {
    ServiceSettings settings =
        settings(TASKS, "readingTimeoutSeconds", "2", "robotTimeoutSeconds", "5", "mode", mode);
    Network network = network(1, settings);
    drive(network, readings, 1, 3);
    network.restartDispatcher(settings);

    letPass(network, 5);
    speakOfTheRun(network);
    letPass(network, 2 * 5 + 2);
    assertThat(tasksThatHoldTheRun(network)).isEqualTo(TASKS);
    assertThat(newestThatThePublisherKnows(network)).isEqualTo(3);
    assertThat(resamplerHoldsTheRun(network)).isEqualTo(mode.equals("dataflow"));
    letPass(network, 2 * 5 + 2 + 1);
    assertThat(tasksThatHoldTheRun(network)).isZero();
    assertThat(newestThatThePublisherKnows(network)).isZero();
    assertThat(resamplerHoldsTheRun(network)).isFalse();
  }

  private static void speakOfTheRun(Network network) {
    Run run = SAID.begun(1);
    network.say(Streams.MATCHERS_ALIVE, new Payload.Alive(run));
    network.say(Streams.RESAMPLER_ALIVE, new Payload.Alive(run));
    network.say(Streams.AGAIN, new Payload.Again(run, 3, 0));
    network.deliverAll();
  }

  private static void letPass(Network network, int seconds) {
    for (int second = 0; second < seconds; second++) {
      network.tick();
    }
  }

  private static long tasksThatHoldTheRun(Network network) {
    network.say(Streams.RECALLS, new Payload.Recall(SAID));
    network.deliverAllOf(Streams.RECALLS);
    List<Payload.Recalled> all = network.onItsWay(Streams.RECALLED);
    network.lose(Streams.RECALLED);
    return all.stream().filter(task -> task.steps().length > 0).count();
  }

  private static long newestThatThePublisherKnows(Network network) {
    network.say(Streams.PUBLISHER_RECALLS, new Payload.Recall(SAID));
    network.deliverAllOf(Streams.PUBLISHER_RECALLS);
    List<Payload.Remembered> all = network.onItsWay(Streams.REMEMBERED);
    network.lose(Streams.REMEMBERED);
    return all.get(0).settled();
  }

  /** It fails at the opinion of a task of which there is none, unless it knows nobody's. */
  private static boolean resamplerHoldsTheRun(Network network) {
    double[] none = {};
    Beliefs beliefs = new Beliefs(4, new int[0], none, none, none, none, new long[0], 0);
    network.say(
        Streams.OPINIONS,
        new Payload.Opinion(SAID.begun(1), TASKS, 0, false, new Statement(beliefs, 0)));
    network.deliverAllOf(Streams.OPINIONS);
    return network.lose(Streams.RESAMPLER_FAILED);
  }

  /** Who computes would otherwise hear nothing of a robot that stands still. */
  @Test
  void saysOfARunThatItLives() {
    Network network =
        network(1, settings(TASKS, "robotTimeoutSeconds", "1", "readingTimeoutSeconds", "1"));
    drive(network, readings, 1, 1);
    Awaitility.await()
        .pollInSameThread()
        .until(
            () -> {
              network.tick();
              return network.isOnItsWay(Streams.MATCHERS_ALIVE)
                  && network.isOnItsWay(Streams.RESAMPLER_ALIVE);
            });
    assertThat(network.onItsWay(Streams.MATCHERS_ALIVE))
        .allMatch(word -> word.run().equals(SAID.begun(1)));
  }
}
