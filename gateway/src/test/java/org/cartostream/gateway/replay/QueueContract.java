package org.cartostream.gateway.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.Logs;
import org.cartostream.gateway.MemorySink;
import org.cartostream.gateway.NoReplayListener;
import org.cartostream.gateway.TestBroker;
import org.cartostream.gateway.session.OutgoingReadings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A queue's length does not grow with the length of a run, whoever is slow or away. One class for
 * each broker inherits it.
 */
@Timeout(60)
abstract class QueueContract {

  private static final int CREDIT = 2;
  private static final long READINGS = 400;

  private final String robot = "robot-" + UUID.randomUUID();

  private BrokerSettings settings;
  private final AtomicLong read = new AtomicLong();
  private BrokerConnection gateway;

  abstract TestBroker broker();

  /** How long a slow service takes for each reading. */
  abstract long slowMillis();

  @BeforeEach
  void declareAServicesQueueOfItsOwn() {
    settings = broker().settings().withService("service-" + UUID.randomUUID());
    connect("test", BrokerListener.NONE).close();
  }

  @AfterEach
  void deleteTheQueue() {
    try (BrokerConnection operator = connect("test", BrokerListener.NONE)) {
      operator.deleteReadingsQueue();
    }
  }

  private BrokerConnection connect(String party, BrokerListener listener) {
    return broker().open(settings, party, listener);
  }

  /** The most that was seen at any outcome. */
  private static final class Most {
    int readings;
    int outcomes;
    int poses;
    int unconfirmed;
    long unanswered;
  }

  private int readyReadings() {
    return readyReadings(settings.service());
  }

  /** How many readings for a service nobody has been given. */
  int readyReadings(String service) {
    return broker().ready(BrokerNames.serviceQueue(service));
  }

  private int readyOutcomes() {
    return broker().ready(BrokerNames.certainQueue(robot));
  }

  private int readyPoses() {
    return broker().ready(BrokerNames.latestQueue(robot));
  }

  private ReplayReport run(int answerTimeoutSeconds, long readings, ReplayListener listener)
      throws Exception {
    try (LogGateway logGateway =
        LogGateway.open(
            new LogGateway.Options(
                robot,
                Pace.MAX,
                new GatewaySettings(CREDIT, answerTimeoutSeconds, 50, 64),
                new MemorySink(),
                listener,
                Optional.empty()),
            outages -> gateway = connect("gateway", outages),
            System::nanoTime)) {
      return logGateway.run(Logs.of(readings, this::read), Optional.empty());
    }
  }

  private LogEntry read(long i) {
    read.set(i);
    return Logs.taken(i);
  }

  @Test
  void holdsAsManyReadingsAsThereIsCreditAndTheirRepeatsWhenNobodyServes() throws Exception {
    ReplayReport report = run(1, READINGS, new NoReplayListener());
    assertThat(report.counts().read()).isEqualTo(CREDIT);
    assertThat(readyReadings()).isBetween(CREDIT, CREDIT * OutgoingReadings.RESENDS_PER_TIMEOUT);
  }

  @Test
  void holdsNoMoreThanThereIsCreditWhenTheServiceIsSlow() throws Exception {
    Most max = new Most();
    try (FakeService slow =
        new FakeService(connect("fake service", BrokerListener.NONE)).serveSlowly(slowMillis())) {
      ReplayReport report = run(20, READINGS, new Looking(max, slow));
      assertThat(report.counts().processed()).isEqualTo(READINGS);
    }
    assertThat(max.unanswered).isBetween(1L, (long) CREDIT);
    assertThat(max.readings).isBetween(1, CREDIT);
    assertThat(max.outcomes).isLessThanOrEqualTo(CREDIT);
    // Nobody waits for poses: whoever is slow to take them finds the latest.
    assertThat(max.poses).isLessThanOrEqualTo(BrokerNames.LATEST_QUEUE_LENGTH);
    assertThat(max.unconfirmed).isLessThanOrEqualTo(3 * CREDIT);
  }

  @Test
  void refusesASecondGatewayOfTheSameRobotAsLongAsTheFirstIsThere() {
    try (LogGateway first = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining(robot);
    }
    open().close();
  }

  private LogGateway open() {
    return LogGateway.open(
        new LogGateway.Options(
            robot,
            Pace.MAX,
            Settings.defaults(GatewaySettings.class),
            new MemorySink(),
            new NoReplayListener(),
            Optional.empty()),
        outages -> connect("gateway", outages),
        System::nanoTime);
  }

  /** Looks at the queues at every outcome. */
  private final class Looking extends NoReplayListener {

    private final Most max;
    private final FakeService service;
    private long answered;

    Looking(Most max, FakeService service) {
      this.max = max;
      this.service = service;
    }

    @Override
    public void onOutcome(Reading reading, Outcome outcome) {
      max.readings = Math.max(max.readings, readyReadings());
      max.outcomes = Math.max(max.outcomes, readyOutcomes());
      max.poses = Math.max(max.poses, readyPoses());
      int unconfirmed = gateway.unconfirmed() + service.unconfirmed();
      max.unconfirmed = Math.max(max.unconfirmed, unconfirmed);
      max.unanswered = Math.max(max.unanswered, read.get() - ++answered);
    }
  }
}
