package org.cartostream.slam.mapping;

import java.util.IdentityHashMap;
import java.util.Map;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.MapCodec;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.Particle;
import org.cartostream.slam.particle.ParticleRandom;
import org.cartostream.slam.particle.StepWeigher;
import org.cartostream.slam.settings.FilterSettings;

/**
 * Prediction and weighting of mapping: moves each particle by odometry with noise, matches the scan
 * to its map and weighs it. At the first step all particles have one pose: the origin or, if their
 * map has walls, the pose near the start at which the scan fits these best. After the robot was
 * carried ({@link Step#initialPose}), its pose is searched around the stated one in each particle's
 * own map.
 */
final class MappingWeigher implements StepWeigher<ParticleMap> {

  private final Step step;
  private final Proposal proposal;
  private final FilterSettings settings;
  private final String robot;
  private final Beams beams;
  private final MotionModel error;

  /**
   * Poses found by the search in this step, by map: particles that share a map share the result.
   */
  private final Map<TiledMap, InitialPoseSearch.Found> found = new IdentityHashMap<>();

  MappingWeigher(Step step, Proposal proposal, FilterSettings settings, String robot) {
    this.step = step;
    this.proposal = proposal;
    this.settings = settings;
    this.robot = robot;
    this.beams =
        Beams.of(
            step.scan(), TiledMap.UNITS / settings.cellMetres(), settings.independentRadians());
    this.error = MotionModel.of(settings, step, beams);
  }

  /** Returns the beams of the step's scan. */
  Beams beams() {
    return beams;
  }

  @Override
  public Weighed weigh(Particle<ParticleMap> before) {
    TiledMap map = before.content().map();
    long bytes = MapCodec.estimatedBytes(map);
    if (step.first()) {
      Pose start = map.occupiedCells() == 0 ? before.pose() : found(map, before.pose()).pose();
      return new Weighed(start, 0, 0, bytes);
    }
    if (step.initialPose() instanceof InitialPose.At said) {
      InitialPoseSearch.Found there = found(map, said.pose());
      return new Weighed(there.pose(), there.logLikelihood(), 0, bytes);
    }
    ParticleRandom particleRandom =
        new ParticleRandom(settings.seed(), robot, step.sequence(), before.number());
    Proposal.Drawn drawn = proposal.draw(map, beams, before.pose(), step, error, particleRandom);
    return new Weighed(drawn.pose(), drawn.logLikelihood(), drawn.evaluations(), bytes);
  }

  private InitialPoseSearch.Found found(TiledMap map, Pose said) {
    return found.computeIfAbsent(
        map, its -> new InitialPoseSearch(settings).around(its, beams, said));
  }
}
