package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who computes or publishes lets go of a run if nobody says that it lives. */
class ForgottenRunTest extends NetworkTest {

  private static final int TASKS = 3;

  /** Where a robot may be silent for 5, and a reading may take 30. */
  private static final int FORGOTTEN_AFTER_SECONDS = 2 * 5 + 30;

  private static final Run SAID = new Run("r1", RUN, 0);
  private static final Run BEGUN = SAID.begun(FIRST_ORDER);

  private final List<Reading> readings = Drive.readings(11, 5);

  /** Its dispatcher dies and its robot has left, so that the successor never learns of it. */
  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void isLetGoOfThoughNoDispatcherKnowsIt(String mode) {
    ServiceSettings settings = settings(TASKS, "robotTimeoutSeconds", "5", "mode", mode);
    Network network = networkAfter(3, readings, settings);
    network.restartDispatcher(settings);

    letPass(network, 5);
    speakOfTheRun(network);
    letPass(network, FORGOTTEN_AFTER_SECONDS);
    assertThat(tasksThatHoldTheRun(network)).isEqualTo(TASKS);
    assertThat(newestThatThePublisherKnows(network)).isEqualTo(3);
    assertThat(resamplerHoldsTheRun(network)).isEqualTo(mode.equals("dataflow"));
    letPass(network, FORGOTTEN_AFTER_SECONDS + 1);
    assertThat(tasksThatHoldTheRun(network)).isZero();
    assertThat(newestThatThePublisherKnows(network)).isZero();
    assertThat(resamplerHoldsTheRun(network)).isFalse();
  }

  /** Each would tell the other of it for ever. */
  @Test
  void isLetGoOfByBothPublishers() {
    ServiceSettings settings = settings(TASKS, "robotTimeoutSeconds", "5", "workers", "2");
    Network network = networkAfter(3, readings, settings);
    network.restartPublisher(1, settings);
    network.restartDispatcher(settings);
    for (int second = 0; second < FORGOTTEN_AFTER_SECONDS; second++) {
      assertThat(newestThatThePublisherKnows(network)).isEqualTo(3);
      network.pass(1);
    }
    assertThat(network.delivered(Streams.STORIES)).isOne();
    for (int second = 0; second < 3; second++) {
      network.pass(1);
      assertThat(newestThatThePublisherKnows(network)).isZero();
    }
  }

  private static void speakOfTheRun(Network network) {
    network.say(Streams.MATCHERS_KEEP_ALIVE, new Payload.RunKeepAlive(BEGUN));
    network.say(Streams.RESAMPLER_KEEP_ALIVE, new Payload.RunKeepAlive(BEGUN));
    network.say(Streams.PUBLISHER_KEEP_ALIVE, new Payload.RunKeepAlive(BEGUN));
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
    return all.stream().mapToLong(Payload.Remembered::settled).max().orElseThrow();
  }

  /** It fails at the opinion of a task of which there is none, unless it knows nobody's. */
  private static boolean resamplerHoldsTheRun(Network network) {
    double[] none = {};
    ParticleWeights particleWeights =
        new ParticleWeights(4, new int[0], none, none, none, none, new long[0], 0);
    network.say(
        Streams.WEIGHTS,
        new Payload.TaskWeights(BEGUN, TASKS, 0, false, new WeightReport(particleWeights, 0)));
    network.deliverAllOf(Streams.WEIGHTS);
    return network.lose(Streams.RESAMPLER_FAILED);
  }

  /** The others would otherwise hear nothing of it. */
  @Test
  void isSaidToLiveWhileItsRobotStandsStill() {
    ServiceSettings settings = settings(TASKS, "robotTimeoutSeconds", "8");
    Network network = networkAfter(1, readings, settings);
    letPass(network, 3);
    assertThat(network.isOnItsWay(Streams.RESAMPLER_KEEP_ALIVE)).isTrue();
    assertThat(network.isOnItsWay(Streams.PUBLISHER_KEEP_ALIVE)).isTrue();
    assertThat(network.onItsWay(Streams.MATCHERS_KEEP_ALIVE))
        .isNotEmpty()
        .allMatch(word -> word.run().equals(BEGUN));
  }
}
