package org.cartostream.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.MemorySink;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.gateway.live.LiveListener;
import org.cartostream.gateway.replay.LogGateway;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.gateway.replay.ReplayListener;
import org.cartostream.settings.Settings;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that goes, comes and goes before anybody looks. */
@Quick
@Timeout(60)
class OutagesTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final List<String> told = new CopyOnWriteArrayList<>();
  private final Connection connection = new Connection();

  /** Takes everything and answers nothing. */
  private static final class Connection implements BrokerConnection {

    private final AtomicInteger looks = new AtomicInteger();
    private volatile BrokerListener listener;
    private volatile boolean up = true;

    Connection listeningTo(BrokerListener outages) {
      listener = outages;
      return this;
    }

    @Override
    public boolean isUp() {
      boolean seen = up;
      looks.incrementAndGet();
      return seen;
    }

    @Override
    public boolean publish(Envelope envelope) {
      return true;
    }

    @Override
    public boolean flush(Duration atMost) {
      return true;
    }

    @Override
    public int unconfirmed() {
      return 0;
    }

    @Override
    public void subscribeToAnswers(String robot, int prefetch, Receiver receiver) {}

    @Override
    public void subscribeToReadings(int prefetch, Receiver receiver) {}

    @Override
    public void deleteAnswerQueues(String robot) {}

    @Override
    public void deleteReadingsQueue() {}

    @Override
    public void close() {}
  }

  private final class Robot implements LiveListener {

    @Override
    public void onSkipped(long stampNanos, SkipReason why) {}

    @Override
    public void onOutcome(Reading reading, Outcome outcome) {}

    @Override
    public void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos) {}

    @Override
    public void onEnd(OccupancyGrid map, List<PathPose> path) {}

    @Override
    public void onRestart(String why) {}

    @Override
    public void onOutage(String why) {
      connection.looks.set(0);
      told.add(why);
    }

    @Override
    public void onReconnect() {
      told.add("back");
    }
  }

  private final class Log implements ReplayListener {

    @Override
    public void onOutcome(Reading reading, Outcome outcome) {}

    @Override
    public void onLogEnd() {}

    @Override
    public void onOutage(String why) {
      connection.looks.set(0);
      told.add(why);
    }

    @Override
    public void onReconnect() {
      told.add("back");
    }
  }

  /** Runs until it is stopped. */
  private interface Run {
    void run() throws InterruptedException;
  }

  private void tellsThatItIsAwayUntilItIsBack(Run run, Runnable stop) throws Exception {
    connection.listener.onDown("it went");
    connection.listener.onUp();
    connection.listener.onDown("it went again");
    connection.up = false;
    CompletableFuture<Void> running =
        CompletableFuture.runAsync(
            () -> {
              try {
                run.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    await().atMost(SOON).until(() -> !told.isEmpty() && connection.looks.get() > 0);
    connection.up = true;
    connection.listener.onUp();
    await().atMost(SOON).until(() -> told.contains("back"));
    stop.run();
    stop.run();
    running.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertThat(told).containsExactly("it went; it went again", "back");
  }

  @Test
  void aLiveRobotIsTold(@TempDir Path folder) throws Exception {
    GatewaySettings settings = Settings.defaults(GatewaySettings.class);
    ReadingFilterSettings intake = Settings.defaults(ReadingFilterSettings.class);
    LiveGateway.Robot robot = new LiveGateway.Robot("robot", settings, intake, folder, false);
    try (LiveGateway liveGateway =
        LiveGateway.open(robot, new Robot(), connection::listeningTo, System::nanoTime)) {
      tellsThatItIsAwayUntilItIsBack(liveGateway::run, liveGateway::stop);
    }
  }

  @Test
  void aReplayIsTold() throws Exception {
    GatewaySettings settings = Settings.defaults(GatewaySettings.class);
    try (LogGateway logGateway =
        LogGateway.open(
            new LogGateway.Options(
                "robot", Pace.MAX, settings, new MemorySink(), new Log(), Optional.empty()),
            connection::listeningTo,
            System::nanoTime)) {
      tellsThatItIsAwayUntilItIsBack(
          () -> logGateway.run(Collections.emptyIterator(), Optional.empty()), logGateway::stop);
    }
  }
}
