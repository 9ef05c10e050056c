package org.cartostream.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.EndMessage;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.MapMessage;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.local.CutWire;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.OccupancyGrid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReplayTest extends BrokerTest {

  /** A sixth of it is longer than a busy machine stands still; then readings are sent again. */
  private static final int PATIENT_SECONDS = 45;

  private static final Duration SOON = Duration.ofSeconds(30);

  private final String robot = "robot-" + UUID.randomUUID();
  private final MemorySink sink = new MemorySink();
  private FakeService service;

  @BeforeEach
  void startService() {
    service = new FakeService(broker.uri());
  }

  @AfterEach
  void stopService() {
    service.close();
  }

  private Replay replay(Pace pace, int answerTimeoutSeconds, ReplayListener listener) {
    return replay(broker.uri(), pace, answerTimeoutSeconds, listener, sink);
  }

  private Replay replay(
      String uri, Pace pace, int answerTimeoutSeconds, ReplayListener listener, Sink to) {
    GatewaySettings settings = new GatewaySettings(2, answerTimeoutSeconds, 50, 64);
    BrokerSettings broker = BrokerSettings.defaults().withUri(uri);
    return Replay.open(
        robot,
        pace,
        settings,
        to,
        listener,
        outages -> BrokerConnection.open(broker, "gateway", outages));
  }

  private static ReplayReport run(Replay replay, Iterator<LogEntry> log)
      throws InterruptedException {
    try (replay) {
      return replay.run(log);
    }
  }

  private ReplayReport run(Iterator<LogEntry> log) throws InterruptedException {
    return run(replay(Pace.MAX, PATIENT_SECONDS, new Unheard()), log);
  }

  @Test
  void bringsEveryReadingOverAndTheResultBack() throws Exception {
    service.serve();
    ReplayReport report = run(Logs.of(300));
    assertThat(report.failure()).isEmpty();
    assertThat(report.counts()).isEqualTo(new ReadingCounts(300, 300, 0, 0, 0));
    assertThat(service.taken).hasSize(300);
    assertThat(sink.path)
        .extracting(PathPose::sequence)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 300).boxed().toList());
    assertThat(sink.lastMap.cells()).isEqualTo(FakeService.MAP.cells());
    assertThat(report.finished()).get().matches(finished -> finished.processed() == 300);
    assertThat(service.received).last().extracting(Envelope::body).isEqualTo(new EndMessage(300));
  }

  @Test
  void neverHasMoreReadingsUnansweredThanThereIsCredit() throws Exception {
    service.neverAnswers(10).neverAnswers(11).serve();
    Replay replay = replay(Pace.MAX, 6, new Unheard());
    Thread stopsIt = new Thread(() -> stopOnceSentAgain(replay, 11), "stops the replay");
    stopsIt.start();
    ReplayReport report = run(replay, Logs.of(300));
    stopsIt.join();
    assertThat(service.taken).hasSize(11);
    assertThat(report.counts()).isEqualTo(new ReadingCounts(11, 9, 0, 0, 2));
  }

  private void stopOnceSentAgain(Replay replay, long sequence) {
    await()
        .atMost(SOON)
        .until(
            () ->
                service.received.stream().filter(each -> each.sequence() == sequence).count() > 1);
    replay.stop();
    replay.stop();
  }

  @Test
  void countsUnusableLinesByReasonAndNeverSendsThem() throws Exception {
    service.cannotUse(4).serve();
    ReplayReport report = run(Logs.of(20, i -> i % 5 == 0 ? Logs.refused(i) : Logs.taken(i)));
    assertThat(report.counts()).isEqualTo(new ReadingCounts(20, 15, 5, 0, 0));
    assertThat(report.refusedByReason()).isEqualTo(Map.of("NO_BEAMS", 4L, "ODOMETRY_JUMP", 1L));
    assertThat(service.taken).hasSize(16);
  }

  @Test
  void endsAnEmptyLogWithAnEmptyPath() throws Exception {
    service.serve();
    ReplayReport report = run(Logs.of(0));
    assertThat(report.failure()).isEmpty();
    assertThat(report.counts()).isEqualTo(new ReadingCounts(0, 0, 0, 0, 0));
    assertThat(sink.path).isEmpty();
  }

  @Test
  void dropsTheSecondOutcomeOfAReading() throws Exception {
    service.answersEverythingTwice().serve();
    ReplayReport report = run(Logs.of(50));
    assertThat(report.counts()).isEqualTo(new ReadingCounts(50, 50, 0, 0, 0));
    assertThat(report.duplicates()).isBetween(49L, 50L);
  }

  @Test
  void losesNothingAndTakesNothingTwiceWhenItsWireIsCutAgainAndAgain() throws Exception {
    service.serve();
    try (CutWire wire = new CutWire(URI.create(broker.uri()).getPort())) {
      ReplayReport report =
          run(
              replay(through(wire), Pace.MAX, PATIENT_SECONDS, everyHundred(wire::cut), sink),
              Logs.of(1000));
      assertThat(report.failure()).isEmpty();
      assertThat(report.counts()).isEqualTo(new ReadingCounts(1000, 1000, 0, 0, 0));
      assertThat(report.outages()).isBetween(5L, 10L);
    }
    assertThat(service.taken).hasSize(1000).allSatisfy((i, times) -> assertThat(times).isOne());
    assertThat(sink.path).hasSize(1000);
  }

  @Test
  void bearsAServiceWhoseWireIsCutAgainAndAgain() throws Exception {
    try (CutWire wire = new CutWire(URI.create(broker.uri()).getPort());
        FakeService far = new FakeService(through(wire)).serve()) {
      ReplayReport report =
          run(replay(Pace.MAX, PATIENT_SECONDS, everyHundred(wire::cut)), Logs.of(1000));
      assertThat(report.failure()).isEmpty();
      assertThat(report.counts()).isEqualTo(new ReadingCounts(1000, 1000, 0, 0, 0));
      assertThat(report.outages()).isZero();
      assertThat(far.taken).hasSize(1000);
    }
  }

  private static String through(CutWire wire) {
    int port = URI.create(broker.uri()).getPort();
    return broker.uri().replace(":" + port, ":" + wire.port());
  }

  private static ReplayListener everyHundred(Runnable then) {
    return new OutcomeListener(answered -> answered % 100 == 0, then);
  }

  @Test
  void keepsTheLogsPaceAndItsMultiples() throws Exception {
    service.serve();
    Replay replay = replay(new Pace(10), PATIENT_SECONDS, new Unheard());
    long began = System.nanoTime();
    ReplayReport report = run(replay, Logs.of(51));
    double logSeconds = 5;
    assertThat(report.counts().processed()).isEqualTo(51);
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo((long) (logSeconds * 1e9 / 10));
  }

  @Test
  void givesUpWithAClearSentenceWhenNoServiceAnswers() throws Exception {
    service.close(); // Nobody takes readings.
    ReplayReport report = run(replay(Pace.MAX, 1, new Unheard()), Logs.of(10));
    assertThat(report.failure())
        .contains("no answer to reading 1 for 1 s; is a service running at this broker?");
    assertThat(report.counts()).isEqualTo(new ReadingCounts(2, 0, 0, 0, 2));
    assertThat(report.finished()).isEmpty();
  }

  @Test
  void countsWhatAServiceSwallowsAsLost() throws Exception {
    service.neverAnswers(1).serve();
    ReplayReport report = run(replay(Pace.MAX, 1, new Unheard()), Logs.of(1));
    assertThat(report.failure()).get().asString().startsWith("no answer to reading 1 for 1 s");
    assertThat(report.counts()).isEqualTo(new ReadingCounts(1, 0, 0, 0, 1));
  }

  @Test
  void endsInOrderWithTheReasonWhenAReadingIsLost() throws Exception {
    service.loses(30).serve();
    ReplayReport report = run(Logs.endless(i -> {}));
    assertThat(report.failure()).contains("reading 30 was lost: a task died");
    ReadingCounts counts = report.counts();
    assertThat(counts.lost()).isEqualTo(1);
    assertThat(counts.processed()).isBetween(29L, 31L).isEqualTo(counts.read() - 1);
    assertThat(sink.path).hasSize((int) counts.processed());
  }

  /** The log lasts a minute at its own pace. */
  @Test
  void endsAtOnceWhenAReadingIsLostHoweverSlowThePace() throws Exception {
    service.loses(3).serve();
    ReplayReport report = run(replay(new Pace(1), PATIENT_SECONDS, new Unheard()), Logs.of(600));
    assertThat(report.failure()).contains("reading 3 was lost: a task died");
    ReadingCounts counts = report.counts();
    assertThat(counts.lost()).isEqualTo(1);
    assertThat(counts.read()).as("the next may be due before the answer comes").isBetween(3L, 4L);
    assertThat(counts.processed()).isEqualTo(counts.read() - 1);
    assertThat(sink.path).hasSize((int) counts.processed());
  }

  @Test
  void refusesToHaveOneRobotTwice() throws Exception {
    service.serve();
    try (Replay first = replay(Pace.MAX, PATIENT_SECONDS, new Unheard())) {
      assertThatThrownBy(() -> replay(Pace.MAX, PATIENT_SECONDS, new Unheard()))
          .isInstanceOf(BrokerException.class)
          .hasMessageContainingAll(robot, "somebody else already takes");
      assertThat(first.run(Logs.of(20)).counts().processed()).isEqualTo(20);
    }
  }

  @Test
  void endsInOrderWhenItIsStopped() throws Exception {
    service.serve();
    AtomicReference<Replay> running = new AtomicReference<>();
    AtomicLong read = new AtomicLong();
    running.set(replay(Pace.MAX, PATIENT_SECONDS, onOutcome(40, () -> running.get().stop())));
    ReplayReport report = run(running.get(), Logs.endless(read::set));
    assertThat(report.failure()).isEmpty();
    assertThat(report.counts().processed()).isBetween(40L, 45L).isEqualTo(report.counts().read());
    assertThat(sink.path).hasSize((int) report.counts().processed());
    assertThat(sink.lastMap).isNotNull();
  }

  @Test
  void givesUpAtOnceWhenItIsStoppedTwice() throws Exception {
    service.neverAnswers(41).serve();
    AtomicReference<Replay> running = new AtomicReference<>();
    Runnable twice =
        () -> {
          running.get().stop();
          running.get().stop();
        };
    running.set(replay(Pace.MAX, 60, onOutcome(40, twice)));
    ReplayReport report = run(running.get(), Logs.endless(i -> {}));
    assertThat(report.failure()).contains("stopped before the service had finished");
    ReadingCounts counts = report.counts();
    assertThat(counts.lost()).isPositive();
    assertThat(counts.processed() + counts.lost()).isEqualTo(counts.read());
  }

  private static ReplayListener onOutcome(long number, Runnable then) {
    return new OutcomeListener(answered -> answered == number, then);
  }

  /** Does something when so many readings are answered. Owns their count. */
  private static final class OutcomeListener extends Unheard {

    private final LongPredicate when;
    private final Runnable then;
    private long answered;

    OutcomeListener(LongPredicate when, Runnable then) {
      this.when = when;
      this.then = then;
    }

    @Override
    public void onOutcome(Outcome outcome) {
      if (when.test(++answered)) {
        then.run();
      }
    }
  }

  @Test
  void goesOnWhenGarbageIsOnItsQueue() throws Exception {
    service.serve();
    ReplayReport report = run(Logs.of(40, i -> withGarbage(i, 20)));
    assertThat(report.counts().processed()).isEqualTo(40);
    assertThat(report.failure()).isEmpty();
  }

  /** Who has an answer's bytes and no answer is told so, and not that there is no service. */
  @Test
  void saysWhatCameInPlaceOfAnswers() throws Exception {
    ReplayReport report =
        run(replay(Pace.MAX, 3, new Unheard()), Logs.of(10, i -> withGarbage(i, 1, 2)));
    assertThat(report.failure())
        .get()
        .asString()
        .startsWith("no answer to reading 1 for 3 s, but 2 messages that were refused: ")
        .contains("The message is no message of Cartostream")
        .doesNotContain("is a service running");
  }

  /** Before some readings of the log a stranger writes onto the robot's queue. */
  private LogEntry withGarbage(long i, long... before) {
    if (LongStream.of(before).anyMatch(each -> each == i)) {
      byte[] garbage = "not a message at all".getBytes(StandardCharsets.UTF_8);
      Stranger.answers(broker.uri(), robot, garbage);
    }
    return Logs.taken(i);
  }

  @Test
  void keepsThePathAndSaysAtOnceWhyThereIsNoMap() throws Exception {
    service.cannotSendItsMapFor("it is too large").serve();
    ReplayReport report = run(Logs.of(20));
    assertThat(report.failure()).contains("it is too large");
    assertThat(report.counts().processed()).isEqualTo(20);
    assertThat(sink.path).hasSize(20);
    assertThat(sink.lastMap).isNull();
  }

  @Test
  void takesNoAnswersToAnEarlierRun() throws Exception {
    service.serve();
    run(Logs.of(5));
    ReplayReport second = run(Logs.of(5));
    assertThat(second.counts().processed()).isEqualTo(5);
    assertThat(second.duplicates()).isZero();
    assertThat(service.taken.values()).containsOnly(1);
  }

  @Test
  void saysWhenTheResultsCannotBeWritten() throws Exception {
    service.serve();
    Sink full =
        new Sink() {
          @Override
          public void map(OccupancyGrid map) {}

          @Override
          public void end(OccupancyGrid map, List<PathPose> path) throws IOException {
            throw new IOException("no space left on device");
          }

          @Override
          public void end(List<PathPose> path) {}
        };
    ReplayReport report =
        run(replay(broker.uri(), Pace.MAX, PATIENT_SECONDS, new Unheard(), full), Logs.of(3));
    assertThat(report.failure()).contains("the results cannot be written: no space left on device");
  }

  @Test
  void handsMapsOnWhileTheRunGoesOn() throws Exception {
    service.serve();
    ReplayReport report = run(Logs.of(20, this::withMap));
    assertThat(report.counts().processed()).isEqualTo(20);
    assertThat(sink.maps).extracting(OccupancyGrid::cells).containsExactly(FakeService.MAP.cells());
  }

  /** In the middle of the log the service sends a map. */
  private LogEntry withMap(long i) {
    if (i == 10) {
      service.sends(MapMessage.of(FakeService.MAP, false));
    }
    return Logs.taken(i);
  }
}
