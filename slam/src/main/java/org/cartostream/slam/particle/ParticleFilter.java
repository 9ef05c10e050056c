package org.cartostream.slam.particle;

import java.util.List;
import org.cartostream.slam.motion.Step;

/**
 * A particle filter on one task: the operations on its particles. Where they are, when they are
 * resampled and how they get there is the same for any filter ({@link Partition}, {@link
 * ParticleSelector}).
 *
 * <p>Of one step it is called in this order: {@link #weigher}, whose results become the particles
 * at {@link #begin}; {@link #updateMap} for some of them; {@link #pack} for those that leave;
 * {@link #decided}, and {@link #child} for those that go on here; {@link #unpack} for those that
 * come; {@link #updateMap} for all others; {@link #end}. A weigher of the next step may be asked
 * for before that, and be forgotten. All randomness is keyed by reading and particle ({@link
 * ParticleRandom}): nothing may depend on which task has a particle. Its fields are part of a
 * checkpoint.
 *
 * @param <C> what it keeps of a particle besides its pose
 */
public interface ParticleFilter<C> {

  /** Returns how many particles the run begins with, on all tasks. */
  int particles();

  /** Neff below which so many are likely to be resampled; only what is done ahead depends on it. */
  double resampleBelowNeff(int count);

  /** The particles of these numbers before the first step, which may place them. */
  List<Particle<C>> first(int[] numbers);

  /** Moves particles by a step and weighs them, without a change to this filter. */
  StepWeigher<C> weigher(Step step);

  /** All particles are where this weigher moved them: its step is the current one. */
  void begin(StepWeigher<C> weigher);

  /**
   * Returns the data that is shared by particles that enter a step together; it is compared by
   * identity.
   */
  Object shared(C content);

  /**
   * Has the first of particles that share something take in the current step, and as many of the
   * others as cost little besides.
   *
   * @param family all that share it and lack the step
   * @return the same ones, in their order, of which those that are not {@link Particle#updated} go
   *     on sharing
   */
  List<Particle<C>> updateMap(List<Particle<C>> family);

  /** A particle that leaves, before it is {@link #decided} about the step. */
  ParticleTransfer pack(ParticleMove particleMove, Particle<C> particle, long sequence);

  /** Takes the decision about all particles. */
  void decided(Resampling resampling, int[] ownerAfter);

  /** Returns what goes on under a number of a particle that was chosen for it. */
  Particle<C> child(Particle<C> parent, int number);

  /** Returns what goes on here of particles that came, in any order. */
  List<Particle<C>> unpack(List<ParticleTransfer> particleTransfers);

  /**
   * All particles have taken in the step.
   *
   * @return the same ones with what they are to have in the next
   */
  List<Particle<C>> end(List<Particle<C>> all);

  /**
   * Returns what all that it has of particles' contents takes in memory, about; what they share
   * once.
   */
  long bytes(List<Particle<C>> all);

  /**
   * Takes again what all filters of the run have in common, after it was read from a checkpoint.
   */
  default void resume(ParticleFilters<C> filters) {}

  /**
   * Begins in the middle of a run, after a step, with particles of which it knows nothing.
   *
   * @param before one of those that had the run's particles until now
   * @param mine those that this task has from now on
   * @param owners task of each particle of the run
   * @return the same ones with what they are to have in the next step
   */
  List<Particle<C>> restart(ParticleFilter<C> before, List<Particle<C>> mine, int[] owners);
}
