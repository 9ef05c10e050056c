package org.cartostream.gateway.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cartostream.gateway.TestBroker.SOON;
import static org.cartostream.gateway.TestBroker.soon;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.InMemoryBroker;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.ManualClock;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.TestBroker;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class LiveGatewayTest extends LiveGatewayContract {

  /** Among so many looks at the clock is one whole round of the robot's loop. */
  private static final int LOOKS_OF_A_LOOP = 20;

  private final InMemoryBroker memory = new InMemoryBroker();
  private final TestBroker broker = TestBroker.of(memory);
  private final ManualClock clock = new ManualClock();

  @Override
  TestBroker broker() {
    return broker;
  }

  @Override
  ManualClock clock() {
    return clock;
  }

  /** Has the robot's patience end, again and again. */
  private void letTimePassUntil(BooleanSupplier over) {
    soon()
        .until(
            () -> {
              clock.advanceSeconds(PATIENT_SECONDS + 1);
              return over.getAsBoolean();
            });
  }

  private void awaitReadingsThatWait(int count) {
    String queue = BrokerNames.serviceQueue(broker.settings().service());
    soon().until(() -> broker.ready(queue) == count);
  }

  private void publishInPlaceOfAnAnswer(byte[] frame) throws InterruptedException {
    memory.publish(BrokerNames.ANSWERS, BrokerNames.Answer.OUTCOME.keyTo(robot), frame);
    memory.awaitDeliveries(GATEWAY);
  }

  @Test
  void keepsKeyFramesAndTheNewestReadingWithoutCredit() {
    service.neverAnswers(1).neverAnswers(2).serve();
    LiveGateway liveGateway = live();
    run(liveGateway);
    for (long i = 1; i <= 2; i++) {
      long number = i;
      liveGateway.offer(reading(number));
      soon().until(() -> service.received.size() == number);
    }
    liveGateway.offer(reading(3));
    liveGateway.offer(new Reading(4, FakeService.pose(3), reading(4).scan()));
    liveGateway.offer(new Reading(5, FakeService.pose(3), reading(5).scan()));
    liveGateway.offer(reading(6));
    assertThat(recordingLiveListener.skipped)
        .containsOnly(Map.entry(4L, SkipReason.FILTER_BUSY), Map.entry(5L, SkipReason.FILTER_BUSY));
    assertThat(liveGateway.waiting()).isEqualTo(2);
    assertThat(service.received).hasSize(2);
  }

  @Test
  void beginsAnewWhenTheServiceHasLostTheFilter() {
    service.loses(3).serve();
    LiveGateway liveGateway = live();
    run(liveGateway);
    for (long i = 1; i <= 5; i++) {
      liveGateway.offer(reading(i));
      awaitOutcome(i);
    }
    assertThat(recordingLiveListener.restarts).singleElement().asString().contains("a task died");
    assertThat(recordingLiveListener.outcomes.get(3L).get(0)).isInstanceOf(Outcome.Lost.class);
    assertThat(recordingLiveListener.outcomes.get(5L).get(0)).isInstanceOf(Outcome.Processed.class);
    assertThat(service.received).extracting(Envelope::sequence).containsExactly(1L, 2L, 3L, 1L, 2L);
    assertThat(service.received.stream().map(Envelope::run).distinct()).hasSize(2);
  }

  @Test
  void waitsForAServiceHoweverLongItIsAway() {
    LiveGateway liveGateway = live();
    run(liveGateway);
    for (long i = 1; i <= 40; i++) {
      liveGateway.offer(reading(i));
    }
    letTimePassUntil(() -> !recordingLiveListener.silences.isEmpty());
    clock.advanceSeconds(3600);
    service.serve();
    awaitOutcome(40);
    assertThat(recordingLiveListener.silences)
        .containsExactly("no answer to reading 1 for 60 s; is a service running at this broker?");
    assertThat(recordingLiveListener.restarts).isEmpty();
    assertThat(recordingLiveListener.skipped).isEmpty();
    assertThat(service.taken).hasSize(40);
  }

  /** The service would forget a robot that charges for an hour. */
  @Test
  void showsThatARobotThatStandsStillIsThere() {
    service.serve();
    LiveGateway liveGateway = live();
    run(liveGateway);
    for (long i = 1; i <= 2; i++) {
      liveGateway.offer(reading(i));
      awaitOutcome(i);
    }
    letTimePassUntil(
        () -> service.received.stream().filter(each -> each.sequence() == 2).count() >= 2);
    liveGateway.offer(reading(3));
    awaitOutcome(3);
    assertThat(service.received.stream().map(Envelope::run).distinct()).hasSize(1);
    assertThat(service.received)
        .extracting(Envelope::sequence)
        .isSorted()
        .startsWith(1L)
        .containsSequence(2L, 2L)
        .endsWith(3L);
    assertThat(recordingLiveListener.outcomes)
        .hasSize(3)
        .allSatisfy((i, each) -> assertThat(each).hasSize(1));
    assertThat(recordingLiveListener.restarts).isEmpty();
  }

  @Test
  void saysWhatCameInPlaceOfAnswers() throws Exception {
    OutcomeMessage body = OutcomeMessage.now(new Outcome.Lost("nobody reads this"), 0);
    byte[] future = new Codec(1 << 20).encode(new Envelope(robot, 1, 1, 1, body));
    future[4] = 99; // The version's first byte.
    LiveGateway liveGateway = live();
    publishInPlaceOfAnAnswer(future);
    run(liveGateway);
    liveGateway.offer(reading(1));
    awaitReadingsThatWait(1);
    letTimePassUntil(() -> !recordingLiveListener.silences.isEmpty());
    assertThat(recordingLiveListener.silences.get(0))
        .startsWith("no answer to reading 1 for 60 s, but 1 message that was refused: ")
        .contains("another version of the protocol", "not " + Codec.VERSION)
        .doesNotContain("is a service running");
  }

  @Test
  void saysWhyAReadingIsTooLargeToBeSentAndGoesOn() {
    brokerSettings = Map.of("maxMessageBytes", "65536");
    service.serve();
    LiveGateway liveGateway = live();
    run(liveGateway);
    for (long i = 1; i <= 6; i++) {
      liveGateway.offer(i % 2 == 0 ? large(i) : reading(i));
      awaitOutcome(i);
    }
    for (long i = 2; i <= 6; i += 2) {
      assertThat(recordingLiveListener.outcomes.get(i))
          .containsExactly(
              Outcome.Refused.of(
                  BrokerRefusal.TOO_LARGE.because("ReadingMessage of more than 65536 bytes")));
    }
    assertThat(service.received).extracting(Envelope::sequence).containsExactly(1L, 2L, 3L);
    assertThat(recordingLiveListener.restarts).isEmpty();
  }

  /** It is in pieces. */
  private static Reading large(long number) {
    Scan scan = new Scan(Pose.ORIGIN, -1, 1e-4, 0.1, 8, new float[20_000]);
    return new Reading(number, FakeService.pose(number), scan);
  }

  /** The service drops it as {@code TOO_LARGE}, for it has taken in as much just before. */
  @Test
  void sendsAgainWhatTheServiceHadNoRoomForAndSaysWhyNoAnswerCame() throws Exception {
    AtomicInteger dropped = new AtomicInteger();
    try (FakeService full =
        new FakeService(broker.open("full service", BrokerListener.NONE)) {
          @Override
          public boolean accepts(String whose, int bytes) {
            return bytes < FrameFragmentation.PIECE_BYTES || dropped.get() > 3;
          }

          @Override
          public void dropped(Envelope answer) {
            super.dropped(answer);
            dropped.incrementAndGet();
          }
        }) {
      full.serve();
      LiveGateway liveGateway = live();
      run(liveGateway);
      liveGateway.offer(reading(1));
      awaitOutcome(1);
      liveGateway.offer(large(2));
      soon().until(() -> dropped.get() == 1 && full.unconfirmed() == 0);
      memory.awaitDeliveries(GATEWAY);
      long before = clock.looks();
      soon().until(() -> clock.looks() >= before + LOOKS_OF_A_LOOP);
      letTimePassUntil(() -> recordingLiveListener.outcomes.containsKey(2L));
      liveGateway.offer(reading(3));
      awaitOutcome(3);
      assertThat(full.taken).containsOnly(Map.entry(1L, 1), Map.entry(2L, 1), Map.entry(3L, 1));
    }
    assertThat(recordingLiveListener.silences)
        .singleElement()
        .asString()
        .startsWith("no answer to reading 2 for 60 s, but ")
        .contains(
            "The service had no room for", "number 2: 80", " bytes, more than its robot's share");
    assertThat(recordingLiveListener.restarts).isEmpty();
  }

  /** What was refused before the last answer did not keep the next one from coming. */
  @Test
  void forgetsWhatCameBeforeAnAnswer() throws Exception {
    service.neverAnswers(2).serve();
    LiveGateway liveGateway = live();
    publishInPlaceOfAnAnswer(new byte[] {1});
    run(liveGateway);
    long answered = offerUntilAnswered(liveGateway, 1);
    liveGateway.offer(reading(answered + 1));
    soon().until(() -> service.received.size() == answered + 1);
    letTimePassUntil(() -> !recordingLiveListener.silences.isEmpty());
    assertThat(recordingLiveListener.silences)
        .singleElement()
        .asString()
        .startsWith("no answer to reading 2 for 60 s; the service has died or is cut off, for it");
  }

  @Test
  void anOutageLongerThanTheAnswerTimeoutCostsNoMap() {
    LiveGateway liveGateway = live();
    run(liveGateway);
    liveGateway.offer(reading(1));
    awaitReadingsThatWait(1);
    broker.takeDown(GATEWAY);
    soon().until(() -> !recordingLiveListener.outages.isEmpty());
    clock.advanceSeconds(PATIENT_SECONDS + 1);
    long before = clock.looks();
    soon().until(() -> clock.looks() >= before + LOOKS_OF_A_LOOP);
    service.serve();
    broker.mend(GATEWAY);
    awaitOutcome(1);
    assertThat(recordingLiveListener.restarts).isEmpty();
    assertThat(recordingLiveListener.outcomes.get(1L).get(0)).isInstanceOf(Outcome.Processed.class);
  }

  /** Each answer is met by another reading, so that one waits at any time. */
  @Test
  void endsThoughTheRobotDrivesOnFasterThanTheServiceAnswers() throws Exception {
    service.serveSlowly(20);
    LiveGateway liveGateway = live();
    long offered = 0;
    while (offered < 20) {
      liveGateway.offer(reading(++offered));
    }
    assertThat(liveGateway.waiting()).isEqualTo(20);
    Thread run = run(liveGateway);
    liveGateway.stop();
    long stopped = offered;
    while (run.isAlive() && offered < 20_000) {
      liveGateway.offer(reading(++offered));
      run.join(1);
    }
    run.join(SOON.toMillis());
    assertThat(recordingLiveListener.skipped)
        .isNotEmpty()
        .allSatisfy(
            (stamp, why) -> {
              assertThat(stamp).isGreaterThan(stopped);
              assertThat(why).isEqualTo(SkipReason.GATEWAY_STOPPED);
            });
    assertThat(recordingLiveListener.path).extracting(PathPose::stampNanos).hasSize(20).isSorted();
    assertThat(recordingLiveListener.outcomes.size() + recordingLiveListener.skipped.size())
        .isEqualTo((int) offered);
  }

  @Test
  void saysWhatIsMissingWhenARunCannotEndInTime() throws Exception {
    service.neverAnswers(1).serve();
    LiveGateway liveGateway = live();
    liveGateway.offer(reading(1));
    liveGateway.stop();
    Thread run = run(liveGateway);
    soon()
        .until(() -> service.received.stream().anyMatch(each -> each.body() instanceof EndMessage));
    memory.awaitDeliveries(SERVICE); // It has said all it will say,
    soon().until(() -> service.unconfirmed() == 0); // and all has left,
    memory.awaitDeliveries(GATEWAY); // and has come.
    letTimePassUntil(() -> !run.isAlive());
    assertThat(recordingLiveListener.incompleteEnds)
        .containsExactly("no answer to reading 1 for 60 s; is a service running at this broker?");
    assertThat(recordingLiveListener.outcomes.get(1L).get(0)).isInstanceOf(Outcome.Lost.class);
    assertThat(recordingLiveListener.path).as("it came all the same").hasSize(1);
  }

  /** What was mapped before is all there is. */
  @Test
  void saysThatItsRunWasLostWhenNothingIsLeftForAnother() throws Exception {
    service.loses(1).serve();
    LiveGateway liveGateway = live();
    Thread run = run(liveGateway);
    liveGateway.offer(reading(1));
    soon().until(() -> !recordingLiveListener.restarts.isEmpty());
    liveGateway.stop();
    run.join(SOON.toMillis());
    assertThat(recordingLiveListener.incompleteEnds)
        .containsExactly(
            "nothing was sent since it began anew: the service lost a reading: a task died");
  }

  @Test
  void handsOverThePathOfARunThatTheServiceCouldNotEnd() throws Exception {
    service.cannotSendItsMapFor("the map is too large").serve();
    LiveGateway liveGateway = live();
    Thread run = run(liveGateway);
    liveGateway.offer(reading(1));
    awaitOutcome(1);
    liveGateway.stop();
    run.join(SOON.toMillis());
    assertThat(recordingLiveListener.incompleteEnds).containsExactly("the map is too large");
    assertThat(recordingLiveListener.path).hasSize(1);
  }

  // --- another process goes on -------------------------------------------------------------------

  private void killed(LiveGateway liveGateway, Thread run) throws Exception {
    kill(liveGateway, run, folder);
    recordingLiveListener.outcomes.clear();
  }

  private void awaitReceived(long sequence) {
    soon().until(() -> service.received.stream().anyMatch(each -> each.sequence() == sequence));
  }

  @Test
  void goesOnWithTheRunWhoseGatewayWasKilled() throws Exception {
    service.hasACheckpointAt(4).neverAnswers(9).neverAnswers(10).serve();
    service.corrects(new Correction(3, Pose.ORIGIN, 0.25));
    LiveGateway first = live();
    Thread dead = run(first);
    for (long i = 1; i <= 10; i++) {
      first.offer(reading(i));
      awaitReceived(i);
    }
    awaitOutcome(8);
    service.sends(MapMessage.of(FakeService.MAP, 0));
    soon().until(() -> !recordingLiveListener.maps.isEmpty());
    for (long i = 11; i <= 15; i++) { // They wait, but for the newest on the disk.
      first.offer(reading(i));
    }
    killed(first, dead);
    service.close(); // With all that it had since its checkpoint.
    service = new FakeService(broker.open(SERVICE, BrokerListener.NONE)).goesOnBehind(4).serve();

    recordingLiveListener.maps.clear();
    LiveGateway second = live(true);
    Thread run = run(second);
    awaitOutcome(14);
    second.offer(reading(16));
    awaitOutcome(16);
    second.stop();
    run.join(SOON.toMillis());
    assertThat(service.received.stream().map(Envelope::run).distinct()).hasSize(1);
    assertThat(service.taken.keySet())
        .as("behind the checkpoint")
        .containsExactlyElementsOf(LongStream.rangeClosed(5, 15).boxed().toList());
    assertThat(recordingLiveListener.outcomes).containsOnlyKeys(9L, 10L, 11L, 12L, 13L, 14L, 16L);
    assertThat(recordingLiveListener.resumed).containsExactly("10: 6 open, correction 3");
    assertThat(recordingLiveListener.maps).as("that of before, and the last").hasSize(2);
    assertThat(((ReadingMessage) service.received.get(0).body()).heldMap()).isOne();
    assertThat(recordingLiveListener.path).extracting(PathPose::stampNanos).endsWith(14L, 16L);
    assertThat(folder.resolve("checkpoint").resolve(RunJournal.FILE)).doesNotExist();
  }

  /** As when it is killed: it is not ended in order. */
  @Test
  void leavesWhatWaitsToTheProcessThatHasTakenItsRun() throws Exception {
    service.neverAnswers(1).neverAnswers(2).serve();
    LiveGateway first = live();
    Thread run = run(first);
    for (long i = 1; i <= 2; i++) {
      first.offer(reading(i));
      awaitReceived(i);
    }
    for (long i = 3; i <= 6; i++) { // They wait, but for the newest on the disk.
      first.offer(reading(i));
    }
    first.abandon();
    run.join(SOON.toMillis());
    first.close();
    assertThat(recordingLiveListener.skipped).isEmpty();
    assertThat(live(true).waiting()).isEqualTo(3);
  }

  /** The service takes no more readings of it. */
  @Test
  void fetchesTheResultsOfARunThatHadEnded() throws Exception {
    service.neverAnswers(2).serve();
    LiveGateway first = live();
    Thread dead = run(first);
    first.offer(reading(1));
    awaitOutcome(1);
    first.offer(reading(2));
    first.stop();
    soon().until(() -> service.received.stream().anyMatch(e -> e.body() instanceof EndMessage));
    killed(first, dead);
    service.close();
    service = new FakeService(broker.open(SERVICE, BrokerListener.NONE)).goesOnBehind(0).serve();
    recordingLiveListener.path.clear();
    LiveGateway second = live(true);
    second.offer(reading(3));
    second.stop(); // As Ctrl-C: the first, which gives nothing up.
    run(second).join(SOON.toMillis());
    assertThat(recordingLiveListener.path).extracting(PathPose::stampNanos).containsExactly(1L, 2L);
    assertThat(recordingLiveListener.skipped).containsEntry(3L, SkipReason.GATEWAY_STOPPED);
  }

  @Test
  void goesOnNowhereElse() throws Exception {
    assertThatThrownBy(() -> live(true))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("there is nothing to resume")
        .hasMessageContaining(folder.toString());
    service.serve();
    LiveGateway first = live();
    Thread dead = run(first);
    first.offer(reading(1));
    awaitOutcome(1);
    killed(first, dead);
    robot = "another";
    assertThatThrownBy(() -> live(true))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("it was another run: robot was robot-")
        .hasMessageContaining(" and is another now");
  }

  @Test
  void endsAtOnceWhenStoppedBeforeTheFirstReading() throws Exception {
    LiveGateway liveGateway = live();
    Thread run = run(liveGateway);
    liveGateway.stop();
    run.join(SOON.toMillis());
    assertThat(run.isAlive()).isFalse();
  }
}
