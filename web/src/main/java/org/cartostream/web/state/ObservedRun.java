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
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.web.observer.RunObserver;

/**
 * The newest state of one run, as its viewers see it. Keeps no queue: what came in between is in
 * the state, or gone. Owns it; thread-safe, and a call takes no longer than to note what it is
 * told.
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

  /** Poses of the path: a kilometre has 10,000 at one each 0.1 m, and a page draws them at once. */
  private static final int MAX_POSES = 20_000;

  /** Readings in the diagrams, each of which has no more pixels than a screen. */
  private static final int MAX_READINGS = 4_000;

  private static final int MAX_CORRECTIONS = 500;

  private static final ParticlesMessage NO_PARTICLES = new ParticlesMessage(List.of(), List.of());

  /**
   * Number of readings that were refused for one reason.
   *
   * @param sentence that came with the first of them
   */
  record Refusals(long count, String sentence) {}

  /**
   * Numbers of readings by outcome.
   *
   * @param scans that will be read in all
   */
  public record Counts(long scans, long processed, long refused, long lost) {

    public static final Counts NONE = new Counts(0, 0, 0, 0);

    /** Returns the sum of both. */
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
  private SymmetricMatrix3 covariance = SymmetricMatrix3.ZERO;
  private Reading reading;
  private ParticlesMessage particles = NO_PARTICLES;

  /** Time at which the particles came, by the clock of this computer. */
  private long particlesAt;

  /**
   * Up to the newest outcome: while no reading comes the robot is not known to be elsewhere. Not by
   * the robot's clock: of a log with a reading in three seconds that is replayed fast nobody would
   * see them, and who observes a service has no stamps.
   */
  private long particlesAgeNanos;

  private List<ClosedLoop> loops = List.of();

  /** The transform of each correction, by its number. */
  private final Map<Integer, Pose> transforms = new HashMap<>(Map.of(0, Pose.ORIGIN));

  private int correction;
  private final Decimator path = new Decimator(MAX_POSES);
  private final Decimator readings = new Decimator(MAX_READINGS);
  private final Decimator corrections = new Decimator(MAX_CORRECTIONS);
  private OccupancyGrid map;
  private int mapCorrection;

  /** Counts what it was told. */
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
    covariance = SymmetricMatrix3.ZERO;
    pose = null; // The map of the run before stays until there is one of this.
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
    covariance = taken.covariance();
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
      covariance = SymmetricMatrix3.ZERO; // It was that of the pose on the way.
    }
  }

  @Override
  public synchronized void end(String why) {
    version++;
    phase = why.isEmpty() ? Phase.FINISHED : Phase.FAILED;
    failure = why;
  }

  /** Numbers of readings by outcome. */
  public synchronized Counts counts() {
    return counts;
  }

  /** The newest map, if there is one. */
  public synchronized Optional<OccupancyGrid> map() {
    return Optional.ofNullable(map);
  }

  /** Returns the phase that the run is in. */
  public synchronized Phase phase() {
    return phase;
  }

  /** True if the link to the service is well, or there is none. */
  public synchronized boolean isLinkWell() {
    return trouble.isEmpty();
  }

  /** Grows with whatever changes. */
  synchronized long version() {
    return version;
  }

  /** Returns what the run is now; the lists are what somebody lacks of them. */
  synchronized RunSnapshot snapshot(RunSnapshot.Seen seen) {
    return new RunSnapshot(
        new RunSnapshot.Run(robot, phase, failure, trouble),
        counts,
        Map.copyOf(refusals),
        new RunSnapshot.Latest(
            effectiveSampleSize,
            millis,
            pose,
            ErrorEllipse.of(covariance.xx(), covariance.xy(), covariance.yy()),
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
