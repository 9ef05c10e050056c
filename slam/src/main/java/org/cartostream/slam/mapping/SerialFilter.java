package org.cartostream.slam.mapping;

import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.particle.ParticleSelector;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;

/**
 * The whole filter in one thread. Its results equal the topology's, which has many tasks, to the
 * last bit. It is also the shortest code that shows a whole step.
 */
public final class SerialFilter {

  /** The outcome of a reading. */
  public sealed interface Result {
    /**
     * Result of a reading that was used.
     *
     * @param searched true if odometry was doubted, so that a wide search was needed
     */
    record Processed(RobotPose pose, boolean searched) implements Result {}

    /** Result of a reading that was not used. */
    record Refused(Refusal.Reason why) implements Result {}
  }

  /**
   * Cost of all readings so far; for reports only.
   *
   * @param matchNanos nanoseconds of moving, matching and weighing
   * @param resampleNanos nanoseconds of deciding, and of copying particles
   * @param mapUpdateNanos nanoseconds of entering scans into maps
   * @param resamplings number of resamplings
   * @param evaluations number of poses that the scan matcher scored
   * @param meanParticles mean number of particles matched at a key frame
   * @param odometry counts of the times that odometry was doubted
   */
  public record Cost(
      long matchNanos,
      long resampleNanos,
      long mapUpdateNanos,
      long resamplings,
      long evaluations,
      double meanParticles,
      OdometryStatistics odometry) {}

  /** The only task. */
  private static final int TASK = 0;

  private final ReadingFilter readingFilter;
  private final Partition<ParticleMap> partition;
  private final ParticleSelector selector;
  private final TrajectoryTree trajectoryTree;

  private long matchNanos;
  private long resampleNanos;
  private long mapUpdateNanos;
  private long resamplings;
  private long evaluations;
  private long keyFrames;
  private long matches;
  private OdometryStatistics odometryStatistics = OdometryStatistics.NONE;

  public SerialFilter(FilterSettings settings, String robot) {
    this(settings, robot, StartingMap.NONE);
  }

  /** Creates a filter that begins with a starting map. */
  public SerialFilter(FilterSettings settings, String robot, StartingMap startingMap) {
    readingFilter = new ReadingFilter(settings);
    partition = MappingFilters.partition(settings, robot, TASK, startingMap);
    selector = new Resampler(settings, robot);
    trajectoryTree = new TrajectoryTree(settings, startingMap);
  }

  /**
   * Creates a filter that continues a run of several tasks.
   *
   * @param partition all particles of the run, after the latest key frame
   */
  public SerialFilter(
      ReadingFilter readingFilter,
      Partition<ParticleMap> partition,
      ParticleSelector selector,
      TrajectoryTree trajectoryTree) {
    this.readingFilter = readingFilter;
    this.partition = partition;
    this.selector = selector;
    this.trajectoryTree = trajectoryTree;
  }

  /** Takes the next reading; readings come in the order in which they were taken. */
  public Result process(long sequence, Reading reading) {
    ReadingFilter.Decision decision = readingFilter.decide(sequence, reading);
    if (decision instanceof ReadingFilter.Decision.Refuse refuse) {
      return new Result.Refused(refuse.why());
    }
    Step step = ((ReadingFilter.Decision.Accept) decision).step();
    odometryStatistics = odometryStatistics.and(step);
    if (step.keyFrame()) {
      keyFrame(step);
    } else {
      trajectoryTree.addIntermediate(step);
    }
    return new Result.Processed(trajectoryTree.robotPose(), step.searched());
  }

  /**
   * Relocates a robot that was carried since the latest reading, and whose odometry may begin anew:
   * at the next reading that is used, its pose is searched near a stated one, in each particle's
   * own map.
   *
   * @param there the stated pose, in the filter's own frame
   */
  public void relocate(InitialPose.At there, FilterSettings settings) {
    readingFilter.relocate(there, settings);
  }

  private void keyFrame(Step step) {
    long start = System.nanoTime();
    ParticleWeights particleWeights = partition.match(step);
    long matched = System.nanoTime();
    Resampling resampling = selector.resample(particleWeights);
    partition.resample(resampling, new int[resampling.parents().length]);
    long resampled = System.nanoTime();
    partition.updateMap();
    long updated = System.nanoTime();
    trajectoryTree.addKeyFrame(step, particleWeights, resampling);

    matchNanos += matched - start;
    resampleNanos += resampled - matched;
    mapUpdateNanos += updated - resampled;
    resamplings += resampling.resampled() ? 1 : 0;
    evaluations += particleWeights.evaluations();
    keyFrames++;
    matches += particleWeights.particles().length;
  }

  /** Returns the cost of the readings so far. */
  public Cost cost() {
    return new Cost(
        matchNanos,
        resampleNanos,
        mapUpdateNanos,
        resamplings,
        evaluations,
        keyFrames == 0 ? 0 : (double) matches / keyFrames,
        odometryStatistics);
  }

  /** Returns the reading filter. */
  public ReadingFilter readingFilter() {
    return readingFilter;
  }

  /** All particles. */
  public Partition<ParticleMap> partition() {
    return partition;
  }

  /** Returns the selector of the particles that survive. */
  public ParticleSelector selector() {
    return selector;
  }

  /** The paths so far, and the map along the best of them. */
  public TrajectoryTree trajectoryTree() {
    return trajectoryTree;
  }
}
