package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A word of another run of the same robot comes while its latest goes on, which it must not end.
 */
@Quick
class PriorRunTest extends NetworkTest {

  private static final long OTHER = RUN + 7;
  private static final int LATE = 4;

  private final List<Reading> readings = Drive.readings(11, 8);
  private final ServiceSettings settings = settings(2);

  private void send(Network network, long run, int sequence, Message body) {
    network.send(envelope("r1", run, sequence, body));
  }

  private ReadingMessage reading(int sequence) {
    return new ReadingMessage(readings.get(sequence - 1));
  }

  /** The service has never heard of it, or has forgotten it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isDroppedInItsMiddleAndAtItsEnd(boolean end) {
    Network network = networkAfter(3, readings, settings);
    send(network, OTHER, 6, end ? new EndMessage(6, 0) : reading(6));
    network.deliverAll();
    driveToTheEnd(network, readings, 4);

    assertUndisturbed(settings, readings);
  }

  /** What was known of earlier runs died with the dispatcher. */
  @Test
  void isDroppedByANewDispatcherWhoHearsItFirst() {
    Network network = networkAfterTwoRuns();
    network.restartDispatcher();
    send(network, OTHER, LATE, reading(LATE));
    network.deliverAll();
    driveToTheEnd(network, readings, 4);

    assertUndisturbed(settings, readings);
  }

  /** The same, and the robot speaks while the checkpoint is looked for. */
  @Test
  void isDroppedByANewDispatcherWhoHearsItAmongOthers() {
    Network network = networkAfterTwoRuns();
    network.restartDispatcher();
    network.send(reading("r1", 4, readings));
    network.deliverAllFromRobots();
    send(network, OTHER, LATE, reading(LATE));
    network.deliverAllFromRobots();
    network.deliverAll();
    driveToTheEnd(network, readings, 4);

    assertUndisturbed(settings, readings);
  }

  /** A new dispatcher has heard nothing of the robot; the publisher knows its run before. */
  @Test
  void isFollowedByAnotherThoughTheDispatcherIsNew() {
    Network network = networkAfter(3, readings, settings);
    answers.clear();
    network.restartDispatcher();
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      send(network, OTHER, sequence, reading(sequence));
      awaitAnswers(network, sequence);
    }
    send(network, OTHER, readings.size(), new EndMessage(readings.size(), 0));
    awaitReport(network, "r1");

    assertUndisturbed(settings, readings);
  }

  /** The other run has three answers, too, which its robot has heard. */
  private Network networkAfterTwoRuns() {
    Network network = network(1, settings);
    for (int sequence = 1; sequence < LATE; sequence++) {
      send(network, OTHER, sequence, reading(sequence));
      awaitAnswers(network, sequence);
    }
    answers.clear();
    drive(network, readings, 1, 3);
    return network;
  }

  /** The robot sends again what is not answered. */
  @Test
  void isBegunThoughItsSecondReadingCameFirst() {
    Network network = networkAfter(3, readings, settings);
    answers.clear();
    send(network, OTHER, 2, reading(2));
    send(network, OTHER, 1, reading(1));
    network.deliverAll();
    assertThat(of("r1").answered()).isEqualTo(1);
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      send(network, OTHER, sequence, reading(sequence));
      awaitAnswers(network, sequence);
    }
    send(network, OTHER, readings.size(), new EndMessage(readings.size(), 0));
    awaitReport(network, "r1");

    assertUndisturbed(settings, readings);
  }
}
