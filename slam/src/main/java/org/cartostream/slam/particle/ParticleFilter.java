package org.cartostream.slam.particle;

import java.util.List;
import org.cartostream.slam.motion.Step;

/**
 * A particle filter on one task: the operations on its particles. Where they are, when they are
 * resampled and how they get there is the same for any filter ({@link Partition}, {@link
 * ParticleSelector}).
 *
 * <p>In each step its methods are called in this order: {@link #weigher}, whose results become the
 * particles at {@link #begin}; {@link #updateMap} for some particles; {@link #pack} for those that
 * leave; {@link #decided}, and {@link #child} for those that go on here; {@link #unpack} for those
 * that come; {@link #updateMap} for all others; {@link #end}. A weigher of the next step may be
 * created before {@link #end}, and be discarded. All randomness is keyed by reading and particle
 * ({@link ParticleRandom}): no result may depend on which task has a particle. The filter's fields
 * are part of a checkpoint.
 *
 * @param <C> what the filter keeps of a particle besides its pose
 */
public interface ParticleFilter<C> {

  /** Returns how many particles the run begins with, on all tasks. */
  int particles();

  /**
   * Returns the Neff below which {@code count} particles are likely to be resampled. Only work done
   * ahead depends on it, no result.
   */
  double resampleBelowNeff(int count);

  /** Returns new particles of given numbers before the first step, which may place them. */
  List<Particle<C>> first(int[] numbers);

  /** Returns a weigher that moves and weighs particles by a step, without changing this filter. */
  StepWeigher<C> weigher(Step step);

  /** Makes the weigher's step the current one: it has moved all particles. */
  void begin(StepWeigher<C> weigher);

  /**
   * Returns the data that is shared by particles that enter a step together; it is compared by
   * identity.
   */
  Object shared(C content);

  /**
   * Enters the current step into the content of the first of particles that share data, and of as
   * many others as add little cost.
   *
   * @param family all particles that share the data and lack the step
   * @return the same particles in the same order; those not {@link Particle#updated} go on sharing
   */
  List<Particle<C>> updateMap(List<Particle<C>> family);

  /**
   * Packs a particle for its move to another task, before {@link #decided} is called for the step.
   */
  ParticleTransfer pack(ParticleMove particleMove, Particle<C> particle, long sequence);

  /** Takes in the resampling decision about all particles. */
  void decided(Resampling resampling, int[] ownerAfter);

  /** Returns a resampled particle's child with a given number. */
  Particle<C> child(Particle<C> parent, int number);

  /** Returns the children, on this task, of particles that arrived in any order. */
  List<Particle<C>> unpack(List<ParticleTransfer> particleTransfers);

  /**
   * Ends the step: all particles have taken it in.
   *
   * @return the same particles, with their content for the next step
   */
  List<Particle<C>> end(List<Particle<C>> all);

  /** Returns roughly the memory of all particles' contents, bytes; shared data counts once. */
  long bytes(List<Particle<C>> all);

  /**
   * Sets the data that all filters of the run share, after this filter was read from a checkpoint.
   */
  default void resume(ParticleFilters<C> filters) {}

  /**
   * Begins in the middle of a run, after a step, with particles of other tasks.
   *
   * @param before one of the filters that had the run's particles until now
   * @param mine the particles that this task has from now on
   * @param owners task of each particle of the run
   * @return the same particles, with their content for the next step
   */
  List<Particle<C>> restart(ParticleFilter<C> before, List<Particle<C>> mine, int[] owners);
}
