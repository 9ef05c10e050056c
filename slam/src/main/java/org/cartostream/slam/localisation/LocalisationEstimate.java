package org.cartostream.slam.localisation;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.localisation.LikelihoodField.ScanEnds;
import org.cartostream.slam.localisation.LocalisationModel.SeenStep;
import org.cartostream.slam.localisation.LocalisationQuality.State;
import org.cartostream.slam.match.Match;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.trajectory.Correction;

/**
 * Estimator of the pose of a robot in a known map from all of its particles: from the mean of the
 * heaviest {@link ParticleCluster} the {@link ScanMatcher} climbs to the pose at which the scan
 * fits the map's walls best. What the scan and the particles tell of that pose is its {@link
 * LocalisationQuality}, and its covariance: that of the cluster's particles about it, narrowed by
 * the scan's likelihood there.
 *
 * <p>Owns pose and quality, which are part of a checkpoint; the map is not. A pure function of
 * steps and weights: it needs no particle.
 */
public final class LocalisationEstimate {

  /**
   * Least uncertainty of a heading before the scan is matched, radians: a cell, and what it looks
   * like.
   */
  private static final double MIN_RADIANS = 0.02;

  private static final double UNAMBIGUOUS_SHARE = 0.9;

  /**
   * A robot that was lost is found by so many scans in a row that fit: somewhere in a building one
   * or two do by chance, and the particles look everywhere.
   */
  private static final int FOUND_SCANS = 10;

  /**
   * Two weighings count as two pieces of evidence only this far apart, whatever the settings say:
   * from one place the same walls are seen again, and what is wrong about them is the same.
   */
  private static final double EVIDENCE_METRES = 0.2;

  private static final double EVIDENCE_RADIANS = StrictMath.toRadians(30);

  /** One scan fits by chance in many a place, as one half of which people are. */
  private static final int MIN_WEIGHINGS = 2;

  /** Whoever localises in a map holds it, see {@link LocalisationFilters}. */
  private transient LocalisationFilters filters;

  private transient LocalisationModel model;
  private transient ScanMatcher matcher;

  /** Log weight of each particle since the latest resampling, nats. */
  private double[] logs;

  /** All particles where they were weighed last, and their weights; null before. */
  private transient Pose[] weighed;

  private transient double[] weights;

  /** Pose in the grid's frame, at the latest key frame; null before the first. */
  private Pose pose;

  /** Quality at the latest key frame. */
  private LocalisationQuality quality;

  /**
   * Effective sample size at the latest key frame at which particles were weighed; the entropy, in
   * nats, likewise.
   */
  private double effectiveSampleSize;

  private double entropy;

  /** Of the pose, in the grid's frame, when the particles were weighed last; null before. */
  private SymmetricMatrix3 covariance;

  private double fitAverage;

  /** Number of weighings in a row at which the scan alone has fitted. */
  private int fitting;

  /** Number of weighings that count as evidence, since the robot was placed. */
  private int weighings;

  /** Number of those that it takes for a pose to be OK. */
  private int minWeighings = MIN_WEIGHINGS;

  /** Motion since the latest of them, metres. */
  private double metres;

  private double radians;

  private ParticleCluster cluster;
  private double drivenMetres;
  private long evaluations;

  /** Creates one of a run that begins. */
  public LocalisationEstimate(LocalisationFilters filters) {
    this.logs = new double[filters.particles()];
    resume(filters);
  }

  /** Takes the map again after it was read from a checkpoint. */
  public void resume(LocalisationFilters ofTheRun) {
    filters = ofTheRun;
    model = filters.model();
    matcher = model.matcher();
  }

  /** Takes in a key frame with all particles' weights, and what was resampled after it. */
  public void addKeyFrame(Step step, ParticleWeights all, Resampling resampling) {
    boolean isUpdate = all.evidence() > 0;
    if (all.placedAnew()) {
      logs = new double[logs.length];
      quality = null;
      weighings = 0;
      minWeighings = step.initialPose() instanceof InitialPose.At ? 1 : MIN_WEIGHINGS;
    }
    SeenStep seen = model.seen(step);
    drivenMetres += Pose.ORIGIN.distance(step.motion());
    metres += Pose.ORIGIN.distance(step.motion());
    radians += Math.abs(step.motion().theta());
    boolean isEvidence = isUpdate && isEvidence();
    if (isUpdate) {
      cluster = heaviest(all, resampling);
      effectiveSampleSize = resampling.effectiveSampleSize();
      entropy = resampling.entropy();
    }
    Prior prior =
        isUpdate
            ? new Prior(
                cluster.mean(),
                cluster.information(model.filterSettings().cellMetres(), MIN_RADIANS))
            : new Prior(pose.then(step.motion()), seen.error().information(pose.theta()));
    Match match = matcher.match(model.map().walls(), seen.beams(), prior);
    evaluations += match.evaluations();
    pose = match.pose();
    rate(seen.ends(), isUpdate, isEvidence);
    if (isUpdate) {
      covariance = covariance(match);
    }
  }

  /** True if a weighing here counts as evidence; then the next is counted from here. */
  private boolean isEvidence() {
    if (weighings > 0 && metres < EVIDENCE_METRES && radians < EVIDENCE_RADIANS) {
      return false;
    }
    metres = 0;
    radians = 0;
    weighings++;
    return true;
  }

  /** A scan that may fit by chance does not make the pose any surer than the particles are. */
  private SymmetricMatrix3 covariance(Match match) {
    SymmetricMatrix3 particles =
        cluster.around(pose).plus(model.filterSettings().leastCovariance());
    return quality.state() == State.OK
        ? particles.inverse().plus(match.curvature()).inverse()
        : particles;
  }

  private ParticleCluster heaviest(ParticleWeights all, Resampling resampling) {
    weighed = new Pose[logs.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] += all.logLikelihoods()[i];
      weighed[i] = all.pose(i);
    }
    weights = Resampler.weights(logs, 1);
    ClusterResampling clusters =
        ClusterResampling.of(weighed, weights, model.settings().alphaFast());
    logs =
        resampling.resampled() ? clusters.logWeights(resampling.parents()) : clusters.logWeights();
    return ParticleCluster.heaviest(weighed, weights);
  }

  /**
   * Numbers of so many of the particles as they were weighed last, as {@link Resampler#evenly}
   * draws them. None before, nor after a restore until they are weighed again.
   */
  public int[] drawn(int count) {
    return weighed == null ? new int[0] : Resampler.evenly(weights, count);
  }

  /** Returns where one of these was then, in the {@code map} frame. */
  public Pose weighed(int particle) {
    return model.map().inMap(weighed[particle]);
  }

  private void rate(ScanEnds ends, boolean isUpdate, boolean isEvidence) {
    double now = model.map().field().shareAtWalls(ends, pose);
    // It falls with one scan, as when the robot is carried away, and rises by several.
    fitAverage = quality == null ? now : fitAverage;
    fitAverage += isUpdate ? model.settings().alphaFast() * (now - fitAverage) : 0;
    double fit = Math.min(now, fitAverage);
    double min = model.settings().lostBelowFit();
    fitting = now < min ? 0 : fitting + (isEvidence ? 1 : 0);
    boolean wasLost = quality != null && quality.state() == State.LOST;
    State state =
        fit < min || wasLost && fitting < FOUND_SCANS
            ? State.LOST
            : weighings < minWeighings || cluster.weight() < UNAMBIGUOUS_SHARE
                ? State.AMBIGUOUS
                : State.OK;
    SymmetricMatrix3 spread = cluster.covariance();
    quality =
        new LocalisationQuality(
            fit,
            StrictMath.sqrt(spread.xx() + spread.yy()),
            StrictMath.sqrt(spread.tt()),
            cluster.weight(),
            state);
  }

  /**
   * Returns the pose in the {@code map} frame, at a step that is the latest key frame or follows
   * it.
   */
  public RobotPose pose(Step step) {
    Pose inMap = model.map().inMap(step.keyFrame() ? pose : pose.then(step.motion()));
    return new RobotPose(inMap, Correction.NONE, effectiveSampleSize, entropy)
        .withQuality(quality)
        .withCovariance(model.map().inMap(covariance));
  }

  /** The way by the motions between key frames, metres: without the jumps of a found pose. */
  public double drivenMetres() {
    return drivenMetres;
  }

  /** Number of weighings so far that count as evidence, since the robot was placed. */
  public int weighings() {
    return weighings;
  }

  /** Poses scored by the scan matcher. */
  public long evaluations() {
    return evaluations;
  }
}
