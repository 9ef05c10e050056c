package org.cartostream.run.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.gateway.replay.LogGateway;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.gateway.replay.ReplayReport;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.Logs;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.local.LocalService;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service ends with readings that are not acknowledged, its queue is filled by a stranger, and
 * the embedded broker confirms a reading that it has no room for. The next service asks the robot's
 * side for it.
 */
@Nightly
class FullQueueIT {

  private static final int READINGS = 40;
  private static final int DROPPED = 20;

  /** Where a reading that is not asked for would be sent again, too, but much later. */
  private static final String ANSWER_TIMEOUT_SECONDS = "3600";

  private static final Duration SOON = Duration.ofMinutes(2);

  private static final RootSettings SETTINGS =
      Settings.build(
          RootSettings.class,
          Map.of(
              "slam.particles", "5",
              // The log goes on while the reading before the one that is dropped has no answer.
              "gateway.creditReadings", "4",
              "topology.waitingReadings", "4",
              "gateway.answerTimeoutSeconds", ANSWER_TIMEOUT_SECONDS));

  @TempDir private Path serial;
  @TempDir private Path storm;

  private EmbeddedBroker broker;
  private LocalService service;
  private BrokerConnection gateway;

  @AfterEach
  void stop() {
    if (service != null) {
      service.close();
    }
    if (broker != null) {
      broker.close();
    }
  }

  @Test
  @Timeout(300)
  void aReadingThatTheEmbeddedBrokersFullQueueDroppedIsAskedFor() throws Exception {
    broker = EmbeddedBroker.start();
    BrokerSettings settings = SETTINGS.broker().withUri(broker.uri());
    service = LocalService.start(SETTINGS.service(settings));
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(broker.uri());
    RunMetrics runMetrics = new RunMetrics(READINGS, System::nanoTime, RunObserver.NONE);
    ReplayReport report;
    try (Connection connection = factory.newConnection();
        Channel stranger = connection.createChannel();
        LaserLog log = CarmenLog.open(Logs.OFFICE, CarmenSettings.defaults());
        LogGateway replay =
            LogGateway.open(
                new LogGateway.Options(
                    "r1",
                    Pace.MAX,
                    SETTINGS.gateway(),
                    new FileSink(storm),
                    new MetricsListener(runMetrics, Optional.empty(), Optional::empty),
                    Optional.empty()),
                outages -> {
                  gateway = BrokerConnection.open(settings, "gateway of r1", outages);
                  return gateway;
                },
                System::nanoTime)) {
      report =
          replay.run(runMetrics.watch(new Disturbed(log, settings, stranger)), Optional.empty());
    }

    assertThat(report.failure()).isEmpty();
    assertThat(report.counts().processed()).isEqualTo(READINGS);
    assertThat(report.resent()).as("sent again by itself").isZero();
    try (LaserLog log = CarmenLog.open(Logs.OFFICE, CarmenSettings.defaults())) {
      RunMetrics undisturbed = new RunMetrics(READINGS, System::nanoTime, RunObserver.NONE);
      new SerialEngine(SETTINGS, "r1", RunCheckpoints.none(), Optional.empty())
          .run(
              undisturbed.watch(new FirstReadings(log)),
              undisturbed,
              serial,
              new ShutdownRequest());
    }
    assertThat(Files.readString(storm.resolve("trajectory.tum")))
        .isEqualTo(Files.readString(serial.resolve("trajectory.tum")));
  }

  /** The beginning of a log. */
  private static class FirstReadings implements Iterator<LogEntry> {

    private final Iterator<LogEntry> log;
    int read;

    FirstReadings(Iterator<LogEntry> log) {
      this.log = log;
    }

    @Override
    public boolean hasNext() {
      return read < READINGS;
    }

    @Override
    public LogEntry next() {
      LogEntry next = log.next();
      read += next instanceof LogEntry.Usable ? 1 : 0;
      return next;
    }
  }

  /** The same; while it is read, what has been sent is not answered. */
  private final class Disturbed extends FirstReadings {

    private final BrokerSettings settings;
    private final Channel stranger;
    private final String queue;
    private int length;

    Disturbed(Iterator<LogEntry> log, BrokerSettings settings, Channel stranger) {
      super(log);
      this.settings = settings;
      this.stranger = stranger;
      this.queue = BrokerNames.serviceQueue(settings.service());
    }

    @Override
    public LogEntry next() {
      LogEntry next = super.next();
      try {
        if (read == DROPPED) {
          endTheServiceAndFillItsQueue();
        } else if (read == DROPPED + 1) {
          assertThat(gateway.flush(SOON)).as("confirmed").isTrue();
          assertThat(length()).as("without the reading").isEqualTo(length);
          startAnother();
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      return next;
    }

    /** Delivered or not, a message counts until it is acknowledged. */
    private int length() throws Exception {
      return stranger.queueDeclarePassive(queue).getMessageCount();
    }

    private void awaitUnacknowledgedOnly() {
      Awaitility.await().atMost(SOON).pollInSameThread().until(() -> length() == DROPPED - 1);
    }

    private void endTheServiceAndFillItsQueue() throws Exception {
      service.close();
      awaitUnacknowledgedOnly();
      stranger.confirmSelect();
      for (int i = 0; i < BrokerNames.SERVICE_QUEUE_LENGTH; i++) {
        stranger.basicPublish(
            BrokerNames.READINGS, settings.service() + ".other", null, new byte[] {1});
      }
      stranger.waitForConfirms();
      length = length();
      assertThat(length).isEqualTo(BrokerNames.SERVICE_QUEUE_LENGTH);
    }

    private void startAnother() {
      service = LocalService.start(SETTINGS.service(settings));
      awaitUnacknowledgedOnly();
    }
  }
}
