package org.cartostream.web.topic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.Stream;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.ros.message.ColorRgba;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Marker;
import org.cartostream.ros.message.PoseArray;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.RosLog;
import org.cartostream.ros.message.RosPath;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.ros.message.Vector3;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.JumpDetector;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.web.observer.RunObserver;

/**
 * Translator of a run's events into the messages of its {@link Topic}s. Frames are those of REP
 * 105: {@code map}, {@code odom}, {@code base_link}, and {@code laser}.
 *
 * <p>Owns the counts, and the state last sent of each topic that sends differences. Not
 * thread-safe.
 */
public final class RunTopics implements RunObserver {

  /** Receiver of the messages: a recording, or a connection. */
  public interface Output {

    /**
     * Takes the next message.
     *
     * @param stampNanos stamp by the robot's clock, since 1970-01-01 UTC
     * @param message bytes in CDR, or JSON in UTF-8; nobody changes them later
     */
    void send(Topic topic, long stampNanos, byte[] message);
  }

  static final String MAP_FRAME = "map";
  private static final String ODOM_FRAME = "odom";
  private static final String BASE_FRAME = "base_link";
  private static final String LASER_FRAME = "laser";

  private static final double MOUNT_METRES = 1e-3;
  private static final double MOUNT_RADIANS = 1e-3;

  private static final double LOOP_METRES = 0.03;
  private static final ColorRgba VIOLET = new ColorRgba(0.5f, 0, 0.5f, 1);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Output output;
  private MapTopics maps;
  private final JumpDetector jumps = new JumpDetector();
  private String robot = "";
  private long processed;
  private long refused;
  private long lost;
  private double neff;
  private long newestStamp;
  private long newestReading;
  private Pose mount;

  /** Trouble of the link to the service; empty if the link is well. */
  private String trouble = "";

  private Correction correction = Correction.NONE;
  private List<ClosedLoop> loops = List.of();

  public RunTopics(Output output) {
    this.output = output;
    this.maps = new MapTopics(output);
  }

  @Override
  public void begin(String id, long scans) {
    robot = id;
    processed = 0;
    refused = 0;
    lost = 0;
    neff = 0;
    correction = Correction.NONE;
    if (!loops.isEmpty()) {
      loops(List.of(), newestStamp); // Removes those of the run before.
    }
    jumps.reset();
    maps = new MapTopics(output);
  }

  @Override
  public void outcome(long number, Reading reading, Outcome outcome) {
    double millis = 0;
    boolean searched = false;
    if (reading != null) {
      newestStamp = reading.stampNanos();
      newestReading = number;
      send(reading);
    }
    if (outcome instanceof Outcome.Processed taken) {
      processed++;
      neff = taken.pose().effectiveSampleSize();
      millis = taken.serviceNanos() / 1e6;
      searched = taken.searched();
      send(reading, taken.pose());
    } else if (outcome instanceof Outcome.Refused no) {
      refused++;
      log(RosLog.WARN, "reading " + number + " is refused: " + no.sentence());
    } else if (outcome instanceof Outcome.Lost no) {
      lost++;
      log(RosLog.WARN, "reading " + number + " is lost: " + no.sentence());
    }
    Counters counters = new Counters(number, processed, refused, lost, neff, millis, searched);
    output.send(Topic.COUNTERS, newestStamp, json(counters));
  }

  /** Sends a scan, and the robot's pose by odometry. */
  private void send(Reading reading) {
    Scan scan = reading.scan();
    if (mount == null || hasMoved(scan.mount())) {
      mount = scan.mount();
      output.send(
          Topic.TF_STATIC,
          reading.stampNanos(),
          TfMessage.TYPE.encodeCdr(
              new TfMessage(List.of(transform(reading, BASE_FRAME, LASER_FRAME, mount)))));
    }
    LaserScan message =
        new LaserScan(
            new Header(0, reading.stampNanos(), LASER_FRAME),
            (float) scan.startAngle(),
            (float) (scan.startAngle() + (scan.beams() - 1) * scan.angleStep()),
            (float) scan.angleStep(),
            0,
            0,
            (float) scan.minRange(),
            (float) scan.maxRange(),
            scan.ranges(),
            new float[0]);
    output.send(Topic.SCAN, reading.stampNanos(), LaserScan.TYPE.encodeCdr(message));
    output.send(
        Topic.TF,
        reading.stampNanos(),
        TfMessage.TYPE.encodeCdr(
            new TfMessage(
                List.of(transform(reading, ODOM_FRAME, BASE_FRAME, reading.odometry())))));
  }

  /**
   * Returns true if the mount has changed by more than rounding: logs that give the mount with each
   * scan round it.
   */
  private boolean hasMoved(Pose now) {
    return now.distance(mount) > MOUNT_METRES
        || Math.abs(Pose.wrap(now.theta() - mount.theta())) > MOUNT_RADIANS;
  }

  /** Sends the filter's pose of a reading, and the transform from {@code map} to {@code odom}. */
  private void send(Reading reading, RobotPose taken) {
    Pose pose = taken.inMap();
    Pose mapToOdom = pose.then(reading.odometry().inverse());
    output.send(
        Topic.TF,
        reading.stampNanos(),
        TfMessage.TYPE.encodeCdr(
            new TfMessage(List.of(transform(reading, MAP_FRAME, ODOM_FRAME, mapToOdom)))));
    output.send(
        Topic.POSE,
        reading.stampNanos(),
        PoseStamped.TYPE.encodeCdr(stamped(reading.stampNanos(), pose)));
    double jump = jumps.next(pose, reading.odometry(), taken.correction().number());
    if (jump > JumpDetector.ANNOUNCED_METRES) {
      log(RosLog.INFO, JumpDetector.sentence(jump));
    }
    if (taken.correction().number() > correction.number()) {
      correction = taken.correction();
      log(RosLog.INFO, correction.sentence());
    }
  }

  private static TransformStamped transform(
      Reading reading, String frame, String child, Pose pose) {
    return new TransformStamped(
        new Header(0, reading.stampNanos(), frame), child, PlanarPose.transform(pose));
  }

  private static PoseStamped stamped(long stampNanos, Pose pose) {
    return new PoseStamped(new Header(0, stampNanos, MAP_FRAME), PlanarPose.pose(pose));
  }

  @Override
  public void particles(ParticlesMessage newest, long stampNanos) {
    PoseArray message =
        new PoseArray(
            new Header(0, stampNanos, MAP_FRAME),
            newest.poses().stream().map(PlanarPose::pose).toList());
    output.send(Topic.PARTICLES, stampNanos, PoseArray.TYPE.encodeCdr(message));
    output.send(Topic.PARTICLE_TASKS, stampNanos, json(new ParticleTasks(newest.tasks())));
  }

  @Override
  public void loops(List<ClosedLoop> newest, long stampNanos) {
    loops = newest;
    List<Vector3> ends =
        newest.stream()
            .flatMap(each -> Stream.of(each.first(), each.again()))
            .map(each -> PlanarPose.position(each.pose()))
            .toList();
    Marker lines =
        Marker.lines(new Header(0, stampNanos, MAP_FRAME), "loops", LOOP_METRES, VIOLET, ends);
    output.send(Topic.LOOPS, stampNanos, Marker.TYPE.encodeCdr(lines));
  }

  @Override
  public void map(OccupancyGrid map, int shown, long stampNanos) {
    maps.update(map, shown, newestReading, stampNanos);
  }

  /** Sends the newest map again, as a whole. */
  public void repeatMap() {
    maps.repeat(newestReading, newestStamp);
  }

  @Override
  public void link(String now) {
    if (now.equals(trouble)) {
      return;
    }
    trouble = now;
    log(
        now.isEmpty() ? RosLog.INFO : RosLog.WARN,
        now.isEmpty() ? "the link to the service is well again" : now);
  }

  @Override
  public void result(OccupancyGrid map, List<PathPose> path) {
    List<PoseStamped> poses =
        path.stream().map(each -> stamped(each.stampNanos(), each.pose())).toList();
    output.send(
        Topic.PATH,
        newestStamp,
        RosPath.TYPE.encodeCdr(new RosPath(new Header(0, newestStamp, MAP_FRAME), poses)));
    maps.whole(map, correction.number(), newestReading, newestStamp);
  }

  @Override
  public void end(String failure) {
    if (!failure.isEmpty()) {
      log(RosLog.WARN, "the run was given up: " + failure);
    }
  }

  private void log(byte level, String sentence) {
    RosLog message = new RosLog(newestStamp, level, "robot " + robot, sentence, "", "", 0);
    output.send(Topic.LOG, newestStamp, RosLog.TYPE.encodeCdr(message));
  }

  static byte[] json(Record object) {
    try {
      return JSON.writeValueAsBytes(object);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers and texts are JSON", e);
    }
  }
}
