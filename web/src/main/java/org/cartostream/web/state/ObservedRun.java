package org.cartostream.web.state;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.web.observer.RunObserver;

/**
 * Newest state of one run, as its viewers see it. Keeps no queue: a viewer gets the present state,
 * and misses states in between. Owns the state; thread-safe. A call takes no longer than to store
 * its arguments.
 */
public final class ObservedRun implements RunObserver {

  /** Progress of a run. */
  public enum Phase {
    /** No reading has been answered yet. */
    WAITING,
    RUNNING,
    /** The run has ended in order. */
    FINISHED,
    /** The run was given up. */
    FAILED
  }

  /**
   * Maximum number of poses of the path: a kilometre has 10,000 at one each 0.1 m, and a page draws
   * so many at once.
   */
  private static final int MAX_POSES = 20_000;

  /** Maximum number of readings in the diagrams, which have no more pixels than a screen. */
  private static final int MAX_READINGS = 4_000;

  private static final int MAX_CORRECTIONS = 500;

  private static final ParticlesMessage NO_PARTICLES = new ParticlesMessage(List.of(), List.of());

  /**
   * Refusals for one reason.
   *
   * @param count number of refused readings
   * @param sentence sentence of the first refusal
   */
  record Refusals(long count, String sentence) {}

  /**
   * Numbers of readings by outcome.
   *
   * @param scans number of scans that will be read in all; 0 if unknown
   */
  public record Counts(long scans, long processed, long refused, long lost) {

    public static final Counts NONE = new Counts(0, 0, 0, 0);

    /** Returns the sums of these counts and others. */
    public Counts plus(Counts other) {
      return new Counts(
          scans + other.scans,
          processed + other.processed,
          refused + other.refused,
          lost + other.lost);
    }
  }

  private final LongSupplier nanoTime;
  private String robot = "";
  private Counts counts = Counts.NONE;
  private final Map<String, Refusals> refusals = new TreeMap<>();
  private Phase phase = Phase.WAITING;
  private String failure = "";
  private String trouble = "";
  private double effectiveSampleSize;
  private double millis;
  private Pose pose;
  private Reading reading;
  private ParticlesMessage particles = NO_PARTICLES;

  /** Time at which the particles came, by the clock of this computer, nanoseconds. */
  private long particlesAt;

  /**
   * Time from the particles to the newest outcome, by the clock of this computer, nanoseconds.
   * Particles do not age while no reading comes, as the robot is not known to have moved. By the
   * robot's clock the particles of a log that is replayed fast would be too old at once, and a
   * service's observer does not know that clock.
   */
  private long particlesAgeNanos;

  private List<ClosedLoop> loops = List.of();

  /** Transforms of the corrections, by number. */
  private final Map<Integer, Pose> transforms = new HashMap<>(Map.of(0, Pose.ORIGIN));

  private int correction;
  private final Decimator path = new Decimator(MAX_POSES);
  private final Decimator readings = new Decimator(MAX_READINGS);
  private final Decimator corrections = new Decimator(MAX_CORRECTIONS);
  private OccupancyGrid map;
  private int mapCorrection;

  /** Number of changes of the state. */
  private long version;

  public ObservedRun() {
    this(System::nanoTime);
  }

  public ObservedRun(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  @Override
  public synchronized void begin(String id, long scans) {
    version++;
    robot = id;
    counts = new Counts(scans, 0, 0, 0);
    phase = Phase.WAITING;
    failure = "";
    effectiveSampleSize = 0;
    millis = 0;
    pose = null; // The map of the previous run stays until this run has one.
    reading = null;
    particles = NO_PARTICLES;
    loops = List.of();
    refusals.clear();
    path.clear();
    readings.clear();
    corrections.clear();
    correction = 0;
    mapCorrection = 0;
    transforms.clear();
    transforms.put(0, Pose.ORIGIN);
  }

  @Override
  public synchronized void outcome(long number, Reading of, Outcome outcome) {
    version++;
    phase = Phase.RUNNING;
    particlesAgeNanos = nanoTime.getAsLong() - particlesAt;
    long processed = counts.processed;
    long refused = counts.refused;
    long lost = counts.lost;
    if (outcome instanceof Outcome.Processed taken) {
      processed++;
      millis = taken.serviceNanos() / 1e6;
      take(number, of, taken.pose());
    } else if (outcome instanceof Outcome.Refused no) {
      refused++;
      refusals.merge(
          no.refusal(),
          new Refusals(1, no.sentence()),
          (before, one) -> new Refusals(before.count + 1, before.sentence));
    } else {
      lost++;
    }
    counts = new Counts(counts.scans, processed, refused, lost);
  }

  private void take(long number, Reading of, RobotPose taken) {
    effectiveSampleSize = taken.effectiveSampleSize();
    reading = of;
    Correction newest = taken.correction();
    transforms.put(newest.number(), newest.transform());
    // The map may show an older correction: the robot is drawn where it is in that map.
    Pose shown = transforms.get(mapCorrection);
    pose = shown == null ? taken.inMap() : shown.then(taken.local());
    path.add(pose.x(), pose.y());
    readings.add(number, effectiveSampleSize, millis);
    if (newest.number() > correction) {
      correction = newest.number();
      corrections.add(pose.x(), pose.y(), newest.movedMetres());
    }
  }

  @Override
  public synchronized void map(OccupancyGrid newest, int shows, long stampNanos) {
    version++;
    map = newest;
    mapCorrection = shows;
    transforms.keySet().removeIf(number -> number < shows);
  }

  @Override
  public synchronized void particles(ParticlesMessage newest, long stampNanos) {
    version++;
    particles = newest;
    particlesAt = nanoTime.getAsLong();
    particlesAgeNanos = 0;
  }

  @Override
  public synchronized void loops(List<ClosedLoop> newest, long stampNanos) {
    version++;
    loops = newest;
  }

  @Override
  public synchronized void link(String why) {
    version++;
    trouble = why;
  }

  @Override
  public synchronized void result(OccupancyGrid last, List<PathPose> whole) {
    version++;
    map = last;
    path.clear();
    whole.forEach(each -> path.add(each.pose().x(), each.pose().y()));
    if (!whole.isEmpty()) {
      pose = whole.get(whole.size() - 1).pose();
    }
  }

  @Override
  public synchronized void end(String why) {
    version++;
    phase = why.isEmpty() ? Phase.FINISHED : Phase.FAILED;
    failure = why;
  }

  /** Returns the numbers of readings by outcome. */
  public synchronized Counts counts() {
    return counts;
  }

  /** Returns the newest map, if there is one. */
  public synchronized Optional<OccupancyGrid> map() {
    return Optional.ofNullable(map);
  }

  /** Returns the phase that the run is in. */
  public synchronized Phase phase() {
    return phase;
  }

  /** Returns true if the link to the service is well, or there is none. */
  public synchronized boolean isLinkWell() {
    return trouble.isEmpty();
  }

  /** Returns a number that grows with each change of the state. */
  synchronized long version() {
    return version;
  }

  /** Returns the present state, with only those items of its lists that a reader lacks. */
  synchronized RunSnapshot snapshot(RunSnapshot.Seen seen) {
    return new RunSnapshot(
        new RunSnapshot.Run(robot, phase, failure, trouble),
        counts,
        Map.copyOf(refusals),
        new RunSnapshot.Latest(
            effectiveSampleSize,
            millis,
            pose,
            reading,
            correction,
            particles,
            particlesAgeNanos / 1e9),
        map,
        loops,
        new RunSnapshot.Lists(
            path.missing(seen.path()),
            readings.missing(seen.readings()),
            corrections.missing(seen.corrections())));
  }
}
