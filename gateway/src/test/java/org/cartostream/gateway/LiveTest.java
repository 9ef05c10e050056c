package org.cartostream.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.gateway.TestBroker.SOON;
import static org.cartostream.gateway.TestBroker.soon;

import java.util.Map;
import java.util.function.BooleanSupplier;
import org.cartostream.broker.BrokerNames;
import org.cartostream.broker.Codec;
import org.cartostream.broker.EndMessage;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.InMemoryBroker;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.OutcomeMessage;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.api.Test;

class LiveTest extends LiveContract {

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
    Live live = live();
    run(live);
    for (long i = 1; i <= 2; i++) {
      long number = i;
      live.offer(reading(number));
      soon().until(() -> service.received.size() == number);
    }
    live.offer(reading(3));
    live.offer(new Reading(4, FakeService.pose(3), reading(4).scan()));
    live.offer(new Reading(5, FakeService.pose(3), reading(5).scan()));
    live.offer(reading(6));
    assertThat(heard.leftOut)
        .containsOnly(Map.entry(4L, LeftOut.FILTER_BUSY), Map.entry(5L, LeftOut.FILTER_BUSY));
    assertThat(live.waiting()).isEqualTo(2);
    assertThat(service.received).hasSize(2);
  }

  @Test
  void beginsAnewWhenTheServiceHasLostTheFilter() {
    service.loses(3).serve();
    Live live = live();
    run(live);
    for (long i = 1; i <= 5; i++) {
      live.offer(reading(i));
      awaitOutcome(i);
    }
    assertThat(heard.restarts).singleElement().asString().contains("a task died");
    assertThat(heard.outcomes.get(3L).get(0)).isInstanceOf(Outcome.Lost.class);
    assertThat(heard.outcomes.get(5L).get(0)).isInstanceOf(Outcome.Processed.class);
    assertThat(service.received).extracting(Envelope::sequence).containsExactly(1L, 2L, 3L, 1L, 2L);
    assertThat(service.received.stream().map(Envelope::run).distinct()).hasSize(2);
  }

  @Test
  void beginsAnewWhenNoServiceAnswers() {
    Live live = live();
    run(live);
    live.offer(reading(1));
    awaitReadingsThatWait(1);
    letTimePassUntil(() -> heard.outcomes.containsKey(1L));
    assertThat(heard.outcomes.get(1L).get(0)).isInstanceOf(Outcome.Lost.class);
    soon().until(() -> !heard.restarts.isEmpty());
    assertThat(heard.restarts.get(0)).contains("is a service running at this broker?");
    service.serve();
    offerUntilAnswered(live, 2);
  }

  /** The service would forget a robot that charges for an hour. */
  @Test
  void showsThatARobotThatStandsStillIsThere() {
    service.serve();
    Live live = live();
    run(live);
    for (long i = 1; i <= 2; i++) {
      live.offer(reading(i));
      awaitOutcome(i);
    }
    letTimePassUntil(
        () -> service.received.stream().filter(each -> each.sequence() == 2).count() >= 2);
    live.offer(reading(3));
    awaitOutcome(3);
    assertThat(service.received.stream().map(Envelope::run).distinct()).hasSize(1);
    assertThat(service.received)
        .extracting(Envelope::sequence)
        .isSorted()
        .startsWith(1L)
        .containsSequence(2L, 2L)
        .endsWith(3L);
    assertThat(heard.outcomes).hasSize(3).allSatisfy((i, each) -> assertThat(each).hasSize(1));
    assertThat(heard.restarts).isEmpty();
  }

  @Test
  void saysWhatCameInPlaceOfAnswersWhenItBeginsAnew() throws Exception {
    OutcomeMessage body = OutcomeMessage.now(new Outcome.Lost("nobody reads this"));
    byte[] future = new Codec(1 << 20).encode(new Envelope(robot, 1, 1, 1, body));
    future[4] = 99; // The version's first byte.
    Live live = live();
    publishInPlaceOfAnAnswer(future);
    run(live);
    live.offer(reading(1));
    awaitReadingsThatWait(1);
    letTimePassUntil(() -> heard.outcomes.containsKey(1L));
    soon().until(() -> !heard.restarts.isEmpty());
    assertThat(heard.restarts.get(0))
        .startsWith("no answer for 60 s, but 1 message that was refused: ")
        .contains("another version of the protocol", "not " + Codec.VERSION)
        .doesNotContain("is a service running");
  }

  /** What was refused before the last answer did not keep the next one from coming. */
  @Test
  void forgetsWhatCameBeforeAnAnswer() throws Exception {
    service.neverAnswers(2).serve();
    Live live = live();
    publishInPlaceOfAnAnswer(new byte[] {1});
    run(live);
    long answered = offerUntilAnswered(live, 1);
    heard.restarts.clear();
    live.offer(reading(answered + 1));
    soon().until(() -> service.received.size() == answered + 1);
    letTimePassUntil(() -> !heard.restarts.isEmpty());
    assertThat(heard.restarts.get(0))
        .isEqualTo("no answer for 60 s; is a service running at this broker?");
  }

  @Test
  void anOutageLongerThanTheAnswerTimeoutCostsNoMap() {
    Live live = live();
    run(live);
    live.offer(reading(1));
    awaitReadingsThatWait(1);
    broker.takeDown(GATEWAY);
    soon().until(() -> !heard.outages.isEmpty());
    clock.advanceSeconds(PATIENT_SECONDS + 1);
    long before = clock.looks();
    soon().until(() -> clock.looks() >= before + LOOKS_OF_A_LOOP);
    service.serve();
    broker.mend(GATEWAY);
    awaitOutcome(1);
    assertThat(heard.restarts).isEmpty();
    assertThat(heard.outcomes.get(1L).get(0)).isInstanceOf(Outcome.Processed.class);
  }

  /** Each answer is met by another reading, so that one waits at any time. */
  @Test
  void endsThoughTheRobotDrivesOnFasterThanTheServiceAnswers() throws Exception {
    service.serveSlowly(20);
    Live live = live();
    long offered = 0;
    while (offered < 20) {
      live.offer(reading(++offered));
    }
    assertThat(live.waiting()).isEqualTo(20);
    Thread run = run(live);
    live.stop();
    long stopped = offered;
    while (run.isAlive() && offered < 20_000) {
      live.offer(reading(++offered));
      run.join(1);
    }
    run.join(SOON.toMillis());
    assertThat(heard.leftOut)
        .isNotEmpty()
        .allSatisfy(
            (stamp, why) -> {
              assertThat(stamp).isGreaterThan(stopped);
              assertThat(why).isEqualTo(LeftOut.GATEWAY_STOPPED);
            });
    assertThat(heard.path).extracting(PathPose::stampNanos).hasSize(20).isSorted();
    assertThat(heard.outcomes.size() + heard.leftOut.size()).isEqualTo((int) offered);
  }

  @Test
  void saysWhatIsMissingWhenARunCannotEndInTime() throws Exception {
    service.neverAnswers(1).serve();
    Live live = live();
    live.offer(reading(1));
    live.stop();
    Thread run = run(live);
    soon()
        .until(() -> service.received.stream().anyMatch(each -> each.body() instanceof EndMessage));
    memory.awaitDeliveries(SERVICE); // It has said all it will say,
    soon().until(() -> service.unconfirmed() == 0); // and all has left,
    memory.awaitDeliveries(GATEWAY); // and has come.
    letTimePassUntil(() -> !run.isAlive());
    assertThat(heard.brokenEnds)
        .containsExactly("no answer to reading 1 for 60 s; is a service running at this broker?");
    assertThat(heard.outcomes.get(1L).get(0)).isInstanceOf(Outcome.Lost.class);
    assertThat(heard.path).as("it came all the same").hasSize(1);
  }

  /** What was mapped before is all there is. */
  @Test
  void saysThatItsRunWasLostWhenNothingIsLeftForAnother() throws Exception {
    service.loses(1).serve();
    Live live = live();
    Thread run = run(live);
    live.offer(reading(1));
    soon().until(() -> !heard.restarts.isEmpty());
    live.stop();
    run.join(SOON.toMillis());
    assertThat(heard.brokenEnds)
        .containsExactly(
            "nothing was sent since it began anew: the service lost a reading: a task died");
  }

  @Test
  void handsOverThePathOfARunThatTheServiceCouldNotEnd() throws Exception {
    service.cannotSendItsMapFor("the map is too large").serve();
    Live live = live();
    Thread run = run(live);
    live.offer(reading(1));
    awaitOutcome(1);
    live.stop();
    run.join(SOON.toMillis());
    assertThat(heard.brokenEnds).containsExactly("the map is too large");
    assertThat(heard.path).hasSize(1);
  }

  @Test
  void endsAtOnceWhenStoppedBeforeTheFirstReading() throws Exception {
    Live live = live();
    Thread run = run(live);
    live.stop();
    run.join(SOON.toMillis());
    assertThat(run.isAlive()).isFalse();
  }
}
