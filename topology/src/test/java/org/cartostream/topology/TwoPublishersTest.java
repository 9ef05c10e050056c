package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where there are several processes, a run outlives the death of the one with its publisher. */
class TwoPublishersTest extends NetworkTest {

  private static final int READINGS = 16;
  private static final int DYING = 8;
  private static final int TASKS = 3;

  private final List<Reading> readings = new ArrayList<>(Drive.readings(11, READINGS));

  static ServiceSettings settings(String mode) {
    // Where words and ticks come in any order, many seconds pass from one word to the next.
    return settings(TASKS, "readingTimeoutSeconds", "120", "mode", mode, "workers", "2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void saysEachThingOnceWhileNobodyDies(String mode) {
    Network network = network(1, settings(mode));
    driveToTheEnd(network, readings, 1);

    assertThat(said(OutcomeMessage.class)).isEqualTo(READINGS);
    assertThat(said(PoseMessage.class)).isEqualTo(READINGS);
    assertUndisturbed(settings(mode), readings);
  }

  /** Whatever has come of two readings before. */
  @ParameterizedTest
  @CsvSource({
    "dataflow, 0, 0",
    "dataflow, 0, 2",
    "dataflow, 0, 5",
    "dataflow, 0, 9",
    "dataflow, 0, 14",
    "dataflow, 0, 20",
    "dataflow, 0, 27",
    "dataflow, 0, 35",
    "dataflow, 1, 0",
    "dataflow, 1, 9",
    "dataflow, 1, 20",
    "bsp, 0, 0",
    "bsp, 0, 6",
    "bsp, 0, 13",
    "bsp, 1, 6"
  })
  void losesNothingWhenOneDies(String mode, int publisher, int deliveriesBefore) {
    ServiceSettings settings = settings(mode);
    Network network = halfDone(readings, DYING, deliveriesBefore, settings);
    network.losePublisher(publisher);
    network.restartPublisher(publisher, settings);
    driveToTheEnd(network, readings, DYING + 1);

    assertUndisturbed(settings, readings);
  }

  /** Nobody says that it has lost the paths: it is not heard of any more. */
  @Test
  void losesNothingWhenNobodyTakesItsPlace() {
    ServiceSettings settings = settings("dataflow");
    Network network = halfDone(readings, DYING, 9, settings);
    network.losePublisher(0);
    driveToTheEnd(network, readings, DYING);

    assertUndisturbed(settings, readings);
  }

  @Test
  void saysTheFarewellOfTheOneThatDied() {
    ServiceSettings settings = settings("dataflow");
    Network network = network(1, settings);
    drive(network, readings, 1, READINGS);
    network.say(end("r1", READINGS));
    network.deliverAllFromRobots();
    network.losePublisher(0);
    network.restartPublisher(0, settings);
    network.deliverAll();
    assertThat(of("r1").report()).isNull();
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertUndisturbed(settings, readings);
  }

  /** Nobody speaks of a robot that stands still but the other publisher; it gets its map, too. */
  @Test
  void isToldOfARobotThatSaysNothingMeanwhile() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(DYING, readings, settings);
    network.losePublisher(0);
    network.restartPublisher(0, settings);
    awaitFollowing(network, 0);
    network.losePublisher(1);
    long maps = said(MapMessage.class);
    // Maps leave the publisher time for poses, by the clock on the wall.
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(50))
        .pollInSameThread()
        .until(
            () -> {
              network.pass(1);
              return said(MapMessage.class) > maps;
            });
    driveToTheEnd(network, readings, DYING + 1);

    assertUndisturbed(settings, readings);
  }

  /** As one that was started anew: it has missed a word, and is told. */
  @Test
  void makesUpForAWordThatItMissed() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(DYING - 1, readings, settings);
    missesTheAdmission(network, 1, DYING);
    drive(network, readings, DYING + 1, DYING + 2);
    awaitFollowing(network, 1);
    assertThat(network.delivered(Streams.STORIES)).isOne();
    network.losePublisher(0);
    driveToTheEnd(network, readings, DYING + 3);

    assertUndisturbed(settings, readings);
  }

  /** As when its map does not fit into the memory a second time. */
  @Test
  void goesOnThoughItCannotTellTheOther() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(DYING, readings, settings);
    network.failAt(Streams.STORIES);
    network.restartPublisher(1, settings);
    network.pass(10);
    driveToTheEnd(network, readings, DYING + 1);

    assertThat(network.hasFailed()).isTrue();
    assertUndisturbed(settings, readings);
  }

  /** Robots wait for their poses meanwhile. */
  @Test
  void tellsOneStoryAtATime() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(2, readings, settings);
    for (String robot : List.of("r2", "r3")) {
      network.say(reading(robot, 1, readings));
      network.deliverAll();
    }
    network.restartPublisher(1, settings);
    int told = 0;
    for (int second = 0; second < 10; second++) {
      network.tick();
      int now = network.onItsWay(Streams.STORIES).size();
      assertThat(now).isLessThanOrEqualTo(1);
      told += now;
      network.deliverAll();
    }
    assertThat(told).isEqualTo(3);
  }

  /** What the other has not heard yet does not bring it back. */
  @Test
  void doesNotBringBackARunThatIsOver() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(DYING, readings, settings);
    Run run = new Run("r1", RUN, 0).begun(FIRST_ORDER);
    network.say(Streams.PUBLISHER_RELEASED, new Payload.RunReleased(run));
    network.lose(Streams.PUBLISHER_RELEASED, 1);
    network.deliverAll();
    network.pass(4);
    network.say(Streams.PUBLISHER_RECALLS, new Payload.Recall(run));
    network.deliverAllOf(Streams.PUBLISHER_RECALLS);

    assertThat(network.onItsWay(Streams.REMEMBERED))
        .extracting(Payload.Remembered::publisher, Payload.Remembered::settled)
        .containsExactlyInAnyOrder(tuple(0, 0L), tuple(1, (long) DYING));
  }

  /** What it missed it cannot make up for by itself; nobody is told a path with a gap. */
  @Test
  void doesNotSpeakIfItHasMissedAWord() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(DYING - 1, readings, settings);
    missesTheAdmission(network, 1, DYING);
    drive(network, readings, DYING + 1, DYING + 2);
    network.losePublisher(0);
    network.restartPublisher(0, settings);
    network.say(reading("r1", DYING + 3, readings));
    network.deliverAll();
    network.say(end("r1", DYING + 3));
    awaitReport(network, "r1");

    assertThat(of("r1").outcome(DYING + 2)).startsWith("Pose");
    assertThat(of("r1").outcome(DYING + 3)).startsWith("Lost").contains("were lost");
    assertThat(of("r1").report().failure()).contains("lost with a process");
    assertThat(of("r1").path()).isEmpty();
  }

  private void missesTheAdmission(Network network, int publisher, int sequence) {
    network.say(reading("r1", sequence, readings));
    network.deliverAllFromRobots();
    network.lose(Streams.ADMITTED, publisher);
    network.deliverAll();
  }

  /** Whatever comes next: another reading, the same again, or the end. */
  @ParameterizedTest
  @ValueSource(strings = {"another", "the same", "the end"})
  void hasTheOtherSpeakAsSoonAsItNoticesThatItMissedAWord(String next) {
    ServiceSettings settings = settings("dataflow");
    Network network = network(1, settings);
    int missed = next.equals("the end") ? READINGS : DYING;
    drive(network, readings, 1, missed - 1);
    missesTheAdmission(network, 0, missed);
    if (next.equals("the same")) {
      network.say(reading("r1", missed, readings));
      network.deliverAll();
    }
    driveToTheEnd(network, readings, missed + 1);

    assertUndisturbed(settings, readings);
  }

  /** It could have been the last word for long. */
  @Test
  void isToldAgainThatItSpeaks() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(DYING - 1, readings, settings);
    network.losePublisher(0);
    network.restartPublisher(0, settings);
    network.say(reading("r1", DYING, readings));
    network.deliverAllBut(Streams.SPEAKERS);
    assertThat(of("r1").answered()).isEqualTo(DYING - 1);
    driveToTheEnd(network, readings, DYING + 1);

    assertUndisturbed(settings, readings);
  }

  /** The new dispatcher names the one that has heard of more; the other must not have a gap. */
  @Test
  void namesTheOneThatKnowsMoreWhenTheDispatcherDies() {
    ServiceSettings settings = settings("dataflow");
    Network network = networkAfter(DYING - 1, readings, settings);
    network.say(reading("r1", DYING, readings));
    network.deliverAllFromRobots();
    network.lose(Streams.ADMITTED, 0);
    network.lose(Streams.SERVED, 0);
    do {
      network.lose(Streams.SERVED, 0);
    } while (network.deliverOne());
    network.restartDispatcher(settings);
    network.say(reading("r1", DYING, readings));
    driveToTheEnd(network, readings, DYING);

    assertUndisturbed(settings, readings);
  }

  @Test
  void leavesARunThatBeginsLaterToTheOneThatCameBack() {
    ServiceSettings settings = settings("dataflow");
    Network network = network(1, settings);
    network.restartPublisher(1, settings);
    drive(network, readings, 1, DYING);
    network.restartPublisher(0, settings);
    driveToTheEnd(network, readings, DYING + 1);

    assertUndisturbed(settings, readings);
  }

  private long said(Class<?> kind) {
    return of("r1").all().stream().map(Envelope::body).filter(kind::isInstance).count();
  }
}
