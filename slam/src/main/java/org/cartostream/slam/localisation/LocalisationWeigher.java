package org.cartostream.slam.localisation;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationModel.SeenStep;
import org.cartostream.slam.match.Match;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.Particle;
import org.cartostream.slam.particle.ParticleRandom;
import org.cartostream.slam.particle.StepWeigher;

/**
 * Prediction and weighting of localisation: moves each particle by odometry with its own error, and
 * weighs it by the likelihood field if the robot has moved enough. If the robot is placed by the
 * step ({@link Step#initialPose}), it draws the particles around that pose, or anywhere.
 */
final class LocalisationWeigher implements StepWeigher<Void> {

  private final LocalisationModel model;
  private final String robot;
  private final InitialPose initialPose;
  private final FreeSpaceSearch search;
  private final Step step;
  private final SeenStep seen;
  private final boolean isUpdate;
  private final long evaluationsBefore;

  /**
   * @param initialPose null if the particles move from where they are
   * @param isUpdate true if particles are to be weighed
   */
  LocalisationWeigher(
      LocalisationModel model,
      String robot,
      InitialPose initialPose,
      FreeSpaceSearch search,
      Step step,
      boolean isUpdate,
      long evaluationsBefore) {
    this.model = model;
    this.robot = robot;
    this.initialPose = initialPose;
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

  /** Returns true if the step places the robot where nobody knows. */
  boolean placesAnywhere() {
    return initialPose instanceof InitialPose.Anywhere;
  }

  @Override
  public double evidence() {
    return isUpdate ? seen.evidence() : 0;
  }

  @Override
  public boolean placesAnew() {
    return initialPose != null;
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
    if (placesAnywhere()) {
      Match match = search.draw(random, seen);
      return weighed(match.pose(), match.evaluations());
    }
    return weighed(
        initialPose instanceof InitialPose.At at ? beside(at, random) : moved(particle, random), 0);
  }

  private Weighed weighed(Pose pose, long evaluations) {
    double log = isUpdate ? seen.evidence() * model.map().field().meanLog(seen.ends(), pose) : 0;
    return new Weighed(pose, log, evaluations, 0);
  }

  /**
   * Draws a pose around a stated one, in the grid's frame. The deviations are taken along the
   * grid's axes.
   */
  private Pose beside(InitialPose.At at, ParticleRandom random) {
    Pose pose = model.map().inGrid(at.pose());
    return new Pose(
        pose.x() + at.x() * random.gaussian(),
        pose.y() + at.y() * random.gaussian(),
        Pose.wrap(pose.theta() + at.heading() * random.gaussian()));
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
