package org.cartostream.slam.localisation;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationModel.SeenStep;
import org.cartostream.slam.match.Match;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.Particle;
import org.cartostream.slam.particle.ParticleRandom;
import org.cartostream.slam.particle.StepWeigher;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * Moves each particle by odometry with an error of its own, and weighs it by the likelihood field
 * if the robot has moved enough for that. In the first step it places them: around where the robot
 * was said to be, or anywhere.
 */
final class LocalisationWeigher implements StepWeigher<Void> {

  private final LocalisationModel model;
  private final String robot;
  private final Optional<Pose> start;
  private final FreeSpaceSearch search;
  private final Step step;
  private final SeenStep seen;
  private final boolean isUpdate;
  private final long evaluationsBefore;

  /**
   * @param start in the grid's frame
   * @param isUpdate true if particles are to be weighed
   */
  LocalisationWeigher(
      LocalisationModel model,
      String robot,
      Optional<Pose> start,
      FreeSpaceSearch search,
      Step step,
      boolean isUpdate,
      long evaluationsBefore) {
    this.model = model;
    this.robot = robot;
    this.start = start;
    this.search = search;
    this.step = step;
    this.seen = model.seen(step);
    this.isUpdate = isUpdate;
    this.evaluationsBefore = evaluationsBefore;
  }

  Step step() {
    return step;
  }

  SeenStep seen() {
    return seen;
  }

  boolean isUpdate() {
    return isUpdate;
  }

  @Override
  public double evidence() {
    return isUpdate ? seen.evidence() : 0;
  }

  @Override
  public long evaluationsBefore() {
    return evaluationsBefore;
  }

  @Override
  public Weighed weigh(Particle<Void> particle) {
    ParticleRandom random =
        new ParticleRandom(
            model.filterSettings().seed(), robot, step.sequence(), particle.number());
    if (step.first() && start.isEmpty()) {
      Match match = search.draw(random, seen);
      return weighed(match.pose(), match.evaluations());
    }
    return weighed(step.first() ? beside(start.get(), random) : moved(particle, random), 0);
  }

  private Weighed weighed(Pose pose, long evaluations) {
    double log = isUpdate ? seen.evidence() * model.map().field().meanLog(seen.ends(), pose) : 0;
    return new Weighed(pose, log, evaluations, 0);
  }

  private Pose beside(Pose pose, ParticleRandom random) {
    LocalisationSettings settings = model.settings();
    return new Pose(
        pose.x() + settings.startMetres() * random.gaussian(),
        pose.y() + settings.startMetres() * random.gaussian(),
        Pose.wrap(pose.theta() + settings.startRadians() * random.gaussian()));
  }

  private Pose moved(Particle<Void> particle, ParticleRandom random) {
    MotionModel error = seen.error();
    Pose motion = step.motion();
    return particle
        .pose()
        .then(
            new Pose(
                motion.x() + error.ahead() * random.gaussian(),
                motion.y() + error.left() * random.gaussian(),
                motion.theta() + error.heading() * random.gaussian()));
  }
}
