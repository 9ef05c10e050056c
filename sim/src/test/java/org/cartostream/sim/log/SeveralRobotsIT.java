package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.replay.LogGateway;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.gateway.replay.ReplayListener;
import org.cartostream.gateway.replay.ReplayReport;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.settings.Settings;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three gateways through one service at once. */
@Nightly
@Timeout(180)
class SeveralRobotsIT {

  private static final int LATE_AFTER = 40;
  private static final int EARLY_AFTER = 50;

  private static final FilterSettings FILTER =
      Settings.build(FilterSettings.class, Map.of("particles", "10"));

  @TempDir private Path folder;

  /** A robot with its log, and how many outcomes its gateway has heard. */
  private record Robot(String id, List<Reading> readings, AtomicLong answered) {

    static Robot of(String id, Route route, long seed, int readings) {
      Recording recording = SimulatedLog.of(World.office(), route, seed).first(readings);
      return new Robot(id, recording.readings(), new AtomicLong());
    }

    Iterator<LogEntry> log() {
      AtomicLong number = new AtomicLong();
      return readings.stream()
          .<LogEntry>map(each -> new LogEntry.Usable((int) number.incrementAndGet(), each))
          .iterator();
    }
  }

  private final class Listening implements ReplayListener {
    private final Robot robot;
    private final long leaveAfter;
    private LogGateway logGateway;

    Listening(Robot robot, long leaveAfter) {
      this.robot = robot;
      this.leaveAfter = leaveAfter;
    }

    @Override
    public void onOutcome(Reading reading, Outcome outcome) {
      if (robot.answered().incrementAndGet() == leaveAfter) {
        logGateway.stop();
      }
    }

    @Override
    public void onLogEnd() {}

    @Override
    public void onOutage(String why) {}

    @Override
    public void onReconnect() {}
  }

  private CompletableFuture<ReplayReport> drive(
      Robot robot, BrokerSettings broker, long leaveAfter) {
    return CompletableFuture.supplyAsync(
        () -> {
          Listening listening = new Listening(robot, leaveAfter);
          try (LogGateway logGateway =
              LogGateway.open(
                  new LogGateway.Options(
                      robot.id(),
                      Pace.MAX,
                      Settings.defaults(GatewaySettings.class),
                      new FileSink(folder.resolve(robot.id())),
                      listening,
                      Optional.empty()),
                  outages -> BrokerConnection.open(broker, robot.id(), outages),
                  System::nanoTime)) {
            listening.logGateway = logGateway;
            return logGateway.run(robot.log(), Optional.empty());
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** The bytes of trajectory.tum that the filter alone writes, without other robots. */
  private byte[] alone(Robot robot, long readings) throws IOException {
    SerialFilter filter = new SerialFilter(FILTER, robot.id());
    for (int i = 0; i < readings; i++) {
      filter.process(i + 1, robot.readings().get(i));
    }
    Path alone = folder.resolve(robot.id() + "-alone");
    new FileSink(alone).end(filter.trajectoryTree().bestPath().withLoopsClosed().path());
    return trajectory(alone);
  }

  private static byte[] trajectory(Path of) throws IOException {
    return Files.readAllBytes(of.resolve(FileSink.TRAJECTORY));
  }

  @Test
  void eachTrajectoryHasTheSameBytesAsAloneThoughOneJoinsLateAndOneLeavesEarly() throws Exception {
    Robot first = Robot.of("first", Route.office(), 1, 160);
    Robot early = Robot.of("early", Route.deadEnds(), 2, 200);
    Robot late = Robot.of("late", Route.office(), 3, 120);
    try (EmbeddedBroker embedded = EmbeddedBroker.start()) {
      BrokerSettings broker = BrokerSettings.defaults().withUri(embedded.uri());
      ServiceSettings settings =
          new ServiceSettings(FILTER, broker, Settings.defaults(TopologySettings.class));
      try (LocalService service = LocalService.start(settings)) {
        CompletableFuture<ReplayReport> firsts = drive(first, broker, Long.MAX_VALUE);
        CompletableFuture<ReplayReport> earlys = drive(early, broker, EARLY_AFTER);
        await().atMost(60, TimeUnit.SECONDS).until(() -> first.answered().get() >= LATE_AFTER);
        assertThat(firsts).isNotDone();
        CompletableFuture<ReplayReport> lates = drive(late, broker, Long.MAX_VALUE);

        assertThat(processed(firsts)).isEqualTo(first.readings().size());
        assertThat(processed(lates)).isEqualTo(late.readings().size());
        long until = processed(earlys);
        assertThat(until).isBetween((long) EARLY_AFTER, EARLY_AFTER + 5L);
        assertThat(trajectory(folder.resolve("first"))).isEqualTo(alone(first, 160));
        assertThat(trajectory(folder.resolve("early"))).isEqualTo(alone(early, until));
        assertThat(trajectory(folder.resolve("late"))).isEqualTo(alone(late, 120));
      }
    }
  }

  private static long processed(CompletableFuture<ReplayReport> run) throws Exception {
    ReplayReport report = run.get(120, TimeUnit.SECONDS);
    assertThat(report.failure()).isEmpty();
    return report.counts().processed();
  }
}
