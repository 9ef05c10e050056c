package org.cartostream.slam.localisation;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.match.Match;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.Particle;
import org.cartostream.slam.particle.ParticleFilter;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleRandom;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.particle.StepWeigher;

/**
 * Monte Carlo localisation's particles on one task: poses in a known map, which is never changed.
 * At a resampling a share of the particles is drawn anew anywhere in free space where the scan fits
 * ({@link AugmentedMclSelector}).
 *
 * <p>Owns how far the robot has moved since the particles were weighed last. The map is no part of
 * a checkpoint: {@link #resume} sets it after a restore.
 */
final class LocalisationFilter implements ParticleFilter<Void> {

  private final String robot;

  /**
   * The map and its settings, which are no part of a checkpoint, see {@link LocalisationFilters}.
   */
  private transient LocalisationFilters filters;

  private transient LocalisationModel model;
  private transient FreeSpaceSearch search;

  /** Distance driven since the particles were weighed last, metres. */
  private double metres;

  private double radians;

  /** Weigher of the current step; null between steps, when checkpoints are taken. */
  private transient LocalisationWeigher current;

  private Resampling resampling;

  /** True if too few particles were placed anywhere, so that their children are all drawn anew. */
  private transient boolean isDrawnAgain;

  /** Number of poses scored for particles drawn anew that no step has reported yet. */
  private long evaluations;

  LocalisationFilter(LocalisationFilters filters, String robot) {
    this.robot = robot;
    resume(filters);
  }

  @Override
  public void resume(ParticleFilters<Void> ofTheRun) {
    filters = (LocalisationFilters) ofTheRun;
    model = filters.model();
    search = new FreeSpaceSearch(model.map(), model.matcher());
  }

  @Override
  public int particles() {
    return model.settings().particles();
  }

  @Override
  public double resampleBelowNeff(int count) {
    return model.settings().resampleBelow() * count;
  }

  /** Returns particles that the first step will place. */
  @Override
  public List<Particle<Void>> first(int[] numbers) {
    List<Particle<Void>> particles = new ArrayList<>();
    for (int number : numbers) {
      particles.add(new Particle<>(number, Pose.ORIGIN, null, true));
    }
    return particles;
  }

  @Override
  public StepWeigher<Void> weigher(Step step) {
    InitialPose initialPose = step.initialPose();
    boolean isAsked = initialPose != null;
    if (initialPose instanceof InitialPose.Unmoved) {
      initialPose = null;
    }
    if (initialPose == null && step.first()) {
      initialPose = new InitialPose.Anywhere();
    }
    boolean isUpdate =
        isAsked
            || initialPose != null
            || model.settings().isUpdate(metresAfter(step), radiansAfter(step));
    return new LocalisationWeigher(model, robot, initialPose, search, step, isUpdate, evaluations);
  }

  private double metresAfter(Step step) {
    return metres + Pose.ORIGIN.distance(step.motion());
  }

  private double radiansAfter(Step step) {
    return radians + Math.abs(step.motion().theta());
  }

  @Override
  public void begin(StepWeigher<Void> weigher) {
    current = (LocalisationWeigher) weigher;
    evaluations -= current.evaluationsBefore();
    metres = current.isUpdate() ? 0 : metresAfter(current.step());
    radians = current.isUpdate() ? 0 : radiansAfter(current.step());
  }

  @Override
  public Object shared(Void content) {
    return this;
  }

  @Override
  public List<Particle<Void>> updateMap(List<Particle<Void>> family) {
    return family.stream().map(particle -> particle.updated(null)).toList();
  }

  @Override
  public ParticleTransfer pack(ParticleMove particleMove, Particle<Void> particle, long sequence) {
    return new ParticleTransfer(
        sequence,
        particleMove.parent(),
        particleMove.children(),
        particle.pose(),
        ParticleMove.NO_ANCESTOR,
        new Pose[0],
        new byte[0],
        particle.updated());
  }

  @Override
  public void decided(Resampling decision, int[] ownerAfter) {
    int before = resampling == null ? particles() : resampling.parents().length;
    isDrawnAgain = current.placesAnywhere() && decision.parents().length > before;
    resampling = decision;
  }

  /**
   * Returns a copy of the parent, or a particle drawn anew: the child's own random number decides.
   */
  @Override
  public Particle<Void> child(Particle<Void> parent, int number) {
    // These random numbers have a key of their own: the particle's own key is used for its motion.
    ParticleRandom random =
        new ParticleRandom(
            model.filterSettings().seed(), robot, resampling.sequence(), particles() + number);
    if (!isDrawnAgain && random.uniform() >= resampling.drawnAnew()) {
      return parent.child(number);
    }
    Match match = search.draw(random, current.seen());
    evaluations += match.evaluations();
    return new Particle<>(number, match.pose(), null, parent.updated());
  }

  @Override
  public List<Particle<Void>> unpack(List<ParticleTransfer> particleTransfers) {
    List<Particle<Void>> particles = new ArrayList<>();
    for (ParticleTransfer each : particleTransfers) {
      Particle<Void> parent = new Particle<>(each.parent(), each.pose(), null, each.updated());
      for (int child : each.children()) {
        particles.add(child(parent, child));
      }
    }
    return particles;
  }

  @Override
  public List<Particle<Void>> end(List<Particle<Void>> all) {
    current = null;
    return all;
  }

  /** Returns 0: all particles share the map, which is the service's. */
  @Override
  public long bytes(List<Particle<Void>> all) {
    return 0;
  }

  @Override
  public List<Particle<Void>> restart(
      ParticleFilter<Void> before, List<Particle<Void>> mine, int[] owners) {
    metres = ((LocalisationFilter) before).metres;
    radians = ((LocalisationFilter) before).radians;
    resampling = ((LocalisationFilter) before).resampling;
    return mine;
  }
}
