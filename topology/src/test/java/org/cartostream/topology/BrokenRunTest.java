package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.ResendRequestMessage;
import org.cartostream.settings.Settings;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.stream.WeightReport;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A run that a component fails at is restored, and goes on without the reading at which it fails
 * again; one that cannot go on is given up, with a sentence that reaches its robot.
 */
@Quick
class BrokenRunTest extends NetworkTest {

  private static final int PARTICLES = 12;

  /** Of the run's twelve readings only the last two come: its robot is asked for the others. */
  private Network askedForTheBeginning(ServiceSettings settings, List<Reading> readings) {
    Network network = network(1, settings);
    send(network, readings, 11, 12);
    network.send(end("r1", 12));
    passUntil(network, () -> !requests().isEmpty());
    assertThat(requests()).containsExactly(new ResendRequestMessage(1, 10));
    return network;
  }

  private List<ResendRequestMessage> requests() {
    return of("r1").all().stream()
        .map(Envelope::body)
        .filter(ResendRequestMessage.class::isInstance)
        .map(ResendRequestMessage.class::cast)
        .toList();
  }

  @Test
  void asksForWhatItHasNotSeenAndGoesOn() {
    List<Reading> readings = Drive.readings(11, 12);
    ServiceSettings settings = settings(2, "waitingReadings", "4");
    Network network = askedForTheBeginning(settings, readings);
    send(network, readings, 1, 10);
    awaitReport(network, "r1");

    assertUndisturbed(settings, readings);
  }

  /** One request may be lost. */
  @Test
  void asksAgain() {
    Network network = askedForTheBeginning(settings(2), Drive.readings(11, 12));
    passUntil(network, () -> requests().size() == 3);

    assertThat(requests()).containsOnly(new ResendRequestMessage(1, 10));
  }

  @Test
  void givesARunUpOfWhichReadingsAreGone() {
    Network network = askedForTheBeginning(settings(2), Drive.readings(11, 12));
    network.send(new Payload.Arrival.OfGone(new Run("r1", RUN, 0), 1, 4));
    awaitReport(network, "r1");

    String sentence = "Readings 1 to 4 are lost: the service has not had them";
    assertThat(of("r1").outcome(11)).startsWith("Lost").contains(sentence);
    assertThat(of("r1").outcome(12)).startsWith("Lost").contains(sentence);
    assertThat(of("r1").report().failure()).contains(sentence);
  }

  /**
   * The first two readings are served, and in a checkpoint; then something fails at the third, and
   * when the run was restored and comes there again, fails again. Then it is refused, and the
   * fourth follows, as if the third had never come.
   *
   * @return what the third was told
   */
  private String afterTwoFailures(Consumer<Network> failure) {
    List<Reading> readings = Drive.readings(11, 4);
    ServiceSettings settings = checkpointed(settings(2), 1);
    Network network = network(1, settings);
    network.send(reading("r2", 1, readings));
    drive(network, readings, 1, 2);
    network.pass(2);
    send(network, readings, 3, 3);
    network.deliverAllFromRobots();
    Run first = network.run("r1");
    failure.accept(network);
    network.deliverAllOf(Streams.FAILED);
    assertThat(network.run("r1").epoch()).isGreaterThan(first.epoch());
    stepUntil(
        () -> isAdmitted(network, 3),
        () -> {
          network.deliverAllOf(Streams.RESTORE);
          network.searches.finish();
          network.deliverAllOf(Streams.BACKGROUND_DONE);
          network.deliverAllOf(Streams.RESTORED);
        });
    failure.accept(network);
    network.deliverAll();
    send(network, readings, 4, 4);
    network.send(reading("r2", 2, readings));
    network.send(end("r1", 4));
    network.send(end("r2", 2));
    network.deliverAll();

    FinishedMessage report = of("r1").report();
    assertThat(of("r1").answered()).isEqualTo(4);
    assertThat(report.failure()).isEmpty();
    assertThat(report.processed()).isEqualTo(3);
    assertThat(report.refused()).isEqualTo(1);
    Answers.Result without = Answers.serialWithout(Set.of(3L), settings.filter(), "r1", readings);
    assertThat(of("r1").outcome(4)).isEqualTo(without.outcomes().get(4L));
    assertThat(of("r1").result().path()).isEqualTo(without.path());
    assertThat(of("r1").result().map()).isEqualTo(without.map());
    theOtherRobotGoesOn();
    return of("r1").outcome(3);
  }

  private static boolean isAdmitted(Network network, long sequence) {
    return network.onItsWay(Streams.ADMITTED).stream()
        .anyMatch(admitted -> admitted.step().sequence() == sequence);
  }

  private void theOtherRobotGoesOn() {
    assertThat(of("r2").report().processed()).isEqualTo(2);
    assertThat(of("r2").report().failure()).isEmpty();
  }

  private static ParticleWeights beliefsOfNobody(long sequence) {
    double[] none = {};
    return new ParticleWeights(
        sequence, new int[0], none, none, none, none, new long[0], 0, 0, false);
  }

  private static Resampling everybodyGoesOn(long sequence) {
    int[] themselves = IntStream.range(0, PARTICLES).toArray();
    return new Resampling(sequence, false, themselves, PARTICLES, 0, 0, 0);
  }

  private static Resampling resamplingOfNobody(long sequence) {
    return new Resampling(sequence, true, new int[0], 1, 0, 0, 0);
  }

  /** Such as no robot can send: the dispatcher fails at it each time. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void goesOnWithoutTheReadingAtWhichTheDispatcherFailsAgain(boolean isNew) {
    List<Reading> readings = Drive.readings(11, 3);
    Network network = networkAfter(3, readings, checkpointed(settings(2), 1));
    network.pass(2);
    if (isNew) {
      network.restartDispatcher();
    }
    network.send(
        new Payload.Arrival.OfReading(
            new Run("r1", RUN, 0), 4, new Reading(0, null, readings.get(0).scan()), 0, null, null));
    network.send(end("r1", 4));
    network.deliverAll();

    assertThat(of("r1").outcome(4))
        .startsWith("Refused[refusal=FAILS,")
        .contains("failed (Dispatcher)")
        .contains("NullPointerException");
    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(3);
  }

  /** If it fails at each, something else is wrong. */
  @Test
  void isGivenUpWhenItFailsAtOneReadingAfterAnother() {
    List<Reading> readings = Drive.readings(11, 3);
    Network network = networkAfter(3, readings, checkpointed(settings(2), 1));
    for (int sequence = 4; sequence <= 8; sequence++) {
      network.send(
          new Payload.Arrival.OfReading(
              new Run("r1", RUN, 0),
              sequence,
              new Reading(0, null, readings.get(0).scan()),
              0,
              null,
              null));
    }
    finish(network, "r1", 8);

    assertThat(of("r1").outcome(4)).startsWith("Refused[refusal=FAILS,");
    assertThat(of("r1").outcome(6)).startsWith("Refused[refusal=FAILS,");
    assertThat(of("r1").outcome(7)).startsWith("Lost").contains("NullPointerException");
    assertThat(of("r1").report().failure()).contains("failed (Dispatcher)");
    assertThat(of("r1").report().lost()).isEqualTo(2);
  }

  @Test
  void goesOnWithoutTheReadingAtWhichAMatcherFailsAgain() {
    ParticleMove impossible =
        new ParticleMove(999, 1, 0, new int[] {0}, ParticleMove.NO_ANCESTOR, 0);
    int[] owners = Assignment.initial(PARTICLES, 2);
    String outcome =
        afterTwoFailures(
            network -> {
              network.deliverAllOf(Streams.KEY_FRAMES);
              network.send(
                  Streams.RESAMPLING_DECISIONS,
                  // Such as the other matcher can follow: it would fail first, now and then.
                  new Payload.ResamplingDecision(
                      network.run("r1"),
                      everybodyGoesOn(3),
                      owners,
                      new ParticleMove[] {impossible}));
              network.deliverAllOf(Streams.RESAMPLING_DECISIONS);
            });

    assertThat(outcome).contains("failed (Matchers)").contains("particle 999");
  }

  @Test
  void goesOnWithoutTheReadingAtWhichTheResamplerFailsAgain() {
    String outcome =
        afterTwoFailures(
            network -> {
              for (int task = 0; task < 2; task++) {
                WeightReport nobodys = new WeightReport(beliefsOfNobody(3), 0, 0);
                network.send(
                    Streams.WEIGHTS, new Payload.TaskWeights(network.run("r1"), task, nobodys));
              }
              network.deliverAllOf(Streams.WEIGHTS);
            });

    assertThat(outcome).contains("failed (Resampler)").contains("weights of 0 particles");
  }

  @Test
  void goesOnWithoutTheReadingAtWhichThePublisherFailsAgain() {
    String outcome =
        afterTwoFailures(
            network -> {
              network.send(
                  Streams.RESAMPLING_RESULTS,
                  new Payload.ResamplingResult(
                      network.run("r1"),
                      beliefsOfNobody(3),
                      new int[PARTICLES],
                      resamplingOfNobody(3),
                      0));
              network.deliverAllTo(Component.Publisher.class, 0);
            });

    assertThat(outcome).contains("failed (Publisher)");
  }

  /** As where there is no memory for the thread that looks for the run's checkpoint. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aRunBeginsThoughTheDispatcherFailsAtItsFirstMessage(int failures) {
    List<Reading> readings = Drive.readings(11, 8);
    ServiceSettings settings = checkpointed(settings(2), 1);
    Network network = network(1, settings);
    network.writings.refuse(failures, network.dispatcher::equals);
    send(network, readings, 1, 2);
    awaitAnswers(network, 2);
    driveToTheEnd(network, readings, 3);

    assertUndisturbed(settings, readings);
    assertThat(of("r1").report().recovery().times()).isZero();
  }

  /** It goes on from its checkpoint all the same. */
  @Test
  void aRunGoesOnThoughANewDispatcherFailsAtItsFirstMessage() {
    List<Reading> readings = Drive.readings(11, 8);
    ServiceSettings settings = checkpointed(settings(2), 1);
    Network network = networkAfter(4, readings, settings);
    network.pass(2);
    assertThat(network.unacknowledged()).isZero();
    network.restartDispatcher();
    network.writings.refuse(1, network.dispatcher::equals);
    send(network, readings, 5, 6);
    awaitAnswers(network, 6);
    driveToTheEnd(network, readings, 7);

    assertUndisturbed(settings, readings);
  }

  /** Whatever it was, it was gone when the run came there again. */
  @InEachMode
  void goesOnAfterOneFailure(String mode) {
    List<Reading> readings = Drive.readings(11, 8);
    ServiceSettings settings = settings(2, "mode", mode);
    Network network = networkAfter(3, readings, settings);
    send(network, readings, 4, 4);
    network.failAt(Streams.READY);
    stepUntil(network::hasFailed, network::deliverOne);
    network.failAt(null);
    driveToTheEnd(network, readings, 5);

    assertUndisturbed(settings, readings);
    assertThat(of("r1").report().recovery().times()).isOne();
  }

  /** Each time when it has come further: what failed before did not fail again. */
  @Test
  void goesOnAfterManyFailuresAtOneReadingAndAnother() {
    List<Reading> readings = Drive.readings(11, 12);
    ServiceSettings settings = settings(2);
    Network network = network(1, settings);
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      send(network, readings, sequence, sequence);
      if (sequence % 3 == 0) {
        network.failAt(Streams.WEIGHTS);
        stepUntil(network::hasFailed, network::deliverOne);
        network.failAt(null);
      }
      awaitAnswers(network, sequence);
    }
    finish(network, "r1", readings.size());

    assertUndisturbed(settings, readings);
    assertThat(of("r1").report().recovery().times()).isEqualTo(4);
  }

  /** Half a centimetre a cell, where five would do. */
  @Test
  void saysAtTheEndThatTheMapIsTooLargeAndSendsThePath() {
    List<Reading> readings = Drive.readings(11, 12);
    ServiceSettings settings = finestCells(settings(2));
    Network network = network(1, settings);
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      network.send(reading("r1", sequence, readings));
      network.deliverAll();
    }
    network.send(end("r1", readings.size()));
    network.deliverAll();

    assertThat(of("r1").all()).noneMatch(answer -> answer.body() instanceof MapMessage);
    assertThat(of("r1").report().failure())
        .startsWith("The map of ")
        .contains(" cells is too large to be sent (")
        .contains("and broker.maxMessageBytes is 65536")
        .contains("larger cells (slam.cellMetres) make it smaller");
    assertThat(of("r1").report().processed()).isEqualTo(12);
    assertThat(of("r1").path()).hasSize(12);
  }

  private static ServiceSettings finestCells(ServiceSettings settings) {
    Map<String, String> filter = new HashMap<>(Settings.values(settings.filter()));
    filter.put("cellMetres", "0.005");
    filter.put("matcher.sigmaHitMetres", "0.015");
    filter.put("particles", "2");
    Map<String, String> broker = new HashMap<>(Settings.values(settings.broker()));
    broker.put("maxMessageBytes", "65536");
    return new ServiceSettings(
        Settings.build(FilterSettings.class, filter),
        Settings.build(BrokerSettings.class, broker),
        settings.topology());
  }
}
