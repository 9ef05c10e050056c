package org.cartostream.slam.localisation;

import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.Symmetric3;
import org.cartostream.slam.localisation.LikelihoodField.ScanEnds;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.Match;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.particle.ParticleRandom;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * The particles of one robot in a known map: augmented Monte Carlo localisation (Thrun, Burgard,
 * Fox 2005, table 8.3). When scans have lately been less likely than in the long run, some of the
 * particles that resampling makes are drawn anew in free space, where the scan fits.
 *
 * <p>Owns poses, weights and the two averages. Random numbers are keyed by (seed, robot, reading,
 * particle): nothing depends on who else is drawn.
 */
final class ParticleCloud {

  /**
   * A particle that is drawn anew is one of so many poses in free space, taken by how well a few
   * beams fit: uniform ones nearly all see the robot inside a wall, and die at once.
   */
  private static final int CANDIDATES = 20;

  /** So many beams tell a pose in free space from most others. */
  private static final int CANDIDATE_BEAMS = 30;

  /** A candidate is off by as much as lies between it and the next: 0.5 m, 0.25 rad. */
  private static final Symmetric3 CANDIDATE_INFORMATION = new Symmetric3(4, 0, 0, 4, 0, 16);

  private final LocalisationSettings settings;
  private final FilterSettings filterSettings;
  private final String robot;
  private final KnownMap map;
  private final ScanMatcher matcher;
  private final Resampler resampler;
  private Pose[] poses;
  private double[] logs;
  private Resampling latest;
  private long resamplings;
  private long evaluations;

  /**
   * Averages of how likely a beam is, by the particles. Both begin at what a beam is expected to
   * have at a true pose. The slow one is a plain mean at first, so that a robot that is carried
   * away early is missed; and counts for what is expected at least, so that a robot that was never
   * found is looked for.
   */
  private double slow;

  private double fast;

  private final double expected;

  private long weighings;

  ParticleCloud(
      LocalisationSettings settings,
      FilterSettings filterSettings,
      String robot,
      KnownMap map,
      ScanMatcher matcher) {
    this.settings = settings;
    this.filterSettings = filterSettings;
    this.robot = robot;
    this.map = map;
    this.matcher = matcher;
    this.resampler =
        new Resampler(
            Settings.with(
                filterSettings,
                Map.of(
                    "particles", String.valueOf(settings.particles()),
                    "weightShare", "1",
                    "resampleBelow", String.valueOf(settings.resampleBelow()))),
            robot);
    this.poses = new Pose[settings.particles()];
    this.logs = new double[settings.particles()];
    this.expected = StrictMath.exp(expectedLog(settings.missShare()));
    this.slow = expected;
    this.fast = expected;
  }

  /**
   * Mean log likelihood of a beam at the true pose, if the model is right: the expectation of
   * log(miss + (1 - miss) exp(-z²/2)) over z of that mixture, by the midpoint rule; a beam that met
   * something unknown ends far from walls.
   */
  static double expectedLog(double miss) {
    double sum = 0;
    double density = 0;
    for (int i = 0; i < 400; i++) {
      double z = 0.01 * (i + 0.5);
      double normal = StrictMath.exp(-z * z / 2);
      density += normal;
      sum += normal * StrictMath.log(miss + (1 - miss) * normal);
    }
    return (1 - miss) * sum / density + miss * StrictMath.log(miss);
  }

  private ParticleRandom random(long sequence, int key) {
    return new ParticleRandom(filterSettings.seed(), robot, sequence, key);
  }

  /** Draws all particles around a pose. */
  void beginAt(Pose pose, long sequence) {
    for (int i = 0; i < poses.length; i++) {
      ParticleRandom random = random(sequence, i);
      poses[i] =
          new Pose(
              pose.x() + settings.startMetres() * random.gaussian(),
              pose.y() + settings.startMetres() * random.gaussian(),
              Pose.wrap(pose.theta() + settings.startRadians() * random.gaussian()));
    }
  }

  /** Draws all particles anywhere in free space. */
  void beginAnywhere(Beams beams, ScanEnds ends, long sequence) {
    Beams few = beams.atMost(CANDIDATE_BEAMS);
    ScanEnds theirEnds = ends.atMost(CANDIDATE_BEAMS);
    for (int i = 0; i < poses.length; i++) {
      poses[i] = anywhere(random(sequence, i), few, theirEnds);
    }
  }

  /** Moves all particles, each with its own error. */
  void move(Pose motion, MotionModel error, long sequence) {
    for (int i = 0; i < poses.length; i++) {
      ParticleRandom random = random(sequence, i);
      Pose slip =
          new Pose(
              error.ahead() * random.gaussian(),
              error.left() * random.gaussian(),
              error.heading() * random.gaussian());
      poses[i] =
          poses[i].then(
              new Pose(
                  motion.x() + slip.x(), motion.y() + slip.y(), motion.theta() + slip.theta()));
    }
  }

  /** Weighs all particles by a scan; resamples them if their weights differ much. */
  ParticleCluster weigh(Beams beams, ScanEnds ends, long sequence) {
    int count = poses.length;
    ParticleWeights all = ParticleWeights.empty(sequence, count, count);
    double[] likelihoods = new double[count];
    double evidence = ends.evidence() * ends.x().length;
    for (int i = 0; i < count; i++) {
      double mean = map.field().meanLog(ends, poses[i]);
      likelihoods[i] = StrictMath.exp(mean);
      all.logLikelihoods()[i] = evidence * mean;
      logs[i] += evidence * mean;
    }
    double[] weights = Resampler.weights(logs, 1);
    double average = 0;
    for (int i = 0; i < count; i++) {
      average += weights[i] * likelihoods[i];
    }
    weighings++;
    slow += Math.max(settings.slowRate(), 1.0 / weighings) * (average - slow);
    fast += Math.max(settings.fastRate(), 1.0 / weighings) * (average - fast);
    ParticleCluster best = ParticleCluster.heaviest(poses, weights);
    latest = resampler.resample(all, 1 - shareDrawnAnew());
    if (latest.resampled()) {
      resample(latest, beams.atMost(CANDIDATE_BEAMS), ends.atMost(CANDIDATE_BEAMS));
    }
    return best;
  }

  private void resample(Resampling resampling, Beams few, ScanEnds theirEnds) {
    resamplings++;
    Pose[] next = new Pose[poses.length];
    for (int i = 0; i < next.length; i++) {
      // A key of their own: the particle's is used by its motion.
      ParticleRandom random = random(resampling.sequence(), next.length + i);
      boolean isNew = random.uniform() < shareDrawnAnew();
      next[i] = isNew ? anywhere(random, few, theirEnds) : poses[resampling.parents()[i]];
    }
    poses = next;
    logs = new double[next.length];
  }

  /**
   * One of some uniform poses in free space, with a probability by the scan's likelihood there; and
   * from it up to where the scan fits best. Without the climb, of two places that look alike the
   * one would go on of which a particle happens to be nearer to the very pose.
   */
  private Pose anywhere(ParticleRandom random, Beams few, ScanEnds theirEnds) {
    Pose chosen = null;
    double total = 0;
    for (int i = 0; i < CANDIDATES; i++) {
      Pose pose = map.freePose(random.uniform(), random.uniform(), random.uniform());
      double evidence = theirEnds.evidence() * theirEnds.x().length;
      double weight = StrictMath.exp(evidence * map.field().meanLog(theirEnds, pose));
      total += weight;
      if (chosen == null || random.uniform() * total < weight) {
        chosen = pose;
      }
    }
    Match match = matcher.match(map.walls(), few, new Prior(chosen, CANDIDATE_INFORMATION));
    evaluations += match.evaluations();
    return match.pose();
  }

  /** Share of the particles that a resampling draws anew. */
  double shareDrawnAnew() {
    return Math.max(0, 1 - fast / Math.max(slow, expected));
  }

  /** The decision after the latest weighing. */
  Resampling latest() {
    return latest;
  }

  long resamplings() {
    return resamplings;
  }

  /** Poses that the matcher scored for particles drawn anew. */
  long evaluations() {
    return evaluations;
  }
}
