package org.cartostream.sim.ros;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.InMemoryBroker;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.gateway.live.LiveListener;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A robot that is carried, by the live gateway, and a service that is the filter in one thread. */
@Quick
@Timeout(120)
class CarriedGatewayTest {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final long PERIOD_NANOS = 500_000_000L;
  private static final double NEAR_METRES = 0.25;
  private static final int CARRIED = 100;
  private static final int TO = 20;

  /** The gateway ends behind this reading, while the robot is in doubt. */
  private static final int KILLED = CARRIED + 8;

  /** Each reading is a key frame: none is left out for a newer one. */
  private static final ReadingFilterSettings ALL =
      Settings.build(
          ReadingFilterSettings.class, Map.of("keyFrameMetres", "0", "keyFrameRadians", "0"));

  private static final Recording DRIVE =
      CarriedDrive.of(
          SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED), CARRIED, TO);

  @TempDir private Path folder;

  private final List<AutoCloseable> all = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : all) {
      each.close();
    }
  }

  /** A service with one robot. */
  private final class Service implements Receiver {

    private final InMemoryBroker broker = new InMemoryBroker();
    private final BrokerSettings settings = InMemoryBroker.settings();
    private final BrokerConnection connection =
        broker.open(settings, "service", BrokerListener.NONE);
    private final SerialFilter filter = new SerialFilter(CarriedDrive.FILTER, "tb3");

    /** The poses in its answers, by the readings' stamps. */
    private final Map<Long, Pose> poses = new TreeMap<>();

    /** Where the robot was carried to, by the reading's stamp. */
    private final Map<Long, InitialPose> carriedTo = new TreeMap<>();

    Service() {
      connection.subscribeToReadings(10, this);
      all.add(connection);
    }

    @Override
    public synchronized void received(Envelope envelope, Receipt receipt) {
      if (envelope.body() instanceof ReadingMessage message
          && !poses.containsKey(envelope.stampNanos())) {
        if (message.initialPose() instanceof InitialPose.At at) {
          filter.relocate(at, CarriedDrive.FILTER);
          carriedTo.put(envelope.stampNanos(), at);
        }
        SerialFilter.Result.Processed processed =
            (SerialFilter.Result.Processed) filter.process(envelope.sequence(), message.reading());
        poses.put(envelope.stampNanos(), processed.pose().local());
        Outcome outcome = new Outcome.Processed(processed.pose(), processed.searched(), 1);
        connection.publish(envelope.answer(OutcomeMessage.now(outcome, 0)));
      }
      receipt.acknowledge();
    }

    @Override
    public void refused(Refusal.Reason why) {
      throw new AssertionError(why);
    }

    synchronized int answered() {
      return poses.size();
    }
  }

  /** Counts what is skipped. */
  private static final class Listener implements LiveListener {

    private int skipped;

    @Override
    public synchronized void onSkipped(long stampNanos, SkipReason why) {
      skipped++;
    }

    synchronized int skipped() {
      return skipped;
    }

    @Override
    public void onOutcome(Reading reading, Outcome outcome) {}

    @Override
    public void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos) {}

    @Override
    public void onEnd(OccupancyGrid map, List<PathPose> path) {}

    @Override
    public void onRestart(String why) {}

    @Override
    public void onOutage(String why) {}

    @Override
    public void onReconnect() {}
  }

  private LiveGateway gateway(Service service, Path its, boolean resumes, Listener listener) {
    LiveGateway.Robot robot =
        new LiveGateway.Robot(
            "tb3",
            new GatewaySettings(2, 60, 1000, 64),
            ALL,
            its,
            Map.of("robot", "tb3"),
            resumes,
            Optional.empty(),
            Optional.empty(),
            RunBeginning.anew(),
            Optional.empty(),
            Optional.of(CarriedDrive::search));
    LiveGateway gateway =
        LiveGateway.open(
            robot,
            listener,
            outages -> service.broker.open(service.settings, "gateway", outages),
            System::nanoTime);
    Thread run =
        new Thread(
            () -> {
              try {
                gateway.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    run.start();
    all.add(0, () -> end(gateway, run));
    return gateway;
  }

  private static void end(LiveGateway gateway, Thread run) throws InterruptedException {
    gateway.abandon();
    run.join();
    gateway.close();
  }

  private static void offer(LiveGateway gateway, Recording drive, int from, int to) {
    for (int i = from; i < to; i++) {
      Reading reading = drive.readings().get(i);
      gateway.offer(new Reading((i + 1) * PERIOD_NANOS, reading.odometry(), reading.scan()));
    }
  }

  /** Returns the greatest error of a pose in the service's answers, metres. */
  private static double errorMetres(Service service, Recording drive) {
    Pose begin = drive.reference().get(0).pose();
    return service.poses.entrySet().stream()
        .mapToDouble(
            each -> {
              int number = (int) (each.getKey() / PERIOD_NANOS) - 1;
              return each.getValue().distance(begin.to(drive.reference().get(number).pose()));
            })
        .max()
        .orElseThrow();
  }

  @Test
  void aGatewayThatEndsWhileTheRobotIsInDoubtAndGoesOnSendsTheSame() throws Exception {
    int last = DRIVE.readings().size();
    Service undisturbed = new Service();
    Listener listener = new Listener();
    LiveGateway whole = gateway(undisturbed, folder.resolve("whole"), false, listener);
    offer(whole, DRIVE, 0, last);
    await().atMost(SOON).until(() -> undisturbed.answered() + listener.skipped() == last);
    assertThat(whole.heldBack()).isEmpty();
    assertThat(undisturbed.carriedTo).hasSize(1);
    assertThat(errorMetres(undisturbed, DRIVE)).isLessThan(NEAR_METRES);

    Service service = new Service();
    Path its = folder.resolve("its");
    LiveGateway first = gateway(service, its, false, new Listener());
    offer(first, DRIVE, 0, CARRIED);
    await().atMost(SOON).until(() -> service.answered() == CARRIED);
    for (int i = CARRIED; i < KILLED; i++) {
      long before = Files.size(its.resolve("backlog.spool"));
      offer(first, DRIVE, i, i + 1);
      await().atMost(SOON).until(() -> Files.size(its.resolve("backlog.spool")) > before);
    }
    assertThat(first.heldBack())
        .contains("From scan " + (CARRIED + 1) + " on, the laser contradicts odometry");
    all.remove(0).close();
    Listener second = new Listener();
    LiveGateway resumed = gateway(service, its, true, second);
    offer(resumed, DRIVE, KILLED, last);
    await().atMost(SOON).until(() -> service.answered() + second.skipped() == last);

    assertThat(service.carriedTo).isEqualTo(undisturbed.carriedTo);
    assertThat(service.poses).isEqualTo(undisturbed.poses);
  }

  /** The drives of {@code CarriedRobotAccuracyTest}, of which a replay finds as many. */
  @Nightly
  @Test
  @Timeout(280)
  void nineOfTenAreFoundInWhatTheyHaveMapped() throws Exception {
    int found = 0;
    for (int seed = 0; seed < 10; seed++) {
      Recording whole = SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED + seed);
      int at = 180 + 10 * seed;
      Recording drive = CarriedDrive.of(whole, at, CarriedDrive.away(whole, at));
      Service service = new Service();
      Listener listener = new Listener();
      LiveGateway gateway = gateway(service, folder.resolve("scene-" + seed), false, listener);
      offer(gateway, drive, 0, drive.readings().size());
      gateway.stop(); // What is still in doubt then is decided.
      await()
          .atMost(SOON)
          .until(() -> service.answered() + listener.skipped() == drive.readings().size());
      double metres = errorMetres(service, drive);
      System.out.printf(
          "seed %d: %d found, %d skipped, at most %.2f m off%n",
          seed, service.carriedTo.size(), listener.skipped(), metres);
      if (!service.carriedTo.isEmpty()) {
        assertThat(metres).as("seed %d", seed).isLessThan(NEAR_METRES);
        found++;
      }
    }
    assertThat(found).isGreaterThanOrEqualTo(9);
  }
}
