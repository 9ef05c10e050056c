package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;

/** What tests have in common whose messages come in any order, and twice or not. */
abstract class AnyOrder extends NetworkTest {

  /** A robot sends all readings with two unanswered at most, some of them again, and the end. */
  final void driveInAnyOrder(Network network, String robot, List<Reading> readings, Random random) {
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      network.send(reading(robot, sequence, readings));
      if (random.nextInt(4) == 0) {
        network.send(reading(robot, 1 + random.nextInt(sequence), readings));
      }
      while (sequence - of(robot).answered() >= 2) {
        assertThat(network.deliverOne()).as("number %d is answered", sequence).isTrue();
      }
    }
    network.send(end(robot, readings.size()));
    network.deliverAll();
  }

  final void assertAnswersAsTheSerialFilter(String mode, int tasks, long seed) {
    List<Reading> readings = Drive.readings(11, 60);
    readings.set(7, Drive.blind(readings.get(7)));
    // Whoever is slower gets fewer particles, by whatever the clock says.
    ServiceSettings settings = settings(tasks, "mode", mode, "balanceTolerance", "0");
    Network network = network(seed, settings);

    driveInAnyOrder(network, "r1", readings, new Random(seed));

    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", readings));
    assertThat(of("r1").report().processed()).isEqualTo(59);
    assertThat(of("r1").report().refused()).isEqualTo(1);
    assertThat(of("r1").report().lost()).isZero();
    assertThat(of("r1").report().resamplings()).isPositive();
    assertThat(of("r1").report().bytesMoved() > 0).isEqualTo(tasks > 1);
  }

  final void assertServesTwoRobotsAsEachAlone(String mode, long seed) {
    ServiceSettings settings = settings(3, "mode", mode);
    Network network = network(seed, settings);
    List<Reading> first = Drive.readings(21, 40);
    List<Reading> second = Drive.readings(22, 40);
    for (int sequence = 1; sequence <= 40; sequence++) {
      network.send(reading("r1", sequence, first));
      network.send(reading("r2", sequence, second));
      while (sequence - of("r1").answered() >= 2 || sequence - of("r2").answered() >= 2) {
        assertThat(network.deliverOne()).isTrue();
      }
    }
    network.send(end("r1", 40));
    network.send(end("r2", 40));
    network.deliverAll();

    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", first));
    assertThat(of("r2").result()).isEqualTo(Answers.serial(settings.filter(), "r2", second));
  }
}
