package org.cartostream.topology.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.cartostream.topology.arrival.FairQueue.Decision.TAKEN;
import static org.cartostream.topology.arrival.FairQueue.Decision.TOO_MANY_RUNS;
import static org.cartostream.topology.arrival.FairQueue.Decision.TOO_MANY_WAITING;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.cartostream.topology.Drive;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload.Arrival;
import org.junit.jupiter.api.Test;

@Quick
class FairQueueTest {

  private static final int MAX = 64 << 20;
  private static final Reading READING = Drive.readings(11, 1).get(0);

  /** A robot may begin three runs a minute, have five messages waiting, and 20 a second go on. */
  private final FairQueue fairQueue =
      new FairQueue(
          Settings.build(
              TopologySettings.class,
              Map.of(
                  "robotRunsPerMinute", "3",
                  "prefetchMessages", "20",
                  "robotMessagesPerSecond", "20")),
          MAX);

  private long now = TimeUnit.HOURS.toNanos(1);

  private static Arrival reading(String robot, long run, long sequence) {
    return new Arrival.OfReading(new Run(robot, run, 0), sequence, READING, 0, null, null);
  }

  private FairQueue.Decision receive(String robot, long run, long sequence) {
    return fairQueue.receive(reading(robot, run, sequence), false, now, () -> {});
  }

  /** The numbers of the readings that go on, until no more may. */
  private List<Long> drain(String robot) {
    Run run = new Run(robot, 1, 0);
    List<Long> numbers = new ArrayList<>();
    for (Arrival next = fairQueue.next(run, now); next != null; next = fairQueue.next(run, now)) {
      numbers.add(next.sequence());
    }
    return numbers;
  }

  /** One at once, and then as often as runs may begin. */
  @Test
  void messagesLargerThanReadingsAreTakenAsOftenAsRunsBegin() {
    assertThat(fairQueue.takesLarge("r1", MAX, now)).isTrue();
    assertThat(fairQueue.takesLarge("r1", MAX, now)).isFalse();
    assertThat(fairQueue.takesLarge("r2", MAX, now)).as("of another robot").isTrue();
    now += TimeUnit.SECONDS.toNanos(20);
    assertThat(fairQueue.takesLarge("r1", MAX, now)).isTrue();
    assertThat(fairQueue.takesLarge("r1", MAX, now)).isFalse();
    assertThat(fairQueue.troubles())
        .containsExactly("robot r1 sends more than its share, and 2 of its messages were dropped");
  }

  @Test
  void aRobotIsToldOnceASecondThatItsMessagesAreDropped() {
    assertThat(fairQueue.mayTell("r1", now)).isTrue();
    assertThat(fairQueue.mayTell("r1", now)).isFalse();
    assertThat(fairQueue.mayTell("r2", now)).as("another robot").isTrue();
    now += TimeUnit.SECONDS.toNanos(1);
    assertThat(fairQueue.mayTell("r1", now)).isTrue();
  }

  /** So that each is answered that it is refused: 20,000 beams at 10 Hz. */
  @Test
  void readingsOfTooManyBeamsAreTakenAtTheRateOfARobot() {
    FairQueue byDefault = new FairQueue(Settings.defaults(TopologySettings.class), MAX);
    for (int i = 0; i < 6000; i++) {
      assertThat(byDefault.takesLarge("r1", 80_100, now)).isTrue();
      now += TimeUnit.MILLISECONDS.toNanos(100);
    }
  }

  @Test
  void aFloodOfOneRobotLetsAnotherHaveItsTurn() {
    for (int sequence = 1; sequence <= 5; sequence++) {
      assertThat(receive("mallory", 1, sequence)).isEqualTo(TAKEN);
    }
    assertThat(receive("mallory", 1, 6)).isEqualTo(TOO_MANY_WAITING);
    assertThat(drain("mallory")).as("on their way").containsExactly(1L, 2L);
    assertThat(receive("good", 1, 1)).isEqualTo(TAKEN);
    assertThat(drain("good")).containsExactly(1L);
    assertThat(fairQueue.troubles())
        .containsExactly(
            "robot mallory sends more than its share, and 1 of its messages were dropped");
    assertThat(fairQueue.troubles()).isEmpty();
  }

  @Test
  void theNextFollowsWhenOneHasArrivedButNoFasterThanItMay() {
    for (int sequence = 1; sequence <= 5; sequence++) {
      receive("fast", 1, sequence);
    }
    assertThat(drain("fast")).containsExactly(1L, 2L);
    fairQueue.arrived(new Run("fast", 1, 0));
    fairQueue.arrived(new Run("fast", 1, 0));
    assertThat(drain("fast")).as("two at once, at 20 a second").isEmpty();
    now += TimeUnit.MILLISECONDS.toNanos(51);
    assertThat(fairQueue.due(now)).extracting(Arrival::sequence).containsExactly(3L);
    assertThat(fairQueue.due(now)).isEmpty();
  }

  @Test
  void threeRunsAMinuteMayBeginAndTheReadingsOfOneThatHasBegunGoOn() {
    assertThat(receive("mallory", 1, 1)).isEqualTo(TAKEN);
    assertThat(receive("mallory", 2, 1)).isEqualTo(TAKEN);
    assertThat(receive("mallory", 3, 1)).isEqualTo(TAKEN);
    assertThat(receive("mallory", 4, 1)).isEqualTo(TOO_MANY_RUNS);
    assertThat(receive("mallory", 3, 1)).as("sent again").isEqualTo(TAKEN);
    assertThat(receive("mallory", 3, 2)).isEqualTo(TAKEN);
    assertThat(receive("good", 9, 1)).isEqualTo(TAKEN);
    drain("mallory");
    now += TimeUnit.SECONDS.toNanos(21);
    assertThat(receive("mallory", 4, 1)).as("a third of a minute later").isEqualTo(TAKEN);
  }

  private static Arrival large(long sequence, int beams) {
    Scan scan = new Scan(Pose.ORIGIN, 0, 1e-5, 0, 100, new float[beams]);
    return new Arrival.OfReading(
        new Run("mallory", 1, 0), sequence, new Reading(0, Pose.ORIGIN, scan), 0, null, null);
  }

  /** Of 60,000 beams each, a thousand a second would fill any memory until the next checkpoint. */
  @Test
  void aReadingOfManyBeamsCountsForSeveralMessages() {
    for (int sequence = 1; sequence <= 2; sequence++) {
      assertThat(fairQueue.receive(large(sequence, 3999), false, now, () -> {})).isEqualTo(TAKEN);
    }
    assertThat(fairQueue.receive(large(3, 10), false, now, () -> {})).isEqualTo(TOO_MANY_WAITING);
    assertThat(drain("mallory")).as("two messages' worth, at 20 a second").containsExactly(1L);
    now += TimeUnit.MILLISECONDS.toNanos(190);
    assertThat(fairQueue.due(now)).as("two are owed, and two are to be there").isEmpty();
    now += TimeUnit.MILLISECONDS.toNanos(20);
    assertThat(fairQueue.due(now)).extracting(Arrival::sequence).containsExactly(2L);
    assertThat(fairQueue.receive(large(3, 10), false, now, () -> {})).isEqualTo(TAKEN);
  }

  /** Else the dispatcher might acknowledge a message whose receipt comes later, and stays. */
  @Test
  void aReceiptIsKeptBeforeItsMessageCanGoOn() {
    List<Arrival> gone = new ArrayList<>();
    fairQueue.receive(reading("good", 1, 1), false, now, () -> gone.addAll(fairQueue.due(now)));
    assertThat(gone).isEmpty();
    assertThat(drain("good")).isNotEmpty();
    for (int run = 2; run <= 3; run++) {
      receive("good", run, 1);
    }
    fairQueue.receive(reading("good", 9, 1), false, now, () -> fail("kept what is dropped"));
  }

  /** After a dispatcher's death the broker delivers at once all that was taken. */
  @Test
  void whatIsDeliveredAgainIsNeverTooMany() {
    for (int sequence = 1; sequence <= 100; sequence++) {
      assertThat(fairQueue.receive(reading("good", 1, sequence), true, now, () -> {}))
          .isEqualTo(TAKEN);
    }
    fairQueue.clearWaiting();
    assertThat(drain("good")).isEmpty();
  }

  /** The robot is asked for what is dropped. A message that nothing follows takes nothing. */
  @Test
  void whatIsDeliveredAgainMayBeSoManyBytes() {
    FairQueue narrow = new FairQueue(Settings.defaults(TopologySettings.class), MAX, 100_000);
    for (int sequence = 1; sequence <= 3; sequence++) {
      assertThat(narrow.receive(large(sequence, 10_000), true, now, () -> {})).isEqualTo(TAKEN);
    }
    Runnable never = () -> fail("kept what is dropped");
    assertThat(narrow.receive(large(4, 10), true, now, never)).isEqualTo(TOO_MANY_WAITING);
    assertThat(narrow.troubles())
        .containsExactly(
            "1 readings of robot mallory that the broker delivered again were too much at once; it"
                + " is asked for them");
    Run run = new Run("mallory", 1, 0);
    assertThat(narrow.receive(new Arrival.OfEnd(run, 4, 0, 0), true, now, () -> {}))
        .isEqualTo(TAKEN);
    assertThat(narrow.receive(reading("good", 1, 1), true, now, () -> {})).isEqualTo(TAKEN);
    assertThat(narrow.next(run, now).sequence()).isOne();
    assertThat(narrow.receive(large(4, 10), true, now, () -> {})).isEqualTo(TAKEN);
  }

  /** Else there would be no bound on how many robots are remembered. */
  @Test
  void aRobotThatIsSilentIsForgottenWhenItMayBeginAllItsRunsAgain() {
    receive("short", 1, 1);
    receive("short", 2, 1);
    receive("short", 3, 1);
    fairQueue.next(new Run("short", 1, 0), now);
    fairQueue.clearWaiting();
    fairQueue.arrived(new Run("short", 1, 0));
    fairQueue.forgetIdle(now);
    assertThat(receive("short", 4, 1)).as("remembered").isEqualTo(TOO_MANY_RUNS);
    assertThat(fairQueue.troubles()).hasSize(1);
    now += TimeUnit.MINUTES.toNanos(1);
    fairQueue.forgetIdle(now);
    assertThat(receive("short", 3, 1)).as("as if new").isEqualTo(TAKEN);
  }
}
