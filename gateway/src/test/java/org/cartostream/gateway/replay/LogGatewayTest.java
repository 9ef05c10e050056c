package org.cartostream.gateway.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.gateway.TestBroker.soon;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.InMemoryBroker;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.Logs;
import org.cartostream.gateway.ManualClock;
import org.cartostream.gateway.NoReplayListener;
import org.cartostream.gateway.OutcomeListener;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.TestBroker;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.gateway.session.OutgoingReadings;
import org.cartostream.gateway.sink.Sink;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class LogGatewayTest extends LogGatewayContract {

  /** Longer than the replay's loop sleeps. */
  private static final Duration LOOP = Duration.ofMillis(250);

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

  /** Runs until the replay has no patience left; its time goes once {@code then} is over. */
  private ReplayReport runUntilItGivesUp(Iterator<LogEntry> log, Callable<Boolean> until)
      throws Exception {
    CompletableFuture<ReplayReport> running = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                running.complete(run(log));
              } catch (InterruptedException e) {
                running.completeExceptionally(e);
              }
            },
            "replay");
    thread.start();
    soon().until(until);
    soon()
        .until(
            () -> {
              clock.advanceSeconds(PATIENT_SECONDS + 1);
              return running.isDone();
            });
    return running.get();
  }

  private boolean bothReadingsWait() {
    return broker.ready(BrokerNames.serviceQueue(broker.settings().service())) >= 2;
  }

  @Test
  void neverHasMoreReadingsUnansweredThanThereIsCredit() throws Exception {
    service.neverAnswers(10).neverAnswers(11).serve();
    LogGateway logGateway = replay(Pace.MAX, new NoReplayListener());
    Thread stopsIt = new Thread(() -> stopOnceSentAgain(logGateway, 11), "stops the replay");
    stopsIt.start();
    ReplayReport report = run(logGateway, Logs.of(300));
    stopsIt.join();
    assertThat(service.taken).hasSize(11);
    assertThat(report.counts()).isEqualTo(new ReadingCounts(11, 9, 0, 0, 2));
  }

  /** Its time goes on until a reading is sent again, but not so far that it gives up. */
  private void stopOnceSentAgain(LogGateway logGateway, long sequence) {
    soon().until(() -> timesReceived(sequence) == 1);
    soon()
        .pollInterval(LOOP)
        .until(
            () -> {
              clock.advanceSeconds(PATIENT_SECONDS / OutgoingReadings.RESENDS_PER_TIMEOUT + 1);
              return timesReceived(sequence) > 1;
            });
    logGateway.stop();
    logGateway.stop();
  }

  private long timesReceived(long sequence) {
    return service.received.stream().filter(each -> each.sequence() == sequence).count();
  }

  /** What is at the broker is another process's then. */
  @Test
  void leavesItsQueuesWhenItIsAbandoned() throws Exception {
    service.neverAnswers(3).serve();
    LogGateway logGateway = replay(Pace.MAX, new NoReplayListener());
    Thread taker =
        new Thread(
            () -> {
              soon().until(() -> timesReceived(3) == 1);
              logGateway.abandon();
            },
            "takes the run");
    taker.start();
    ReplayReport report = run(logGateway, Logs.of(300));
    taker.join();
    assertThat(report.counts().processed()).isLessThan(300);
    assertThat(broker.ready(BrokerNames.certainQueue(robot))).as("of a queue").isNotNegative();
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
  void keepsTheLogsPaceAndItsMultiples() throws Exception {
    service.serve();
    LogGateway logGateway = replay(new Pace(10), new NoReplayListener());
    long began = System.nanoTime();
    ReplayReport report = run(logGateway, Logs.of(51));
    double logSeconds = 5;
    assertThat(report.counts().processed()).isEqualTo(51);
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo((long) (logSeconds * 1e9 / 10));
  }

  @Test
  void givesUpWithAClearSentenceWhenNoServiceAnswers() throws Exception {
    service.close(); // Nobody takes readings.
    ReplayReport report = runUntilItGivesUp(Logs.of(10), this::bothReadingsWait);
    assertThat(report.failure())
        .contains("no answer to reading 1 for 45 s; is a service running at this broker?");
    assertThat(report.counts()).isEqualTo(new ReadingCounts(2, 0, 0, 0, 2));
    assertThat(report.finished()).isEmpty();
  }

  /** Storm starts the workers anew, say: on a busy machine that takes minutes. */
  @Test
  void waitsTenTimesAsLongWhileSomebodyWorksAtTheServiceAndSaysSo() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    LogGateway logGateway = replay(Pace.MAX, repaired(said));
    CompletableFuture<ReplayReport> running = inBackground(() -> run(logGateway, Logs.of(10)));
    soon().until(this::bothReadingsWait);
    for (int seconds : new int[] {11, 11, 10 * PATIENT_SECONDS - 32}) {
      int times = said.size() + 1;
      clock.advanceSeconds(seconds);
      soon().until(() -> said.size() == times);
    }
    assertThat(said.get(0))
        .isEqualTo(
            "no answer to reading 1 for 11 s; is a service running at this broker?; Nimbus has it;"
                + " waits 439 s more");
    assertThat(said.get(1)).contains("for 22 s").endsWith("waits 428 s more");
    assertThat(said.get(2)).contains("for 440 s").endsWith("waits 10 s more");
    service.serve();
    assertThat(running.get().failure()).isEmpty();
    assertThat(running.get().counts()).isEqualTo(new ReadingCounts(10, 10, 0, 0, 0));
  }

  @Test
  void saysHowTheRunGoesOnWhenItHasWaitedLongEnough(@TempDir Path folder) throws Exception {
    LogGateway logGateway = replay(Pace.MAX, repaired(new ArrayList<>()));
    ReplayReport report;
    try (RunJournal journal =
        RunJournal.begin(
            folder.resolve("j"), RunJournal.Keeps.OUTCOMES, Map.of(), RunBeginning.anew())) {
      CompletableFuture<ReplayReport> running =
          inBackground(() -> run(logGateway, Logs.of(10), Optional.of(journal)));
      soon().until(this::bothReadingsWait);
      clock.advanceSeconds(10 * PATIENT_SECONDS + 1);
      report = running.get();
    }
    assertThat(report.failure().orElseThrow())
        .startsWith("no answer to reading 1 for 450 s; ")
        .endsWith("; the same command with --resume goes on from there");
  }

  /** Not how long it waits where nobody works at it. */
  @Test
  void saysHowLongItWasSilentWhenNobodyWorksAtTheServiceAnyMore() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    AtomicReference<String> works = new AtomicReference<>("Nimbus has it");
    LogGateway logGateway = replay(Pace.MAX, repaired(said, works));
    CompletableFuture<ReplayReport> running = inBackground(() -> run(logGateway, Logs.of(10)));
    soon().until(this::bothReadingsWait);
    clock.advanceSeconds(5 * PATIENT_SECONDS - 5);
    soon().until(() -> !said.isEmpty());
    works.set(null);
    clock.advanceSeconds(10);
    assertThat(running.get().failure().orElseThrow())
        .startsWith("no answer to reading 1 for 230 s; ");
  }

  private static ReplayListener repaired(List<String> said) {
    return repaired(said, new AtomicReference<>("Nimbus has it"));
  }

  /** A service of which somebody says that it is worked at, as long as there is somebody. */
  private static ReplayListener repaired(List<String> said, AtomicReference<String> works) {
    return new NoReplayListener() {
      @Override
      public Optional<String> repair() {
        return Optional.ofNullable(works.get());
      }

      @Override
      public void onSilence(String why) {
        said.add(why);
      }
    };
  }

  private static CompletableFuture<ReplayReport> inBackground(Callable<ReplayReport> run) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return run.call();
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        });
  }

  @Test
  void countsWhatAServiceSwallowsAsLost() throws Exception {
    service.neverAnswers(1).serve();
    ReplayReport report = runUntilItGivesUp(Logs.of(1), () -> timesReceived(1) >= 1);
    assertThat(report.failure()).get().asString().startsWith("no answer to reading 1 for 45 s");
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
    ReplayReport report = run(replay(new Pace(1), new NoReplayListener()), Logs.of(600));
    assertThat(report.failure()).contains("reading 3 was lost: a task died");
    ReadingCounts counts = report.counts();
    assertThat(counts.lost()).isEqualTo(1);
    assertThat(counts.read()).as("the next may be due before the answer comes").isBetween(3L, 4L);
    assertThat(counts.processed()).isEqualTo(counts.read() - 1);
    assertThat(sink.path).hasSize((int) counts.processed());
  }

  @Test
  void endsInOrderWhenItIsStopped() throws Exception {
    service.serve();
    AtomicReference<LogGateway> running = new AtomicReference<>();
    AtomicLong read = new AtomicLong();
    running.set(replay(Pace.MAX, onOutcome(40, () -> running.get().stop())));
    ReplayReport report = run(running.get(), Logs.endless(read::set));
    assertThat(report.failure()).isEmpty();
    assertThat(report.counts().processed()).isBetween(40L, 45L).isEqualTo(report.counts().read());
    assertThat(sink.path).hasSize((int) report.counts().processed());
    assertThat(sink.lastMap).isNotNull();
  }

  @Test
  void givesUpAtOnceWhenItIsStoppedTwice() throws Exception {
    service.neverAnswers(41).serve();
    AtomicReference<LogGateway> running = new AtomicReference<>();
    Runnable twice =
        () -> {
          running.get().stop();
          running.get().stop();
        };
    running.set(replay(Pace.MAX, onOutcome(40, twice)));
    ReplayReport report = run(running.get(), Logs.endless(i -> {}));
    assertThat(report.failure()).contains("stopped before the service had finished");
    ReadingCounts counts = report.counts();
    assertThat(counts.lost()).isPositive();
    assertThat(counts.processed() + counts.lost()).isEqualTo(counts.read());
  }

  private static ReplayListener onOutcome(long number, Runnable then) {
    return new OutcomeListener(answered -> answered == number, then);
  }

  @Test
  void countsWhatIsTooLargeToBeSentAndGoesOn() throws Exception {
    service.serve();
    BrokerSettings small = Settings.with(broker.settings(), Map.of("maxMessageBytes", "65536"));
    LogGateway logGateway =
        LogGateway.open(
            new LogGateway.Options(
                robot,
                Pace.MAX,
                Settings.defaults(GatewaySettings.class),
                sink,
                new NoReplayListener(),
                Optional.empty()),
            outages -> broker.open(small, GATEWAY, outages),
            clock);
    Scan large = new Scan(Pose.ORIGIN, -1, 1e-4, 0.1, 8, new float[20_000]);
    ReplayReport report =
        run(
            logGateway,
            Logs.of(
                40,
                i ->
                    i % 10 == 0
                        ? new LogEntry.Usable((int) i, new Reading(i, FakeService.pose(i), large))
                        : Logs.taken(i)));
    assertThat(report.failure()).isEmpty();
    assertThat(report.counts()).isEqualTo(new ReadingCounts(40, 36, 4, 0, 0));
    assertThat(report.refusedByReason()).containsExactly(Map.entry("TOO_LARGE", 4L));
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
        runUntilItGivesUp(
            Logs.of(10, i -> withGarbage(i, 1, 2)),
            () -> {
              boolean sent = bothReadingsWait();
              memory.awaitDeliveries(GATEWAY);
              return sent;
            });
    assertThat(report.failure())
        .get()
        .asString()
        .startsWith("no answer to reading 1 for 45 s, but 2 messages that were refused: ")
        .contains("The message is no message of Cartostream")
        .doesNotContain("is a service running");
  }

  /** Before some readings of the log a stranger writes onto the robot's queue. */
  private LogEntry withGarbage(long i, long... before) {
    if (LongStream.of(before).anyMatch(each -> each == i)) {
      byte[] garbage = "not a message at all".getBytes(StandardCharsets.UTF_8);
      memory.publish(BrokerNames.ANSWERS, BrokerNames.Answer.OUTCOME.keyTo(robot), garbage);
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
    ReplayReport report = run(replay(Pace.MAX, new NoReplayListener(), full), Logs.of(3));
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
      service.sends(MapMessage.of(FakeService.MAP, 0));
    }
    return Logs.taken(i);
  }
}
