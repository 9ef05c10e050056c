package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever comes in whatever order, and twice or not: the answers are those of the serial filter.
 * The bolts are the real ones; only Storm is replaced by a {@link Network}.
 */
@Quick
class AnyOrderTest extends AnyOrder {

  @ParameterizedTest
  @CsvSource({"dataflow,1,1", "dataflow,4,4", "bsp,4,4"})
  void answersAsTheSerialFilterDoes(String mode, int tasks, long seed) {
    assertAnswersAsTheSerialFilter(mode, tasks, seed);
  }

  @ParameterizedTest
  @CsvSource({"dataflow,1", "bsp,4"})
  void servesTwoRobotsAsEachAlone(String mode, long seed) {
    assertServesTwoRobotsAsEachAlone(mode, seed);
  }

  @Test
  void reportsAnEndWithNothingRead() {
    Network network = network(1, settings(2));
    network.send(end("r1", 0));
    network.deliverAll();

    assertThat(of("r1").report().processed()).isZero();
    assertThat(of("r1").result().path()).isEmpty();
  }

  @Test
  void saysEverythingAgainWhenAskedAgainAfterTheEnd() {
    List<Reading> readings = Drive.readings(11, 10);
    Network network = network(1, settings(2));
    driveInAnyOrder(network, "r1", readings, new Random(1));
    Answers.Result result = of("r1").result();
    answers.clear();

    network.send(reading("r1", 9, readings));
    network.send(reading("r1", 10, readings));
    network.send(end("r1", 10));
    network.deliverAll();

    assertThat(of("r1").result().path()).isEqualTo(result.path());
    assertThat(of("r1").result().map()).isEqualTo(result.map());
    assertThat(of("r1").outcome(9)).isEqualTo(result.outcomes().get(9L));
    assertThat(of("r1").outcome(10)).isEqualTo(result.outcomes().get(10L));
  }

  @Test
  void letsGoOfMapAndPathSomeTimeAfterTheEndAndSaysSo() {
    List<Reading> readings = Drive.readings(11, 10);
    Network network = network(1, settings(2, "finalResultSeconds", "1"));
    driveInAnyOrder(network, "r1", readings, new Random(1));
    assertThat(of("r1").path()).hasSize(10);
    answers.clear();
    network.tick();
    network.tick();
    network.send(end("r1", 10));
    network.deliverAll();

    assertThat(of("r1").path()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(10);
    assertThat(of("r1").report().failure())
        .isEqualTo("The map and the path were kept for 1 s and are gone");
  }

  /** Whatever the numbers: a robot's clock may have been set back. */
  @ParameterizedTest
  @CsvSource({"dataflow,1", "dataflow,-1", "bsp,1", "bsp,-1"})
  void beginsAfreshWithALaterRunAndDropsTheEarlierOne(String mode, long by) {
    long number = RUN + by;
    List<Reading> readings = Drive.readings(11, 20);
    ServiceSettings settings = settings(3, "mode", mode);
    Network network = network(4, settings);
    for (int sequence = 1; sequence <= 2; sequence++) {
      network.send(reading("r1", sequence, readings));
    }
    for (int i = 0; i < 12; i++) {
      network.deliverOne();
    }
    answers.clear();
    List<Reading> others = Drive.readings(12, 20);
    for (int sequence = 1; sequence <= 20; sequence++) {
      network.send(envelope("r1", number, sequence, new ReadingMessage(others.get(sequence - 1))));
      network.send(reading("r1", 3, readings));
      network.deliverAll();
    }
    network.send(envelope("r1", number, 20, new EndMessage(20, 0)));
    network.deliverAll();

    Answers later = new Answers();
    of("r1").all().stream().filter(answer -> answer.run() == number).forEach(later::hear);
    assertThat(later.result()).isEqualTo(Answers.serial(settings.filter(), "r1", others));
  }

  @Test
  void turnsAwayWhatExceedsTheCredit() {
    List<Reading> readings = Drive.readings(11, 6);
    Network network = networkAfter(1, readings, settings(2));
    send(network, readings, 2, 6);
    // The dispatcher hears all five before any task answers it.
    network.deliverAllFromRobots();
    network.send(end("r1", 6));
    network.deliverAll();

    assertThat(of("r1").outcome(5)).contains("TOO_MANY_WAITING");
    assertThat(of("r1").outcome(6)).contains("TOO_MANY_WAITING");
    assertThat(of("r1").report().processed()).isEqualTo(4);
    assertThat(of("r1").report().refused()).isEqualTo(2);
  }

  /** It is turned away; what did not come before it is waited for. */
  @Test
  void waitsForAGapThoughTheCreditIsExceeded() {
    List<Reading> readings = Drive.readings(11, 5);
    Network network = network(1, settings(2));
    network.send(reading("r1", 1, readings));
    network.deliverAll();
    for (int sequence : new int[] {3, 4, 5, 2}) {
      network.send(reading("r1", sequence, readings));
    }
    network.send(end("r1", 5));
    network.deliverAll();

    assertThat(of("r1").outcome(5)).contains("TOO_MANY_WAITING");
    assertThat(of("r1").report().processed()).isEqualTo(4);
    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").path()).hasSize(4);
  }

  @Test
  void turnsAwayWhatComesAfterTheEnd() {
    List<Reading> readings = Drive.readings(11, 3);
    Network network = networkAfter(1, readings, settings(1));
    network.send(end("r1", 1));
    network.send(reading("r1", 2, readings));
    network.deliverAll();

    assertThat(of("r1").outcome(2)).contains("AFTER_THE_END");
  }

  @Test
  void letsTheEndWaitForReadingsThatItCounts() {
    List<Reading> readings = Drive.readings(11, 4);
    ServiceSettings settings = settings(2);
    Network network = networkAfter(1, readings, settings);
    network.send(end("r1", 4));
    network.deliverAll();
    assertThat(of("r1").report()).isNull();
    for (int sequence = 2; sequence <= 4; sequence++) {
      network.send(reading("r1", sequence, readings));
      network.deliverAll();
    }

    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", readings));
  }

  @Test
  void servesReadingsInTheOrderOfTheirNumbersThoughTheyOvertakeEachOther() {
    List<Reading> readings = Drive.readings(11, 6);
    ServiceSettings settings = settings(2);
    Network network = network(1, settings);
    for (int sequence : new int[] {2, 1, 4, 5, 3, 6}) {
      network.send(reading("r1", sequence, readings));
      network.deliverAll();
    }
    network.send(end("r1", 6));
    network.deliverAll();

    assertThat(of("r1").result()).isEqualTo(Answers.serial(settings.filter(), "r1", readings));
  }
}
