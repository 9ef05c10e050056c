package org.cartostream.slam.particle;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;

/**
 * A job that matches a step for one particle after the other; the particles move when all are
 * matched.
 *
 * <p>Owns what has been found so far. The list of particles is the {@link Partition}'s own: until
 * {@link #moved} the list must keep its particles, their order and their poses; only their contents
 * may change, by taking in the previous step.
 */
final class StepJob<C> {

  private final Step step;
  private final List<Particle<C>> particles;
  private final StepWeigher<C> weigher;
  private final ParticleWeights particleWeights;
  private final Pose[] poses;
  private int done;
  private long evaluations;

  StepJob(Step step, List<Particle<C>> particles, StepWeigher<C> weigher) {
    this.step = step;
    this.particles = particles;
    this.weigher = weigher;
    this.particleWeights = ParticleWeights.empty(step.sequence(), particles.size(), 0);
    this.poses = new Pose[particles.size()];
    this.evaluations = weigher.evaluationsBefore();
  }

  boolean isOf(Step other) {
    return step.sequence() == other.sequence();
  }

  StepWeigher<C> weigher() {
    return weigher;
  }

  /** Matches one more particle, if there is one; true if there are more. */
  boolean matchOne() {
    if (done < poses.length) {
      match(done++);
    }
    return done < poses.length;
  }

  private void match(int i) {
    Particle<C> before = particles.get(i);
    StepWeigher.Weighed weighed = weigher.weigh(before);
    Pose pose = weighed.pose();
    evaluations += weighed.evaluations();
    poses[i] = pose;
    particleWeights.particles()[i] = before.number();
    particleWeights.x()[i] = pose.x();
    particleWeights.y()[i] = pose.y();
    particleWeights.theta()[i] = pose.theta();
    particleWeights.logLikelihoods()[i] = weighed.logLikelihood();
    particleWeights.mapBytes()[i] = weighed.bytes();
  }

  /**
   * The particles where the step has brought them; all must be matched.
   *
   * @throws IllegalStateException if the list has other particles than were matched
   */
  List<Particle<C>> moved() {
    if (particles.size() != poses.length) {
      throw new IllegalStateException(
          "%d particles were matched, and now there are %d"
              .formatted(poses.length, particles.size()));
    }
    List<Particle<C>> moved = new ArrayList<>(particles.size());
    for (int i = 0; i < poses.length; i++) {
      moved.add(particles.get(i).moved(poses[i]));
    }
    return moved;
  }

  /** Returns the particles' weights for the step; all must be matched. */
  ParticleWeights weights() {
    return particleWeights.with(evaluations, weigher.evidence(), weigher.placesAnew());
  }
}
