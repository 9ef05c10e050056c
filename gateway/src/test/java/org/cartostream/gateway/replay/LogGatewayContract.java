package org.cartostream.gateway.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.Logs;
import org.cartostream.gateway.MemorySink;
import org.cartostream.gateway.NoReplayListener;
import org.cartostream.gateway.OutcomeListener;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.TestBroker;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.gateway.sink.Sink;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.trajectory.PathPose;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What holds for a replay over every broker. One class for each broker inherits it. */
@Timeout(60)
abstract class LogGatewayContract {

  static final String GATEWAY = "gateway";
  static final String SERVICE = "fake service";

  /** A sixth of it is longer than a busy machine stands still; then readings are sent again. */
  static final int PATIENT_SECONDS = 45;

  final String robot = "robot-" + UUID.randomUUID();
  final MemorySink sink = new MemorySink();
  FakeService service;

  abstract TestBroker broker();

  /** By which a replay waits for answers. */
  abstract LongSupplier clock();

  @BeforeEach
  final void startService() {
    service = new FakeService(broker().open(SERVICE, BrokerListener.NONE));
  }

  @AfterEach
  final void stopService() {
    service.close();
  }

  final LogGateway replay(Pace pace, ReplayListener listener) {
    return replay(pace, listener, sink);
  }

  final LogGateway replay(Pace pace, ReplayListener listener, Sink to) {
    GatewaySettings settings = new GatewaySettings(2, PATIENT_SECONDS, 50, 64);
    return LogGateway.open(
        new LogGateway.Options(robot, pace, settings, to, listener, Optional.empty()),
        outages -> broker().open(GATEWAY, outages),
        clock());
  }

  static ReplayReport run(LogGateway logGateway, Iterator<LogEntry> log)
      throws InterruptedException {
    return run(logGateway, log, Optional.empty());
  }

  static ReplayReport run(
      LogGateway logGateway, Iterator<LogEntry> log, Optional<RunJournal> journal)
      throws InterruptedException {
    try (logGateway) {
      return logGateway.run(log, journal);
    }
  }

  final ReplayReport run(Iterator<LogEntry> log) throws InterruptedException {
    return run(replay(Pace.MAX, new NoReplayListener()), log);
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
    assertThat(service.received)
        .last()
        .extracting(Envelope::body)
        .isEqualTo(new EndMessage(300, 0));
  }

  @Test
  void losesNothingAndTakesNothingTwiceWhenItsWireIsCutAgainAndAgain() throws Exception {
    service.serve();
    ReplayReport report = run(replay(Pace.MAX, everyHundredCuts(GATEWAY)), Logs.of(1000));
    assertThat(report.failure()).isEmpty();
    assertThat(report.counts()).isEqualTo(new ReadingCounts(1000, 1000, 0, 0, 0));
    assertThat(report.outages()).isBetween(5L, 10L);
    assertThat(service.taken).hasSize(1000).allSatisfy((i, times) -> assertThat(times).isOne());
    assertThat(sink.path).hasSize(1000);
  }

  @Test
  void bearsAServiceWhoseWireIsCutAgainAndAgain() throws Exception {
    service.serve();
    ReplayReport report = run(replay(Pace.MAX, everyHundredCuts(SERVICE)), Logs.of(1000));
    assertThat(report.failure()).isEmpty();
    assertThat(report.counts()).isEqualTo(new ReadingCounts(1000, 1000, 0, 0, 0));
    assertThat(report.outages()).isZero();
    assertThat(service.taken).hasSize(1000);
  }

  private ReplayListener everyHundredCuts(String party) {
    return new OutcomeListener(answered -> answered % 100 == 0, () -> broker().cut(party));
  }

  @Test
  void refusesToHaveOneRobotTwice() throws Exception {
    service.serve();
    try (LogGateway first = replay(Pace.MAX, new NoReplayListener())) {
      assertThatThrownBy(() -> replay(Pace.MAX, new NoReplayListener()))
          .isInstanceOf(BrokerException.class)
          .hasMessageContainingAll(robot, "somebody else already takes");
      assertThat(first.run(Logs.of(20), Optional.empty()).counts().processed()).isEqualTo(20);
    }
  }
}
