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
 * fits the map's walls best. How well scan and particles support that pose is its {@link
 * LocalisationQuality}, and its covariance: that of the cluster's particles about it, narrowed by
 * the scan's likelihood there.
 *
 * <p>Owns pose and quality, which are part of a checkpoint; the map is not. A pure function of
 * steps, weights and weighed poses: it can run on another task than the particles.
 */
public final class LocalisationEstimate {

  /** Least standard deviation of the heading in the prior of the match, radians. */
  private static final double MIN_RADIANS = 0.02;

  /**
   * Least share of the weight at the pose's place for OK, log odds of 4.6. As {@link
   * ClusterResampling} forgets, those odds take a difference of 0.46 in each scan's log likelihood:
   * the errors of a map of two rooms that are alike make one of 0.37.
   */
  private static final double UNAMBIGUOUS_SHARE = 0.99;

  /**
   * Number of scans in a row that must fit before a lost robot counts as found: one or two fit
   * somewhere by chance, as particles are drawn everywhere.
   */
  private static final int FOUND_SCANS = 10;

  /**
   * Least motion between two weighings that both count as evidence, metres: from one place the same
   * walls are seen again, with the same errors of the map.
   */
  private static final double EVIDENCE_METRES = 0.2;

  private static final double EVIDENCE_RADIANS = StrictMath.toRadians(30);

  /**
   * Least number of weighings before a pose counts as OK: a single scan, half of it people perhaps,
   * fits by chance in many a place.
   */
  private static final int MIN_WEIGHINGS = 2;

  /**
   * The map and its settings, which are no part of a checkpoint, see {@link LocalisationFilters}.
   */
  private transient LocalisationFilters filters;

  private transient LocalisationModel model;
  private transient ScanMatcher matcher;

  /** Log weight of each particle since the latest resampling, nats. */
  private double[] logs;

  /** Poses of all particles when they were weighed last, and their weights; null before. */
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

  /**
   * Covariance of the pose, along the grid's axes, when the particles were weighed last; null
   * before.
   */
  private SymmetricMatrix3 covariance;

  private double fitAverage;

  /** Number of weighings in a row at which the scan alone has fitted. */
  private int fitting;

  /** Number of weighings that count as evidence, since the robot was placed. */
  private int weighings;

  /** Number of weighings as evidence before a pose counts as OK. */
  private int minWeighings = MIN_WEIGHINGS;

  /** Motion since the latest weighing that counts as evidence, metres. */
  private double metres;

  private double radians;

  private ParticleCluster cluster;
  private double drivenMetres;
  private long evaluations;

  /** Creates the estimate of a run that begins. */
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

  /** Returns true if a weighing at the present place counts as evidence, and counts it if so. */
  private boolean isEvidence() {
    if (weighings > 0 && metres < EVIDENCE_METRES && radians < EVIDENCE_RADIANS) {
      return false;
    }
    metres = 0;
    radians = 0;
    weighings++;
    return true;
  }

  /**
   * Returns the pose's covariance: the particles', narrowed by the scan only if the pose is OK, for
   * a scan may fit by chance.
   */
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
   * Returns the numbers of {@code count} particles, drawn by {@link Resampler#evenly} from the
   * latest weighing. Empty before the first weighing, also after a restore.
   */
  public int[] drawn(int count) {
    return weighed == null ? new int[0] : Resampler.evenly(weights, count);
  }

  /** Returns a particle's pose at the latest weighing, in the {@code map} frame. */
  public Pose weighed(int particle) {
    return model.map().inMap(weighed[particle]);
  }

  private void rate(ScanEnds ends, boolean isUpdate, boolean isEvidence) {
    double now = model.map().field().shareAtWalls(ends, pose);
    // The fit falls with one scan, as when the robot is carried away, and rises over several.
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

  /**
   * Returns the distance driven by the motions between key frames, metres. Jumps of the estimated
   * pose do not count.
   */
  public double drivenMetres() {
    return drivenMetres;
  }

  /** Returns the number of weighings that count as evidence since the robot was placed. */
  public int weighings() {
    return weighings;
  }

  /** Returns the number of poses that the scan matcher scored. */
  public long evaluations() {
    return evaluations;
  }
}
