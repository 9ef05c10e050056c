package org.cartostream.gateway.ros;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.gateway.live.LiveListener;
import org.cartostream.gateway.ros.scan.OdometrySource;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.ros.scan.ScanOdometrySync;
import org.cartostream.gateway.ros.tf.TransformTree;
import org.cartostream.gateway.session.BrokerConnector;
import org.cartostream.ros.message.Clock;
import org.cartostream.ros.message.DiagnosticArray;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Trigger;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The gateway of one robot that speaks ROS, with slam_gmapping's topics, frames and services, so
 * that it can replace slam_gmapping.
 *
 * <p>When the run is over, its map and path are written into the robot's folder.
 *
 * <p>Owns the robot's {@link LiveGateway} and the timer of periodic messages.
 */
public final class RosGateway implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RosGateway.class);

  private static final long WATCH_MILLIS = 20;

  /**
   * Clock and period of the gateway.
   *
   * @param nanoTime clock for waiting, nanoseconds
   * @param diagnosisMillis period of diagnoses, milliseconds
   */
  public record Timing(LongSupplier nanoTime, long diagnosisMillis) {
    public static final Timing SYSTEM = new Timing(System::nanoTime, 1000);
  }

  private final LiveGateway.Robot robot;
  private final RosSettings settings;
  private final Timing timing;
  private final MasterMonitor master;
  private final RobotClock clock;
  private final ScanCounters scanCounters;
  private final ScanOdometrySync scanSync;
  private final MapServer maps;
  private final MapToOdomPublisher mapToOdomPublisher;
  private final PoseTopics poses;
  private final RosNode.Publisher<DiagnosticArray> diagnostics;
  private final LiveGateway liveGateway;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "ros gateway's timer");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Lock held while a scan comes in, so that the last count includes the outcome of each counted
   * scan.
   */
  private final Object intake = new Object();

  private boolean over;
  private volatile long lastScanNanos = System.nanoTime();
  private volatile int mapCorrection;
  private volatile String outage = "";
  private long diagnoses;
  private long refusedBefore;

  private RosGateway(
      RosNode node,
      MasterMonitor master,
      LiveGateway.Robot robot,
      RosSettings settings,
      BrokerConnector connector,
      Timing timing) {
    this.robot = robot;
    this.scanCounters = new ScanCounters(robot.id());
    this.settings = settings;
    this.timing = timing;
    this.master = master;
    maps = new MapServer(node, settings, robot.folder(), robot.resumes());
    poses = new PoseTopics(node, settings, robot.localisation());
    if (robot.localisation().isEmpty()) {
      node.advertiseService("cartostream/new_map", Trigger.TYPE, request -> beginNewMap());
    }
    diagnostics = node.advertise("/diagnostics", DiagnosticArray.TYPE, false);
    RosNode.Publisher<TfMessage> tf = node.advertise("/tf", TfMessage.TYPE, false);
    // Last, so that a failure before this line leaves no connection open.
    liveGateway = LiveGateway.open(robot, new ServiceListener(), connector, timing.nanoTime());
    clock = new RobotClock(liveGateway.serviceClock());
    scanSync =
        new ScanOdometrySync(
            settings,
            new OdometrySource.Topics(node.resolve("/tf"), node.resolve("odom"), false),
            liveGateway::offer,
            why -> scanCounters.notUsed(why, System.nanoTime()),
            note -> LOG.warn("robot {}: {}", robot.id(), note));
    mapToOdomPublisher =
        new MapToOdomPublisher(
            tf, settings, clock, note -> LOG.info("robot {}: {}", robot.id(), note));
  }

  private void subscribe(RosNode node) {
    node.subscribe(
        "/tf_static",
        TfMessage.TYPE,
        TopicQos.STATIC_TRANSFORMS,
        message -> receive(message, true));
    if (settings.simulatedTime()) {
      node.subscribe("/clock", Clock.TYPE, time -> clock.onStamp(time.clock(), hereNanos()));
    }
    node.subscribe("/tf", TfMessage.TYPE, message -> receive(message, false));
    node.subscribe("odom", Odometry.TYPE, this::receive);
    node.subscribe("scan", LaserScan.TYPE, this::receive);
    LOG.info("robot {} subscribes to {}", robot.id(), node.resolve("scan"));
    if (!settings.mount().sentence().isEmpty()) {
      LOG.info("robot {}: {}", robot.id(), settings.mount().sentence());
    }
  }

  /**
   * Joins the robot's graph and connects to the broker.
   *
   * @param node the node, which the caller closes after this gateway
   * @param master the state of the node's master
   * @param connector opens the connection to the broker
   * @param timing {@link Timing#SYSTEM} except in tests
   * @throws org.cartostream.broker.BrokerException if the broker cannot be used, or another gateway
   *     takes this robot's answers
   * @throws org.cartostream.gateway.GatewayException if the robot's folder cannot be written
   */
  public static RosGateway open(
      RosNode node,
      MasterMonitor master,
      LiveGateway.Robot robot,
      RosSettings settings,
      BrokerConnector connector,
      Timing timing) {
    RosGateway gateway = new RosGateway(node, master, robot, settings, connector, timing);
    try {
      gateway.subscribe(node);
      return gateway;
    } catch (RuntimeException e) {
      gateway.close();
      throw e;
    }
  }

  /**
   * Maps, or localises, until {@link #stop}. To be called once.
   *
   * @return true if the run ended in order
   */
  public boolean run() throws InterruptedException {
    robot.search().ifPresent(any -> mapToOdomPublisher.hold());
    long period = (long) (settings.transformPeriodSeconds() * TimeUnit.SECONDS.toMicros(1));
    if (period > 0) {
      every(period, TimeUnit.MICROSECONDS, this::publishTransform);
    }
    every(WATCH_MILLIS, TimeUnit.MILLISECONDS, () -> scanSync.processWaiting(System.nanoTime()));
    every(timing.diagnosisMillis(), TimeUnit.MILLISECONDS, this::diagnose);
    robot.localisation().ifPresent(known -> maps.serve(known.map(), hereNanos()));
    nameRun();
    LOG.info("robot {} {}", robot.id(), robot.resumes() ? "goes on with its run" : "has joined");
    try {
      return liveGateway.run();
    } finally {
      timer.shutdownNow();
      synchronized (intake) {
        over = true;
        scanSync.skipAll();
      }
    }
  }

  /**
   * Adds the robot's id and the run's number to this thread's further log lines, as the service
   * does.
   */
  private void nameRun() {
    MDC.put("robot", robot.id());
    MDC.put("run", Long.toHexString(liveGateway.runNumber()));
  }

  /**
   * Runs a task periodically. Logs its exceptions, which would otherwise silently end the
   * repetition.
   */
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

  private void publishTransform() {
    if (isHeldBack()) {
      mapToOdomPublisher.hold();
    }
    mapToOdomPublisher.publish(hereNanos());
  }

  /** True while it is not known where the robot stands. */
  private boolean isHeldBack() {
    return !liveGateway.heldBack().isEmpty();
  }

  /** Ends in order, from any thread; the last map comes. A second call ends at once. */
  public void stop() {
    liveGateway.stop();
  }

  /** Returns how many readings wait to be sent. */
  public int waiting() {
    return liveGateway.waiting();
  }

  /**
   * Returns when the last scan came, by {@link System#nanoTime}; before the first, when this
   * gateway was made.
   */
  public long lastScanNanos() {
    return lastScanNanos;
  }

  /** Returns the number of the last reading of the run that was answered. */
  public long lastReading() {
    return liveGateway.lastReading();
  }

  /** Ends at once, from any thread, and leaves the run to another process. */
  public void abandon() {
    liveGateway.abandon();
  }

  /** Returns a sentence for people with the numbers of scans by outcome. */
  public String summary() {
    return scanCounters.summary();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    liveGateway.close();
  }

  /** Keeps the files of the map so far, and begins a new one. */
  private Trigger.Response beginNewMap() {
    try {
      String kept = maps.keep(Long.toHexString(liveGateway.runNumber()));
      liveGateway.beginNewMap();
      return new Trigger.Response(true, "a new map begins; " + kept);
    } catch (IOException e) {
      return new Trigger.Response(
          false, "no new map begins, for the one so far cannot be written: " + e.getMessage());
    }
  }

  // --- from the robot --------------------------------------------------------------------------

  private void receive(LaserScan scan) {
    lastScanNanos = System.nanoTime();
    synchronized (intake) {
      if (over) {
        return;
      }
      scanCounters.read(1);
      clock.onStamp(scan.header().stamp(), hereNanos());
      scanSync.receive(settings.withTrueStamp(scan), System.nanoTime());
    }
  }

  private void receive(Odometry odometry) {
    clock.onStamp(odometry.header().stamp(), hereNanos());
    scanSync.receive(odometry, System.nanoTime());
  }

  private void receive(TfMessage message, boolean fixed) {
    if (scanSync.receive(message, fixed, System.nanoTime())) {
      message.transforms().stream()
          .filter(
              each ->
                  TransformTree.name(each.header().frameId())
                      .equals(TransformTree.name(settings.odomFrame())))
          .forEach(each -> clock.onStamp(each.header().stamp(), hereNanos()));
    }
  }

  /** Returns the time by this computer's clock, nanoseconds since 1970-01-01 UTC. */
  private static long hereNanos() {
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
  }

  // --- to the robot ----------------------------------------------------------------------------

  private void diagnose() {
    ReadingCounts counts = scanCounters.counts();
    long now = System.nanoTime();
    MappingDiagnostics mappingDiagnostics =
        new MappingDiagnostics(
            robot.id(),
            new MappingDiagnostics.Scans(
                counts,
                scanCounters.unusedByReason(),
                counts.refused() - refusedBefore,
                seconds(now - lastScanNanos),
                scanCounters.lastReason(),
                liveGateway.waiting(),
                liveGateway.heldBack()),
            new MappingDiagnostics.Outages(outage, master.awayReason()),
            new MappingDiagnostics.Clock(
                clock.sentence(),
                seconds(clock.reportedNanos()),
                clock.isKnown() && clock.isNotable()),
            scanSync.odometryName(),
            new MappingDiagnostics.Answers(
                maps.count(), mapCorrection, mapToOdomPublisher.moves(), poses.newest()));
    refusedBefore = counts.refused();
    if (clock.isToBeSaid(now)) {
      LOG.warn("{}; mapping goes on by the robot's", clock.sentence());
    }
    diagnostics.send(mappingDiagnostics.message(diagnoses++, clock.robotNanos(hereNanos())));
  }

  private static double seconds(long nanos) {
    return nanos / (double) TimeUnit.SECONDS.toNanos(1);
  }

  /** Handles the service's answers. */
  private final class ServiceListener implements LiveListener {

    @Override
    public void onSkipped(long stampNanos, SkipReason why) {
      scanCounters.notUsed(why.because("stamp " + stampNanos + " ns"), System.nanoTime());
    }

    /**
     * Publishes a pose before its outcome comes, so that the robot need not wait until the scan is
     * entered into all maps.
     */
    @Override
    public void onPose(Reading reading, RobotPose pose) {
      if (!isHeldBack()) { // Else it is of a reading from before.
        mapToOdomPublisher.correct(pose.local(), pose.correction(), reading.odometry());
      }
      poses.send(reading.stampNanos(), pose);
    }

    @Override
    public void onParticles(long stampNanos, ParticlesMessage particles) {
      poses.send(stampNanos, particles.poses());
    }

    @Override
    public void onOutcome(Reading reading, Outcome outcome) {
      scanCounters.answered(outcome, System.nanoTime());
      outage = "";
      if (outcome instanceof Outcome.Processed processed) {
        maps.answered(reading.stampNanos(), processed.pose());
      }
    }

    @Override
    public void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos) {
      if (maps.count() == 0) {
        LOG.info("the first map of robot {}: {} x {} cells", robot.id(), map.width(), map.height());
      }
      maps.update(map, stampNanos);
      mapCorrection = correction;
    }

    @Override
    public void onEnd(OccupancyGrid map, List<PathPose> path) {
      LOG.info("the run of robot {} is over after {} poses", robot.id(), path.size());
      try {
        maps.writeEnd(map, path);
      } catch (IOException e) {
        LOG.error("the map of robot {} cannot be written: {}", robot.id(), e.getMessage());
      }
    }

    @Override
    public void onIncompleteEnd(String why, List<PathPose> path) {
      LOG.warn(
          "the run of robot {} did not end in order: {}; {} of its map and {} of its path is left",
          robot.id(),
          why,
          maps.newestInWords(),
          path.isEmpty() ? "what was answered" : "all");
      try {
        maps.writeIncompleteEnd(path);
      } catch (IOException e) {
        LOG.error("the map of robot {} cannot be written: {}", robot.id(), e.getMessage());
      }
    }

    @Override
    public void onResumed(long sent, int open, Correction correction) {
      LOG.info("the run of {} goes on behind reading {}, {} scans wait", robot.id(), sent, open);
      scanCounters.read(open);
      mapToOdomPublisher.resume(correction);
    }

    @Override
    public void onSilence(String why) {
      LOG.warn("{}; the scans of robot {} wait", why, robot.id());
      outage = why;
    }

    @Override
    public void onRestart(String why) {
      nameRun();
      LOG.warn("robot {} begins a new run: {}", robot.id(), why);
      maps.onNewRun();
      robot.localisation().ifPresent(known -> maps.serve(known.map(), hereNanos()));
      mapToOdomPublisher.reset();
      mapCorrection = 0;
      scanSync.resetLast();
    }

    @Override
    public void onOutage(String why) {
      LOG.warn("robot {}: the broker is away: {}", robot.id(), why);
      outage = "the broker is away: " + why;
    }

    @Override
    public void onReconnect() {
      LOG.info("robot {}: the broker is back", robot.id());
      outage = "";
    }
  }
}
