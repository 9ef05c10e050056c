package org.cartostream.slam.localisation;

import java.util.Optional;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.particle.ParticleSelector;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * Monte Carlo localisation in one thread: finds a robot in a known map, and tracks it. A reading is
 * processed in these steps:
 *
 * <ol>
 *   <li>the {@link ReadingFilter} decides, as in mapping, whether the reading can be used, and by
 *       which motion the robot came there;
 *   <li>the {@link Partition}, which holds all particles, moves them, and weighs them at each key
 *       frame ({@link LocalisationFilter});
 *   <li>the {@link AugmentedMclSelector} resamples the particles;
 *   <li>the {@link LocalisationEstimate} computes the robot's pose from all weights and poses.
 * </ol>
 *
 * <p>The map is never written to.
 */
public final class MonteCarloLocalisation {

  /** The outcome of a reading. */
  public sealed interface Result {
    /**
     * Result of a reading that was used.
     *
     * @param resampling the latest resampling decision
     * @param searched true if odometry was doubted, so that a wide search was needed
     */
    record Localised(RobotPose pose, Resampling resampling, boolean searched) implements Result {}

    /** Result of a reading that was not used. */
    record Refused(Refusal.Reason why) implements Result {}
  }

  /** Number of the only task. */
  private static final int TASK = 0;

  private final ReadingFilter readingFilter;
  private final Partition<Void> partition;
  private final ParticleSelector selector;
  private final LocalisationEstimate estimate;
  private OdometryStatistics odometry = OdometryStatistics.NONE;
  private Resampling latest;
  private long resamplings;
  private long keyFrames;
  private long moves;
  private long evaluations;

  /**
   * @param filterSettings the seed, and settings of the reading filter, the motion model and the
   *     matcher
   * @param start initial pose in the {@code map} frame; empty for global localisation
   * @throws IllegalArgumentException if the robot cannot be at {@code start}
   */
  public MonteCarloLocalisation(
      LocalisationSettings settings,
      FilterSettings filterSettings,
      String robot,
      ServerMap serverMap,
      Optional<Pose> start) {
    this(LocalisationFilters.of(settings, filterSettings, serverMap), filterSettings, robot, start);
  }

  /**
   * @param filters filters of the known map, which any number of localisations may share
   * @param filterSettings settings of the reading filter
   * @param start initial pose in the {@code map} frame; empty for global localisation
   * @throws IllegalArgumentException if the robot cannot be at {@code start}
   */
  public MonteCarloLocalisation(
      LocalisationFilters filters,
      FilterSettings filterSettings,
      String robot,
      Optional<Pose> start) {
    start.ifPresent(filters.model().map()::requireFreePlace);
    int[] all = IntStream.range(0, filters.particles()).toArray();
    this.readingFilter = new ReadingFilter(filterSettings);
    readingFilter.place(InitialPose.of(filters.model().settings(), start));
    this.partition = new Partition<>(filters.filter(robot, TASK, TaskLayout.OF_ONE), TASK, all);
    this.selector = filters.selector(robot);
    this.estimate = new LocalisationEstimate(filters);
  }

  /** Sets the map after a restore from a checkpoint, of which the map is no part. */
  public void resume(
      LocalisationSettings settings, FilterSettings filterSettings, ServerMap serverMap) {
    LocalisationFilters filters = LocalisationFilters.of(settings, filterSettings, serverMap);
    partition.resume(filters);
    estimate.resume(filters);
  }

  /**
   * Places the robot anew at the next reading that is used, at a pose that a user gave during the
   * run.
   */
  public void place(InitialPose initialPose) {
    readingFilter.place(initialPose);
  }

  /** Processes the next reading; readings come in the order of their stamps. */
  public Result process(long sequence, Reading reading) {
    ReadingFilter.Decision decision = readingFilter.decide(sequence, reading);
    if (decision instanceof ReadingFilter.Decision.Refuse refuse) {
      return new Result.Refused(refuse.why());
    }
    Step step = ((ReadingFilter.Decision.Accept) decision).step();
    odometry = odometry.and(step);
    if (step.keyFrame()) {
      keyFrame(step);
    }
    return new Result.Localised(estimate.pose(step), latest, step.searched());
  }

  private void keyFrame(Step step) {
    ParticleWeights all = partition.match(step);
    Resampling resampling = selector.resample(all);
    partition.resample(resampling, new int[resampling.parents().length]); // All at TASK.
    partition.updateMap();
    estimate.addKeyFrame(step, all, resampling);
    if (all.evidence() > 0) {
      latest = resampling;
    }
    resamplings += resampling.resampled() ? 1 : 0;
    keyFrames++;
    moves += all.particles().length;
    evaluations += all.evaluations();
  }

  /**
   * Returns the length of the way by the motions between key frames, metres. Jumps of the estimated
   * pose do not count.
   */
  public double drivenMetres() {
    return estimate.drivenMetres();
  }

  /** Number of weighings that count as evidence, since the robot was placed. */
  public int weighings() {
    return estimate.weighings();
  }

  /** Number of the latest reading at which particles were weighed; 0 before the first. */
  public long weighedAt() {
    return latest == null ? 0 : latest.sequence();
  }

  /** Returns the numbers of {@code count} particles, see {@link LocalisationEstimate#drawn}. */
  public int[] drawn(int count) {
    return estimate.drawn(count);
  }

  /** Returns a particle's pose at the latest weighing, in the {@code map} frame. */
  public Pose weighed(int particle) {
    return estimate.weighed(particle);
  }

  /** Mean number of particles at a key frame; 0 before the first. */
  public double meanParticles() {
    return keyFrames == 0 ? 0 : (double) moves / keyFrames;
  }

  /** Counts of the times that odometry was doubted. */
  public OdometryStatistics odometry() {
    return odometry;
  }

  /** Returns the number of poses that the scan matcher scored. */
  public long evaluations() {
    return evaluations + estimate.evaluations();
  }

  /** Number of resamplings. */
  public long resamplings() {
    return resamplings;
  }
}
