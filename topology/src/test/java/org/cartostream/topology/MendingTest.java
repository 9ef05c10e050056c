package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.awaitility.Awaitility;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A task dies with its particles, and the run goes on with those of the others. */
class MendingTest extends NetworkTest {

  private static final int READINGS = 14;
  private static final int DYING = 7;
  private static final int TASKS = 3;

  /** Metres; the drive's noise alone makes this of odometry within some readings. */
  private static final double NEAR = 0.15;

  /** Whatever the task has done of the reading before it dies. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 7, 9, 11, 13, 15, 18, 21, 24, 28})
  void goesOnWithCopiesOfTheParticlesThatAreLeft(int deliveriesBefore) {
    List<Reading> readings = Drive.readings(11, READINGS);
    ServiceSettings settings = settings(TASKS, "readingTimeoutSeconds", "2");
    Network network = network(deliveriesBefore, settings);
    drive(network, readings, 1, DYING - 1);
    network.say(reading("r1", DYING, readings));
    network.say(reading("r1", DYING + 1, readings));
    for (int i = 0; i < deliveriesBefore; i++) {
      network.deliverOne();
    }
    network.restartMatcher(1, settings);
    awaitAnswers(network, DYING + 1);
    drive(network, readings, DYING + 2, READINGS);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(READINGS);
    assertThat(of("r1").report().lost()).isZero();
    assertThat(of("r1").report().rebuilt()).isBetween(1L, (long) settings.filter().particles() - 1);
    assertIsNear(of("r1").path(), Answers.serial(settings.filter(), "r1", readings).path());
  }

  private static void assertIsNear(List<PathPose> path, List<PathPose> undisturbed) {
    assertThat(path).hasSameSizeAs(undisturbed);
    for (int i = 0; i < path.size(); i++) {
      assertThat(path.get(i).sequence()).isEqualTo(undisturbed.get(i).sequence());
      assertThat(path.get(i).pose().distance(undisturbed.get(i).pose())).isLessThan(NEAR);
    }
  }

  @Test
  void changesNothingWhenATaskIsOnlySlow() {
    List<Reading> readings = Drive.readings(11, READINGS);
    ServiceSettings settings = settings(TASKS, "readingTimeoutSeconds", "2");
    Network network = network(1, settings);
    drive(network, readings, 1, DYING - 1);
    network.say(reading("r1", DYING, readings));
    network.deliverAllFromRobots();
    Awaitility.await()
        .pollInSameThread()
        .until(
            () -> {
              network.tick();
              return network.isOnItsWay(Streams.ROLL_CALLS);
            });
    network.deliverAll();
    drive(network, readings, DYING + 1, READINGS);
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertThat(of("r1").report().rebuilt()).isZero();
    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", readings));
  }

  @Test
  void outlivesASecondDeath() {
    List<Reading> readings = Drive.readings(11, READINGS);
    ServiceSettings settings = settings(2, "readingTimeoutSeconds", "2");
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

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(READINGS);
    assertIsNear(of("r1").path(), Answers.serial(settings.filter(), "r1", readings).path());
  }

  private void drive(Network network, List<Reading> readings, int from, int to) {
    for (int sequence = from; sequence <= to; sequence++) {
      network.say(reading("r1", sequence, readings));
      awaitAnswers(network, sequence);
    }
  }
}
