package org.cartostream.topology;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One of two workers dies at any moment, with what is on its way to it; it is away for a while, and
 * another takes its place.
 */
class WorkerDeathAccuracyTest extends NetworkTest {

  private static final int READINGS = 20;
  private static final int WORKERS = 2;

  /** As many as one may be ahead of the answers. */
  private static final int MOST_SAID = 3;

  /** So many words at most are said to others before another takes its place. */
  private static final int MOST_AWAY = 200;

  /** How many moments there are for each worker; more take their time. */
  private static final int SEEDS = Integer.getInteger("cartostream.seeds", 2);

  private final List<Reading> readings = Drive.readings(11, READINGS);

  static Stream<Arguments> deaths() {
    return LongStream.rangeClosed(1, SEEDS)
        .boxed()
        .flatMap(
            seed ->
                Stream.of(
                    Arguments.of(seed, 0, "dataflow", List.of(Component.Resampler.class)),
                    Arguments.of(seed, 1, "dataflow", List.of(Component.Resampler.class)),
                    Arguments.of(seed, 0, "dataflow", List.of(Component.Dispatcher.class)),
                    Arguments.of(seed, 1, "dataflow", List.of(Component.Dispatcher.class)),
                    Arguments.of(seed, 0, "bsp", List.of()),
                    Arguments.of(seed, 1, "bsp", List.of()),
                    Arguments.of(seed, 0, "bsp", List.of(Component.Dispatcher.class)),
                    Arguments.of(seed, 1, "bsp", List.of(Component.Dispatcher.class))));
  }

  /**
   * @param seed of the moment
   * @param worker the number of its matcher, and of its publisher: 0 speaks to the robot
   * @param heads what is in the worker, besides a matcher and a publisher
   */
  @ParameterizedTest
  @MethodSource("deaths")
  void goesOnWhateverTheMoment(
      long seed, int worker, String mode, List<Class<? extends Component>> heads) {
    Random random = random(seed);
    ServiceSettings settings = settings(mode);
    Network network = network(seed, settings);
    int dying = 3 + random.nextInt(READINGS - 6);
    drive(network, readings, 1, dying - 1);
    int said = die(network, random, dying, worker, heads, settings);
    driveToTheEnd(network, readings, said + 1);

    assertWentOn(settings, readings);
  }

  /**
   * The worker that took the dead one's place was told what it needs by then. (A death may take all
   * particles along that a verdict kept, and nobody can help that; of the first 40 seeds none
   * does.)
   */
  @ParameterizedTest
  @MethodSource("deaths")
  void goesOnWhenTheOtherDiesLater(
      long seed, int worker, String mode, List<Class<? extends Component>> heads) {
    Random random = random(seed);
    ServiceSettings settings = settings(mode);
    Network network = network(seed, settings);
    drive(network, readings, 1, 5);
    int said = die(network, random, 6, worker, heads, settings);
    awaitFollowing(network, worker);
    drive(network, readings, said + 1, 12);
    said = die(network, random, 13, 1 - worker, List.of(), settings);
    driveToTheEnd(network, readings, said + 1);

    assertWentOn(settings, readings);
  }

  /** Seeds that are near to each other would begin alike. */
  private static Random random(long seed) {
    return new Random(new SplittableRandom(seed).nextLong());
  }

  private static ServiceSettings settings(String mode) {
    // Where words and ticks come in any order, many seconds pass from one word to the next.
    return settings(WORKERS, "readingTimeoutSeconds", "120", "mode", mode, "workers", "2");
  }

  /**
   * A worker dies and another takes its place.
   *
   * @param dying the first reading that is said before
   * @return the last, when it has its answer
   */
  private int die(
      Network network,
      Random random,
      int dying,
      int worker,
      List<Class<? extends Component>> heads,
      ServiceSettings settings) {
    int said = dying + random.nextInt(MOST_SAID);
    say(network, readings, dying, said);
    network.deliver(random.nextInt(60));
    network.loseWorker(worker, heads);
    for (int i = random.nextInt(MOST_AWAY); i > 0; i--) {
      network.deliverOne();
      if (random.nextInt(20) == 0) {
        network.tick();
      }
    }
    network.startWorker(worker, heads, settings);
    say(network, readings, dying, said);
    awaitAnswers(network, said);
    return said;
  }
}
