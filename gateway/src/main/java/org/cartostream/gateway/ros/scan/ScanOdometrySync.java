package org.cartostream.gateway.ros.scan;

import static java.util.stream.Collectors.joining;
import static org.cartostream.gateway.ros.scan.RosRefusal.NO_TRANSFORM;
import static org.cartostream.gateway.ros.scan.RosRefusal.STAMP_TOO_OLD;
import static org.cartostream.gateway.ros.scan.RosRefusal.THROTTLED;
import static org.cartostream.gateway.ros.scan.RosRefusal.TOO_LITTLE_MOVEMENT;
import static org.cartostream.gateway.ros.scan.RosRefusal.TOO_MANY_WAITING;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.gateway.ros.tf.TransformBuffer;
import org.cartostream.gateway.ros.tf.TransformLookup;
import org.cartostream.gateway.ros.tf.TransformTree;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * Pairs scans with odometry: gives each scan the base's pose at its stamp and the laser's place on
 * the base, or the reason why it is not used. A scan whose odometry has not come waits for it, for
 * a bounded time; scans leave in the order in which they came.
 *
 * <p>Owns the scans that wait, the frames, and the odometry of the last scan that was handed on.
 * Thread-safe; {@code nanoTime} is {@link System#nanoTime}.
 */
public final class ScanOdometrySync {

  /**
   * @param beamNanos time from one beam to the next, nanoseconds; 0 if all are measured at once
   * @param endNanos stamp until which odometry is needed: that of the last beam
   */
  private record WaitingScan(LaserScan scan, double beamNanos, long endNanos, long sinceNanos) {}

  private final RosSettings settings;
  private final Consumer<Reading> ready;
  private final Consumer<Refusal.Reason> unused;
  private final Consumer<String> notes;
  private final long maxWaitNanos;
  private final LaserScanConverter converter;
  private final TransformTree frames;
  private final OdometrySource odometry;
  private final SweepUndistortion sweeps;
  private final Deque<WaitingScan> waitingScans = new ArrayDeque<>();
  private final Set<String> saidFaults = new HashSet<>();

  /** Frames of lasers that were reported because the mount in the settings is of another laser. */
  private final Set<String> otherFrames = new HashSet<>();

  private ScanExtents extents = ScanExtents.live();
  private long scans;
  private long lastStampNanos = Long.MIN_VALUE;
  private Reading last;

  /**
   * @param topics topics of odometry
   * @param ready receives each reading, in the thread that delivered the message for which its scan
   *     waited
   * @param unused receives the reason why a scan is not used; each scan leads to one reading or one
   *     reason
   * @param notes receives sentences for people about the used scans, each once
   */
  public ScanOdometrySync(
      RosSettings settings,
      OdometrySource.Topics topics,
      Consumer<Reading> ready,
      Consumer<Refusal.Reason> unused,
      Consumer<String> notes) {
    this.settings = settings;
    this.ready = ready;
    this.unused = unused;
    this.notes = notes;
    this.maxWaitNanos = TimeUnit.MILLISECONDS.toNanos(settings.odometryWaitMillis());
    this.converter = new LaserScanConverter(settings.maxUsableRangeMetres());
    this.frames = new TransformTree(settings.odomFrame());
    this.odometry = new OdometrySource(frames, settings, topics);
    this.sweeps = new SweepUndistortion(settings.undistortSweeps(), odometry, notes);
  }

  /** Takes a scan, for which exactly one reading or one reason is delivered, now or later. */
  public synchronized void receive(LaserScan scan, long nanoTime) {
    boolean due = scans++ % settings.throttleScans() == 0;
    Refusal.Reason truncated = extents.next(scan);
    Refusal.Reason why = due ? converter.unusable(scan) : THROTTLED.because("");
    if (why == null) {
      why = truncated;
    }
    if (why == null) {
      why = outOfOrder(scan.header().stamp());
    }
    if (why != null) {
      unused.accept(why);
      return;
    }
    lastStampNanos = scan.header().stamp();
    waitingScans.add(
        new WaitingScan(scan, sweeps.beamNanos(scan), neededUntilNanos(scan), nanoTime));
    sweeps.next(scan);
    if (waitingScans.size() > settings.waitingScans()) {
      waitingScans.remove();
      unused.accept(TOO_MANY_WAITING.because("more than " + settings.waitingScans()));
    }
    processWaiting(nanoTime);
  }

  /**
   * Returns the time until which odometry is needed for a scan that comes next: that of its last
   * beam.
   */
  public synchronized long neededUntilNanos(LaserScan scan) {
    double sweep = sweeps.beamNanos(scan) * Math.max(0, scan.ranges().length - 1);
    return scan.header().stamp() + (long) Math.max(0, sweep);
  }

  /**
   * True if it is not known yet whether the beams of the laser's scans are measured one after
   * another.
   */
  public synchronized boolean isSweepOpen() {
    return sweeps.isOpen();
  }

  /** Sets the extents of all scans that will come, which are known of a file. */
  public synchronized void know(ScanExtents all) {
    extents = all.fromStart();
  }

  /** Takes over what another instance has learned about the sweeps of the laser. */
  public synchronized void learnFrom(ScanOdometrySync other) {
    sweeps.learnFrom(other.sweeps);
  }

  /**
   * Returns why a scan out of order is not used. A stamp far before the last means that the clock
   * was set back, as by a bag that starts anew.
   */
  private Refusal.Reason outOfOrder(long stampNanos) {
    boolean forwards = stampNanos > lastStampNanos;
    if (forwards || stampNanos < lastStampNanos - TransformBuffer.KEPT_NANOS) {
      return null;
    }
    if (stampNanos == 0) {
      return STAMP_TOO_OLD.because("its stamp is 0: the driver does not stamp its scans");
    }
    if (stampNanos == lastStampNanos) {
      return STAMP_TOO_OLD.because("it has the same stamp as the scan before it");
    }
    return STAMP_TOO_OLD.because(
        OdometrySource.seconds(lastStampNanos - stampNanos)
            + " before the scan that came before it");
  }

  /** Takes transforms; returns true if odometry is among them. */
  public synchronized boolean receive(TfMessage message, boolean fixed, long nanoTime) {
    boolean isOdometry = false;
    for (TransformStamped transform : message.transforms()) {
      frames.add(transform, fixed);
      isOdometry |= !fixed && odometry.receive(transform, nanoTime);
    }
    processWaiting(nanoTime);
    return isOdometry;
  }

  public synchronized void receive(Odometry message, long nanoTime) {
    odometry.receive(message, nanoTime);
    processWaiting(nanoTime);
  }

  /** Handles the scans whose odometry has come or that have waited long enough. */
  public synchronized void processWaiting(long nanoTime) {
    while (!waitingScans.isEmpty() && settle(waitingScans.peek(), nanoTime)) {
      waitingScans.remove();
    }
  }

  /** Skips the scans that wait. */
  public synchronized void skipAll() {
    for (WaitingScan each : waitingScans) {
      unused.accept(
          SkipReason.GATEWAY_STOPPED.because("stamp " + each.scan().header().stamp() + " ns"));
    }
    waitingScans.clear();
  }

  /** Returns the name of the source of odometry, for people. */
  public synchronized String odometryName() {
    return odometry.name();
  }

  /** Delivers the first waiting scan as a reading or a reason; false if it still has to wait. */
  private boolean settle(WaitingScan first, long nanoTime) {
    LaserScan scan = first.scan();
    boolean lastChance = nanoTime - first.sinceNanos() >= maxWaitNanos;
    String laser = TransformTree.name(scan.header().frameId());
    String base = TransformTree.name(settings.baseFrame());
    Optional<RigidTransform> mount =
        settings.mount().covers(laser)
            ? Optional.of(settings.mount().transform())
            : frames.latest(base, laser);
    TransformLookup pose = odometry.at(scan.header().stamp(), lastChance);
    boolean mayCome =
        mount.isEmpty()
            || pose instanceof TransformLookup.NotYet
            || pose instanceof TransformLookup.Unconnected
            || (pose instanceof TransformLookup.Found
                && odometry.at(first.endNanos(), false) instanceof TransformLookup.NotYet);
    if (mayCome && !lastChance) {
      return false;
    }
    List<String> faults =
        Stream.of(base, laser).flatMap(frame -> frames.faults(frame).stream()).distinct().toList();
    faults.stream().filter(saidFaults::add).forEach(this::sayFault);
    if (settings.mount().isOfOtherThan(laser) && otherFrames.add(laser)) {
      notes.accept(
          "scans come with the frame '%s', and ros.mount.frame names '%s': of these it says nothing"
              .formatted(laser, settings.mount().frame()));
    }
    if (mount.isEmpty()) {
      unused.accept(
          NO_TRANSFORM.because(
              "%s from '%s' to '%s'%s%s%s%s%s"
                  .formatted(
                      faults.isEmpty() ? "nothing leads" : "no single way leads",
                      base,
                      laser,
                      faults.stream().map(fault -> "; " + fault).collect(joining()),
                      frames.unknown(base),
                      frames.unknown(laser),
                      frames.whyInvalid(laser),
                      cure(base, laser))));
    } else if (pose instanceof TransformLookup.Found found) {
      emit(first, mount.get(), found.motion().planar());
    } else {
      unused.accept(odometry.refusalFor(pose, scan.header().stamp(), nanoTime));
    }
    return true;
  }

  private void sayFault(String fault) {
    notes.accept(fault + "; one of their publishers should end. What is unambiguous is used");
  }

  private String cure(String base, String laser) {
    if (!frames.knows(base)) {
      return frames
          .movingLink()
          .map(
              link ->
                  "; what moves is '%s' in '%s': ros.baseFrame and ros.odomFrame could name them"
                      .formatted(link.child(), link.parent()))
          .or(
              () ->
                  frames
                      .odometryLink()
                      .map(
                          link ->
                              "; odometry leads to '%s': ros.baseFrame could name it"
                                  .formatted(link.child())))
          .orElse("");
    }
    return "; if you know where it is on the robot: --set ros.mount.frame="
        + (laser.isEmpty() ? "*" : laser)
        + " --set ros.mount.xMetres=0.1 --set ros.mount.yawDegrees=0";
  }

  private void emit(WaitingScan waiting, RigidTransform mount, Pose pose) {
    LaserScan scan = waiting.scan();
    Refusal.Reason why = LaserScanConverter.unusable(mount);
    if (why == null && isTooSoon(scan.header().stamp())) {
      why = THROTTLED.because("");
    }
    if (why == null && isTooNear(scan.header().stamp(), pose)) {
      why = TOO_LITTLE_MOVEMENT.because("");
    }
    if (why != null) {
      unused.accept(why);
      return;
    }
    last =
        sweeps.undistorted(
            new Reading(scan.header().stamp(), pose, converter.read(scan, mount)),
            waiting.beamNanos());
    ready.accept(last);
  }

  /** Returns true if a scan comes too soon, by slam_toolbox's minimum_time_interval. */
  private boolean isTooSoon(long stampNanos) {
    return last != null
        && stampNanos > last.stampNanos()
        && stampNanos - last.stampNanos()
            < settings.minIntervalSeconds() * TimeUnit.SECONDS.toNanos(1);
  }

  /**
   * Returns true if a scan is to be skipped by slam_gmapping's rule: since the last used scan the
   * robot has neither moved nor turned enough, nor has enough time passed.
   */
  private boolean isTooNear(long stampNanos, Pose pose) {
    if (last == null) {
      return false;
    }
    double ageSeconds = (stampNanos - last.stampNanos()) / (double) TimeUnit.SECONDS.toNanos(1);
    boolean old =
        settings.temporalUpdateSeconds() >= 0 && ageSeconds >= settings.temporalUpdateSeconds();
    return !old
        && last.odometry().distance(pose) < settings.linearUpdateMetres()
        && Math.abs(last.odometry().to(pose).theta()) < settings.angularUpdateRadians();
  }

  /**
   * Forgets the last used scan because a new filter begins: the next scan is used wherever the
   * robot is.
   */
  public synchronized void resetLast() {
    last = null;
  }
}
