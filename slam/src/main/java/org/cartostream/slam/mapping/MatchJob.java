package org.cartostream.slam.mapping;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.MapCodec;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleRandom;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.settings.FilterSettings;

/**
 * A step that is matched, one particle after the other; they move when all are.
 *
 * <p>Owns what has been found so far. The list of particles is the {@link Partition}'s own: until
 * {@link #moved} the same ones must stay in the same order, with their poses and maps; their
 * histories may grow.
 */
final class MatchJob {

  private final Step step;
  private final List<Particle> particles;
  private final Proposal proposal;
  private final FilterSettings settings;
  private final String robot;
  private final Beams beams;
  private final MotionModel error;
  private final ParticleWeights particleWeights;
  private final Pose[] poses;
  private int done;
  private long evaluations;

  MatchJob(
      Step step,
      List<Particle> particles,
      Proposal proposal,
      FilterSettings settings,
      String robot) {
    this.step = step;
    this.particles = particles;
    this.proposal = proposal;
    this.settings = settings;
    this.robot = robot;
    this.beams =
        Beams.of(
            step.scan(), TiledMap.UNITS / settings.cellMetres(), settings.independentRadians());
    this.error = MotionModel.of(settings, step, beams);
    this.particleWeights = ParticleWeights.empty(step.sequence(), particles.size(), 0);
    this.poses = new Pose[particles.size()];
  }

  boolean isOf(Step other) {
    return step.sequence() == other.sequence();
  }

  /** Those of the step's scan. */
  Beams beams() {
    return beams;
  }

  /** Matches one more particle, if there is one; true if there are more. */
  boolean matchOne() {
    if (done < poses.length) {
      match(done++);
    }
    return done < poses.length;
  }

  private void match(int i) {
    Particle before = particles.get(i);
    Pose pose = before.pose();
    if (!step.first()) {
      ParticleRandom particleRandom =
          new ParticleRandom(settings.seed(), robot, step.sequence(), before.number());
      Proposal.Drawn drawn =
          proposal.draw(before.map(), beams, before.pose(), step, error, particleRandom);
      pose = drawn.pose();
      particleWeights.logLikelihoods()[i] = drawn.logLikelihood();
      evaluations += drawn.evaluations();
    }
    poses[i] = pose;
    particleWeights.particles()[i] = before.number();
    particleWeights.x()[i] = pose.x();
    particleWeights.y()[i] = pose.y();
    particleWeights.theta()[i] = pose.theta();
    particleWeights.mapBytes()[i] = MapCodec.estimatedBytes(before.map());
  }

  /**
   * The particles where the step has brought them; all must be matched.
   *
   * @throws IllegalStateException if there are others than were matched
   */
  List<Particle> moved() {
    if (particles.size() != poses.length) {
      throw new IllegalStateException(
          "%d particles were matched, and now there are %d"
              .formatted(poses.length, particles.size()));
    }
    List<Particle> moved = new ArrayList<>(particles.size());
    for (int i = 0; i < poses.length; i++) {
      moved.add(particles.get(i).moved(poses[i]));
    }
    return moved;
  }

  /** What they make of the step; all must be matched. */
  ParticleWeights weights() {
    return particleWeights.withEvaluations(evaluations);
  }
}
