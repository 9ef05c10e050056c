package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link TwoPublishersTest}, at many moments, and with deaths of several tasks. */
class TwoPublishersAccuracyTest extends NetworkTest {

  private static final int READINGS = 16;
  private static final int DYING = 8;

  /** More take their time. */
  private static final int SEEDS = Integer.getInteger("cartostream.seeds", 6);

  private final List<Reading> readings = Drive.readings(11, READINGS);

  private static ServiceSettings settings(String mode) {
    return TwoPublishersTest.settings(mode);
  }

  /** As when one of two workers dies: the one with the heads of the topology, or the other. */
  @ParameterizedTest
  @CsvSource({"0, 4", "0, 17", "0, 30", "1, 4", "1, 17", "1, 30"})
  void goesOnWhenItsWholeWorkerDies(int publisher, int deliveriesBefore) {
    ServiceSettings settings = settings("dataflow");
    Network network = halfDone(readings, DYING, deliveriesBefore, settings);
    network.restartDispatcher(settings);
    network.restartResampler(settings);
    network.restartMatcher(1, settings);
    network.losePublisher(publisher);
    network.restartPublisher(publisher, settings);
    say(network, readings, DYING, DYING + 1);
    driveToTheEnd(network, readings, DYING + 1);

    assertWentOn(settings, readings);
  }

  /** The one that came back is told by the other what it has missed, and can take its place. */
  @ParameterizedTest
  @CsvSource({
    "dataflow, 0, 0",
    "dataflow, 0, 9",
    "dataflow, 0, 20",
    "dataflow, 1, 5",
    "dataflow, 1, 27",
    "bsp, 0, 6",
    "bsp, 1, 13"
  })
  void losesNothingWhenBothDieOneAfterTheOther(String mode, int first, int deliveriesBefore) {
    ServiceSettings settings = settings(mode);
    Network network = halfDone(readings, DYING, deliveriesBefore, settings);
    network.losePublisher(first);
    network.restartPublisher(first, settings);
    drive(network, readings, DYING + 1, DYING + 2);
    awaitFollowing(network, first);
    drive(network, readings, DYING + 3, DYING + 4);
    network.losePublisher(1 - first);
    network.restartPublisher(1 - first, settings);
    drive(network, readings, DYING + 5, DYING + 6);
    awaitFollowing(network, 1 - first);
    network.losePublisher(first);
    driveToTheEnd(network, readings, DYING + 7);

    assertUndisturbed(settings, readings);
    assertThat(of("r1").report().taskBalance().keyFrames()).isEqualTo(READINGS);
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, SEEDS);
  }

  private static void pass(Network network, Random random) {
    for (int i = random.nextInt(40); i > 0; i--) {
      network.deliverOne();
      if (random.nextInt(8) == 0) {
        network.tick();
      }
    }
  }

  /** Words and ticks come in any order while it is told. */
  @ParameterizedTest
  @MethodSource("seeds")
  void losesNothingThoughReadingsComeWhileItIsTold(long seed) {
    Random random = new Random(new SplittableRandom(seed).nextLong());
    ServiceSettings settings = settings(seed % 2 == 0 ? "dataflow" : "bsp");
    Network network = network(seed, settings);
    drive(network, readings, 1, 4);
    network.losePublisher(0);
    network.restartPublisher(0, settings);
    for (int sequence = 5; sequence <= DYING; sequence++) {
      int unanswered = sequence - 2;
      goOnUntil(() -> of("r1").answered() >= unanswered, () -> pass(network, random));
      network.say(reading("r1", sequence, readings));
      pass(network, random);
    }
    awaitAnswers(network, DYING);
    awaitFollowing(network, 0);
    network.losePublisher(1);
    driveToTheEnd(network, readings, DYING + 1);

    assertUndisturbed(settings, readings);
  }
}
