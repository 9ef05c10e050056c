package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever dies, whenever, and whatever is lost on its way: the robot is told, to the last bit,
 * what it would have been told had nothing happened.
 */
class RecoveryTest extends NetworkTest {

  private static final int SCHEDULES = 50;

  @ParameterizedTest
  @CsvSource({"dataflow, 2", "dataflow, 3", "bsp, 2", "bsp, 3"})
  void givesTheUndisturbedAnswer(String mode, int tasks) {
    for (int schedule = 0; schedule < SCHEDULES; schedule++) {
      answers.clear();
      long seed = 1000L * tasks + schedule;
      run(seed, checkpointed(settings(tasks, "mode", mode), 2));
    }
  }

  private void run(long seed, ServiceSettings settings) {
    Random random = new Random(seed);
    List<Reading> readings = Drive.readings(11, 24);
    Network network = network(seed, settings);
    int kills = 1 + random.nextInt(4);
    int said = 0;
    int seconds = 0;
    boolean ended = false;
    while (of("r1").report() == null) {
      assertThat(seconds).as("seconds, seed " + seed).isLessThan(2000);
      while (said < readings.size() && said - of("r1").answered() < 2) {
        said++;
        network.say(reading("r1", said, readings));
      }
      if (!ended && of("r1").answered() == readings.size()) {
        ended = true;
        network.say(end("r1", readings.size()));
      }
      network.deliver(random.nextInt(60));
      if (kills > 0 && random.nextInt(12) == 0) {
        kills--;
        if (random.nextInt(4) == 0) {
          network.cutLink();
        } else {
          network.killSome();
        }
      }
      if (random.nextInt(6) == 0) {
        network.startOne();
      }
      if (random.nextInt(3) == 0) {
        network.tick();
        seconds++;
      }
    }
    assertThat(of("r1").report().failure()).as("seed " + seed).isEmpty();
    assertUndisturbed(settings, readings);
    network.close();
  }
}
