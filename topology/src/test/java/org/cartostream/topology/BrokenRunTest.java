package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.settings.Settings;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.transfer.ParticleMove;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.Test;

/** A run that cannot go on ends at once, with a sentence that reaches its robot. */
class BrokenRunTest extends NetworkTest {

  private static final int PARTICLES = 12;

  /** It begins second, after r2's. */
  private static final Run FAILING = new Run("r1", RUN, FIRST_ORDER + 1);

  @Test
  void saysThatReadingsAreLostWhenAllTasksHaveLostTheirParticles() {
    List<Reading> readings = Drive.readings(11, 8);
    ServiceSettings settings = settings(2);
    Network network = network(1, settings);
    for (int sequence = 1; sequence <= 6; sequence++) {
      network.say(reading("r1", sequence, readings));
      network.deliverAll();
    }
    network.restartMatcher(0, settings);
    network.restartMatcher(1, settings);
    network.say(reading("r1", 7, readings));
    network.say(reading("r1", 8, readings));
    network.say(end("r1", 8));
    awaitReport(network, "r1");

    assertThat(of("r1").outcome(7)).startsWith("Lost").contains("All particles were lost");
    assertThat(of("r1").outcome(8)).startsWith("Lost");
    assertThat(of("r1").report().processed()).isEqualTo(6);
    assertThat(of("r1").report().lost()).isEqualTo(2);
    assertThat(of("r1").result().path()).hasSize(6);
  }

  @Test
  void refusesToGoOnWithARunWhoseBeginningItHasNotSeen() {
    List<Reading> readings = Drive.readings(11, 12);
    Network network = network(1, settings(2));
    network.say(reading("r1", 11, readings));
    network.say(reading("r1", 12, readings));
    network.say(end("r1", 12));
    network.deliverAll();

    String sentence = "Number 11 came when 1 was next";
    assertThat(of("r1").outcome(11)).startsWith("Lost").contains(sentence);
    assertThat(of("r1").outcome(12)).startsWith("Lost").contains(sentence);
    assertThat(of("r1").report().failure()).contains(sentence);
  }

  @Test
  void refusesToEndARunWhoseBeginningItHasNotSeen() {
    Network network = network(1, settings(2));
    network.say(end("r1", 12));
    network.deliverAll();

    assertThat(of("r1").report().failure()).contains("Number 12 came when 1 was next");
  }

  /** The first two readings are served; then something fails at the third; the fourth follows. */
  private FinishedMessage afterAFailure(Consumer<Network> failure) {
    return afterAFailure(settings(2), failure);
  }

  private FinishedMessage afterAFailure(ServiceSettings settings, Consumer<Network> failure) {
    List<Reading> readings = Drive.readings(11, 4);
    Network network = network(1, settings);
    network.say(reading("r2", 1, readings));
    for (int sequence = 1; sequence <= 2; sequence++) {
      network.say(reading("r1", sequence, readings));
      network.deliverAll();
    }
    network.say(reading("r1", 3, readings));
    network.deliverAllFromRobots();
    failure.accept(network);
    network.deliverAll();
    network.say(reading("r1", 4, readings));
    network.say(reading("r2", 2, readings));
    network.say(end("r1", 4));
    network.say(end("r2", 2));
    network.deliverAll();

    FinishedMessage report = of("r1").report();
    assertThat(of("r1").answered()).isEqualTo(4);
    assertThat(report.lost()).isEqualTo(2);
    assertThat(of("r1").outcome(4)).startsWith("Lost").contains(report.failure());
    return report;
  }

  private void theOtherRobotGoesOn() {
    assertThat(of("r2").report().processed()).isEqualTo(2);
    assertThat(of("r2").report().failure()).isEmpty();
  }

  private static ParticleWeights beliefsOfNobody(long sequence) {
    double[] none = {};
    return new ParticleWeights(sequence, new int[0], none, none, none, none, new long[0], 0);
  }

  private static Resampling everybodyGoesOn(long sequence) {
    int[] themselves = IntStream.range(0, PARTICLES).toArray();
    return new Resampling(sequence, false, themselves, PARTICLES, 0, 0);
  }

  private static Resampling resamplingOfNobody(long sequence) {
    return new Resampling(sequence, true, new int[0], 1, 0, 0);
  }

  @Test
  void endsTheRunAtOnceWhenTheDispatcherFails() {
    Network network = network(1, settings(2));
    network.say(new Payload.Arrival.OfReading(FAILING, 1, new Reading(0, null, null), 0));
    network.say(end("r1", 1));
    network.deliverAll();

    assertThat(of("r1").outcome(1)).startsWith("Lost").contains("failed (Dispatcher)");
    assertThat(of("r1").report().failure()).contains("NullPointerException");
  }

  /** It fails at a reading when it has waited long enough for what a publisher remembers. */
  @Test
  void endsTheRunAtOnceWhenANewDispatcherFails() {
    List<Reading> readings = Drive.readings(11, 4);
    ServiceSettings settings = settings(2, "workers", "2");
    Network network = network(1, settings);
    drive(network, readings, 1, 3);
    network.losePublisher(1);
    network.restartDispatcher(settings);
    network.say(
        new Payload.Arrival.OfReading(new Run("r1", RUN, 0), 4, new Reading(0, null, null), 0));
    awaitAnswers(network, 4);

    assertThat(of("r1").outcome(4)).startsWith("Lost").contains("failed (Dispatcher)");
  }

  @Test
  void endsTheRunAtOnceWhenAMatcherFails() {
    ParticleMove impossible = new ParticleMove(999, 1, 0, new int[] {0});
    int[] owners = Assignment.initial(PARTICLES, 2);
    FinishedMessage report =
        afterAFailure(
            network -> {
              network.deliverAllOf(Streams.KEY_FRAMES);
              network.say(
                  Streams.RESAMPLING_DECISIONS,
                  // Such as the other matcher can follow: it would fail first, now and then.
                  new Payload.ResamplingDecision(
                      FAILING, everybodyGoesOn(3), owners, new ParticleMove[] {impossible}));
            });

    assertThat(report.failure()).contains("failed (Matchers)").contains("particle 999");
    theOtherRobotGoesOn();
    assertThat(of("r1").result().path()).hasSize(2);
  }

  @Test
  void endsTheRunAtOnceWhenTheResamplerFails() {
    FinishedMessage report =
        afterAFailure(
            network -> {
              for (int task = 0; task < 2; task++) {
                network.say(
                    Streams.WEIGHTS,
                    new Payload.TaskWeights(
                        FAILING, task, 0, false, new WeightReport(beliefsOfNobody(3), 0)));
              }
              network.deliverAllOf(Streams.WEIGHTS);
            });

    assertThat(report.failure()).contains("failed (Resampler)").contains("weights of 0 particles");
    theOtherRobotGoesOn();
    assertThat(of("r1").result().path()).hasSize(2);
  }

  @Test
  void endsTheRunAtOnceWhenThePublisherFails() {
    FinishedMessage report =
        afterAFailure(
            network -> {
              network.say(
                  Streams.RESAMPLING_RESULTS,
                  new Payload.ResamplingResult(
                      FAILING, beliefsOfNobody(3), resamplingOfNobody(3), 0));
              network.deliverAllOf(Streams.RESAMPLING_RESULTS);
            });

    assertThat(report.failure()).contains("failed (Publisher)");
    assertThat(of("r1").outcome(3)).startsWith("Lost").contains("failed (Publisher)");
    theOtherRobotGoesOn();
  }

  @Test
  void endsTheRunWhenThePublisherHasLostThePaths() {
    ServiceSettings settings = settings(2);
    FinishedMessage report = afterAFailure(network -> network.restartPublisher(0, settings));

    assertThat(report.failure()).contains("The paths until then were lost with a process");
    assertThat(of("r1").outcome(3)).startsWith("Lost");
  }

  /** Half a centimetre a cell, where five would do. */
  @Test
  void saysAtTheEndThatTheMapIsTooLargeAndSendsThePath() {
    List<Reading> readings = Drive.readings(11, 12);
    ServiceSettings settings = finestCells(settings(2));
    Network network = network(1, settings);
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      network.say(reading("r1", sequence, readings));
      network.deliverAll();
    }
    network.say(end("r1", readings.size()));
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
    filter.put("matcher.hitMetres", "0.015");
    filter.put("particles", "2");
    Map<String, String> broker = new HashMap<>(Settings.values(settings.broker()));
    broker.put("maxMessageBytes", "65536");
    return new ServiceSettings(
        Settings.build(FilterSettings.class, filter),
        Settings.build(BrokerSettings.class, broker),
        settings.topology());
  }
}
