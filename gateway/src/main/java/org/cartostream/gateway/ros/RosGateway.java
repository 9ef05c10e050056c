package org.cartostream.gateway.ros;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.Outcome;
import org.cartostream.gateway.BrokerConnector;
import org.cartostream.gateway.FileSink;
import org.cartostream.gateway.LeftOut;
import org.cartostream.gateway.Live;
import org.cartostream.gateway.LiveListener;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.ros.client.RosNode;
import org.cartostream.gateway.ros.message.DiagnosticArray;
import org.cartostream.gateway.ros.message.Float64;
import org.cartostream.gateway.ros.message.Header;
import org.cartostream.gateway.ros.message.LaserScan;
import org.cartostream.gateway.ros.message.Odometry;
import org.cartostream.gateway.ros.message.PoseMessage;
import org.cartostream.gateway.ros.message.PoseStamped;
import org.cartostream.gateway.ros.message.TfMessage;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.MapFiles;
import org.cartostream.slam.log.MapPicture;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway of one robot that speaks ROS, with slam_gmapping's topics, frames and services, so
 * that it can take its place.
 *
 * <p>Hears {@code scan}, {@code odom}, {@code /tf} and {@code /tf_static}. Publishes {@code map}
 * and {@code map_metadata} (latched), the transform from map to odom on {@code /tf}, {@code
 * cartostream/pose} (the base in the map, per reading), {@code cartostream/neff} (how many
 * particles still count), {@code cartostream/entropy} (of their weights, as slam_gmapping's {@code
 * ~entropy}) and {@code /diagnostics}. Serves {@code dynamic_map} and {@code cartostream/save_map}.
 *
 * <p>When the run is over, its map, as it is on {@code map}, and path are written into the robot's
 * folder, as far as they have come.
 *
 * <p>Owns the robot's {@link Live} and the timer of what is sent in step with time.
 */
public final class RosGateway implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RosGateway.class);

  private static final long WATCH_MILLIS = 20;
  private static final long DIAGNOSIS_MILLIS = 1000;
  private static final long REMIND_OF_SKEW_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Live.Robot robot;
  private final RosSettings settings;
  private final MasterWatch master;
  private final RobotClock clock;
  private final Fates fates = new Fates();
  private final ScanPairing pairing;
  private final MapDesk maps;
  private final MapToOdom mapToOdom;
  private final RosNode.Publisher<PoseStamped> poses;
  private final RosNode.Publisher<Float64> neff;
  private final RosNode.Publisher<Float64> entropy;
  private final RosNode.Publisher<DiagnosticArray> diagnostics;
  private final Live live;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "ros gateway's timer");
            thread.setDaemon(true);
            return thread;
          });

  /** Held while a scan comes in: none is counted whose fate the last count would not have. */
  private final Object intake = new Object();

  private boolean over;
  private volatile long lastScanNanos = System.nanoTime();
  private volatile double effectiveSampleSize = Double.NaN;
  private volatile String outage = "";
  private long diagnoses;
  private long refusedBefore;
  private boolean mapIsOfAFormerRun;
  private boolean skewTold;
  private long skewToldNanos;

  private RosGateway(
      RosNode node,
      MasterWatch master,
      Live.Robot robot,
      RosSettings settings,
      BrokerConnector connector) {
    this.robot = robot;
    this.settings = settings;
    this.master = master;
    maps = new MapDesk(node, settings, robot.folder());
    poses = node.publish("cartostream/pose", PoseStamped.TYPE, false);
    neff = node.publish("cartostream/neff", Float64.TYPE, false);
    entropy = node.publish("cartostream/entropy", Float64.TYPE, false);
    diagnostics = node.publish("/diagnostics", DiagnosticArray.TYPE, false);
    RosNode.Publisher<TfMessage> tf = node.publish("/tf", TfMessage.TYPE, false);
    // Last, for whoever fails before it leaves no connection open.
    live = Live.open(robot, new Service(), connector);
    clock = new RobotClock(live.serviceClock());
    pairing =
        new ScanPairing(
            settings,
            new OdometrySource.Topics(node.resolve("/tf"), node.resolve("odom"), false),
            live::offer,
            why -> fates.unused(why, System.nanoTime()));
    mapToOdom = new MapToOdom(tf, settings, clock);
  }

  private void listen(RosNode node) {
    node.subscribe("/tf_static", TfMessage.TYPE, message -> hear(message, true));
    node.subscribe("/tf", TfMessage.TYPE, message -> hear(message, false));
    node.subscribe("odom", Odometry.TYPE, this::hear);
    node.subscribe("scan", LaserScan.TYPE, this::hear);
    LOG.info("robot {} hears {}", robot.id(), node.resolve("scan"));
  }

  /**
   * Takes part in the robot's graph and in the broker's road.
   *
   * @param node closed by who made it, after this
   * @param master hears of the node
   * @param connector opens the connection to the broker
   * @throws org.cartostream.broker.BrokerException if the broker cannot be used, or another gateway
   *     takes this robot's answers
   * @throws org.cartostream.gateway.GatewayException if the robot's folder cannot be written
   */
  public static RosGateway open(
      RosNode node,
      MasterWatch master,
      Live.Robot robot,
      RosSettings settings,
      BrokerConnector connector) {
    RosGateway gateway = new RosGateway(node, master, robot, settings, connector);
    try {
      gateway.listen(node);
      return gateway;
    } catch (RuntimeException e) {
      gateway.close();
      throw e;
    }
  }

  /** Maps until {@link #stop}. Once only. */
  public void run() throws InterruptedException {
    long period = (long) (settings.transformPeriodSeconds() * TimeUnit.SECONDS.toMicros(1));
    if (period > 0) {
      every(period, TimeUnit.MICROSECONDS, () -> mapToOdom.send(hereNanos()));
    }
    every(WATCH_MILLIS, TimeUnit.MILLISECONDS, () -> pairing.watch(System.nanoTime()));
    every(DIAGNOSIS_MILLIS, TimeUnit.MILLISECONDS, this::diagnose);
    try {
      live.run();
    } finally {
      timer.shutdownNow();
      synchronized (intake) {
        over = true;
        pairing.leaveOutAll();
      }
    }
  }

  /** A task that throws would never run again, without a word. */
  private void every(long period, TimeUnit unit, Runnable work) {
    Runnable lasting =
        () -> {
          try {
            work.run();
          } catch (RuntimeException e) {
            LOG.error("a message of robot {} could not be sent", robot.id(), e);
          }
        };
    timer.scheduleAtFixedRate(lasting, 0, period, unit);
  }

  /** From any thread: ends in order, the last map comes. A second time ends at once. */
  public void stop() {
    live.stop();
  }

  /** What became of the robot's scans, in one sentence for people. */
  public String summary() {
    ReadingCounts counts = fates.counts();
    Map<String, Long> unusedByReason = fates.unusedByReason();
    return counts.read()
        + " scans read: "
        + counts.processed()
        + " processed, "
        + counts.refused()
        + " refused, "
        + counts.skipped()
        + " skipped, "
        + counts.lost()
        + " lost"
        + (unusedByReason.isEmpty() ? "" : " " + unusedByReason);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    live.close();
  }

  // --- from the robot --------------------------------------------------------------------------

  private void hear(LaserScan scan) {
    lastScanNanos = System.nanoTime();
    synchronized (intake) {
      if (over) {
        return;
      }
      fates.read();
      clock.heard(scan.header().stamp(), hereNanos());
      pairing.hear(scan, System.nanoTime());
    }
  }

  private void hear(Odometry odometry) {
    clock.heard(odometry.header().stamp(), hereNanos());
    pairing.hear(odometry, System.nanoTime());
  }

  private void hear(TfMessage message, boolean fixed) {
    if (pairing.hear(message, fixed, System.nanoTime())) {
      message.transforms().stream()
          .filter(
              each ->
                  FrameTree.name(each.header().frameId())
                      .equals(FrameTree.name(settings.odomFrame())))
          .forEach(each -> clock.heard(each.header().stamp(), hereNanos()));
    }
  }

  /** Nanoseconds since 1970-01-01 UTC by this computer's clock. */
  private static long hereNanos() {
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
  }

  // --- to the robot ----------------------------------------------------------------------------

  private void diagnose() {
    ReadingCounts counts = fates.counts();
    long now = System.nanoTime();
    Diagnosis diagnosis =
        new Diagnosis(
            robot.id(),
            counts,
            fates.unusedByReason(),
            counts.refused() - refusedBefore,
            (now - lastScanNanos) / (double) TimeUnit.SECONDS.toNanos(1),
            fates.lastWhy(),
            outage,
            live.waiting(),
            master.away(),
            clock.sentence(),
            clock.reportedNanos() / (double) TimeUnit.SECONDS.toNanos(1),
            clock.isKnown() && clock.isNotable(),
            pairing.odometryName(),
            maps.count(),
            effectiveSampleSize);
    refusedBefore = counts.refused();
    tellSkew(diagnosis, now);
    diagnostics.send(diagnosis.message(diagnoses++, clock.robotNanos(hereNanos())));
  }

  private void tellSkew(Diagnosis diagnosis, long now) {
    boolean due = !skewTold || now - skewToldNanos > REMIND_OF_SKEW_NANOS;
    if (diagnosis.skewNotable() && due) {
      LOG.warn("{}; mapping goes on by the robot's", diagnosis.clock());
      skewTold = true;
      skewToldNanos = now;
    }
  }

  /** What the service says. */
  private final class Service implements LiveListener {

    @Override
    public void onLeftOut(long stampNanos, LeftOut why) {
      fates.unused(why.because("stamp " + stampNanos + " ns"), System.nanoTime());
    }

    /** Before its outcome, so that the robot need not wait until all maps have the scan. */
    @Override
    public void onPose(Reading reading, Pose pose) {
      mapToOdom.correct(pose, reading.odometry());
      poses.send(stamped(pose, reading.stampNanos()));
    }

    @Override
    public void onOutcome(Reading reading, Outcome outcome) {
      fates.answered(outcome, System.nanoTime());
      if (outcome instanceof Outcome.Processed processed) {
        effectiveSampleSize = processed.effectiveSampleSize();
        neff.send(new Float64(processed.effectiveSampleSize()));
        entropy.send(new Float64(processed.entropy()));
      }
    }

    private PoseStamped stamped(Pose pose, long stampNanos) {
      RigidMotion motion = RigidMotion.of(pose);
      return new PoseStamped(
          new Header(0, stampNanos, settings.mapFrame()),
          new PoseMessage(motion.translation(), motion.rotation()));
    }

    @Override
    public void onMap(OccupancyGrid map, long stampNanos) {
      if (maps.count() == 0) {
        LOG.info("the first map of robot {}: {} x {} cells", robot.id(), map.width(), map.height());
      }
      maps.take(map, stampNanos);
      mapIsOfAFormerRun = false;
    }

    @Override
    public void onEnd(OccupancyGrid map, List<PathPose> path) {
      LOG.info("the run of robot {} is over after {} poses", robot.id(), path.size());
      try {
        maps.write(sink -> sink.end(maps.shown(map), path));
      } catch (IOException e) {
        LOG.error("the map of robot {} cannot be written: {}", robot.id(), e.getMessage());
      }
    }

    @Override
    public void onBrokenEnd(String why, List<PathPose> path) {
      Optional<OccupancyGrid> map = maps.grid();
      LOG.warn(
          "the run of robot {} did not end in order: {}; {} of its map and {} of its path is left",
          robot.id(),
          why,
          map.isEmpty() ? "nothing" : mapIsOfAFormerRun ? "that of a run before" : "the newest",
          path.isEmpty() ? "nothing" : "all");
      try {
        maps.write(sink -> write(sink, map, path));
      } catch (IOException e) {
        LOG.error("the map of robot {} cannot be written: {}", robot.id(), e.getMessage());
      }
    }

    private void write(FileSink sink, Optional<OccupancyGrid> map, List<PathPose> path)
        throws IOException {
      if (map.isPresent() && !path.isEmpty() && !mapIsOfAFormerRun) {
        sink.end(map.get(), path);
        return;
      }
      if (map.isPresent()) {
        maps.forget(FileSink.TRAJECTORY);
        sink.end(map.get());
      }
      if (!path.isEmpty()) {
        if (map.isEmpty()) {
          maps.forget(MapFiles.PICTURE, MapFiles.DESCRIPTION, MapPicture.FILE);
        }
        sink.end(path);
      }
    }

    @Override
    public void onRestart(String why) {
      LOG.warn("robot {} begins a new map: {}", robot.id(), why);
      mapIsOfAFormerRun = true;
      mapToOdom.reset();
      pairing.forgetLast();
    }

    @Override
    public void onOutage(String why) {
      LOG.warn("the broker is away: {}", why);
      outage = why;
    }

    @Override
    public void onBack() {
      LOG.info("the broker is back");
      outage = "";
    }
  }
}
