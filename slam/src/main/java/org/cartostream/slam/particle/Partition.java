package org.cartostream.slam.particle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.motion.Step;

/**
 * The particles of one robot on one task, for any {@link ParticleFilter}.
 *
 * <p>A step runs in this order: {@link #match}; then, with what the {@link ParticleSelector}
 * decided, one {@link #send} per move that starts here, {@link #resample}, and one {@link #receive}
 * per move that ends here; then {@link #updateMap}. While the decision is waited for, {@link
 * #updateMapsAhead} may do what {@link #updateMap} would do later, and {@link #matchAhead} what
 * {@link #match} would do with the next step. Not thread-safe; its task is its owner.
 *
 * @param <C> what the filter keeps of a particle besides its pose
 */
public final class Partition<C> {

  /**
   * Factor on the effective sample size at which particles are resampled: below it a resampling is
   * expected next, for it falls by a hundredth or so with each key frame.
   */
  private static final double NEARLY = 1.05;

  private final ParticleFilter<C> filter;
  private final int task;
  private List<Particle<C>> particles = new ArrayList<>();

  /** The current step's number, for what is sent. */
  private long sequence;

  /** Number of particles of the run now, on all tasks. */
  private int total;

  /** Effective sample size after the last decision. */
  private double effective;

  /** The next step, if some of its matching is done; else null. */
  private StepJob<C> next;

  /** Places in {@link #particles} of those that lack the step, by what they share. */
  private Map<Object, List<Integer>> lacking = new IdentityHashMap<>();

  /** First place in {@link #particles} that may lack the scan. */
  private int firstLacking;

  /**
   * @param task this partition's number, as moves name it
   * @param numbers of the particles that it holds at first, ascending
   */
  public Partition(ParticleFilter<C> filter, int task, int[] numbers) {
    this(filter, task, filter.first(numbers));
  }

  /** Creates one with other particles before the first step than those that the filter has. */
  public Partition(ParticleFilter<C> filter, int task, List<Particle<C>> first) {
    this.filter = filter;
    this.task = task;
    this.total = filter.particles();
    this.effective = total;
    particles.addAll(first);
  }

  /**
   * This task's particles out of the partitions of all tasks, when a run goes on with another
   * layout. What the particles are does not depend on where they are.
   *
   * @param filter a new one, for this task
   * @param all partitions of the layout until now, each after the same key frame
   * @param owners task of each particle of the run from now on
   */
  public static <C> Partition<C> of(
      ParticleFilter<C> filter, int task, List<Partition<C>> all, int[] owners) {
    Partition<C> partition = new Partition<>(filter, task, new int[0]);
    partition.total = all.get(0).total;
    partition.effective = all.get(0).effective;
    List<Particle<C>> mine = new ArrayList<>();
    for (Partition<C> other : all) {
      for (Particle<C> particle : other.particles) {
        if (owners[particle.number()] == task) {
          mine.add(particle);
        }
      }
    }
    mine.sort(Comparator.comparingInt(Particle::number));
    partition.particles = new ArrayList<>(filter.restart(all.get(0).filter, mine, owners));
    return partition;
  }

  /** Resumes after it was read from a checkpoint, see {@link ParticleFilter#resume}. */
  public void resume(ParticleFilters<C> filters) {
    filter.resume(filters);
  }

  /** Number of particles that the run has now, on all tasks. */
  public int total() {
    return total;
  }

  /** Number of particles held now. */
  public int size() {
    return particles.size();
  }

  /** Returns roughly the memory of its particles' contents, bytes; counting takes time. */
  public long bytes() {
    return filter.bytes(particles);
  }

  /** Numbers of the particles held now, ascending. */
  public List<Integer> particles() {
    return particles.stream().map(Particle::number).toList();
  }

  /**
   * Moves and weighs every particle.
   *
   * @throws IllegalArgumentException if the step is no key frame
   */
  public ParticleWeights match(Step step) {
    if (!step.keyFrame()) {
      throw new IllegalArgumentException("reading " + step.sequence() + " is no key frame");
    }
    StepJob<C> stepJob = matching(step);
    next = null;
    while (stepJob.matchOne()) {}
    sequence = step.sequence();
    filter.begin(stepJob.weigher());
    particles = stepJob.moved();
    findLacking();
    return stepJob.weights();
  }

  /**
   * True if the current step is likely to end with a resampling. Then nothing is done ahead, for
   * what is done for particles that die is done in vain.
   */
  public boolean expectsResampling() {
    return effective < NEARLY * filter.resampleBelowNeff(total);
  }

  /**
   * Has a particle take in the step before it is decided which of them go on: most often all do,
   * and who would wait has that much less to do later. The outcome is the same.
   *
   * @return true if there is more to take in; false, too, if a resampling is expected
   */
  public boolean updateMapsAhead() {
    return !expectsResampling() && updateNextMap();
  }

  /** Has a particle take in the step, and those for which that costs little besides. */
  private boolean updateNextMap() {
    if (lacking.isEmpty()) {
      return false;
    }
    while (particles.get(firstLacking).updated()) {
      firstLacking++;
    }
    updateFirstMapOf(shared(particles.get(firstLacking)));
    return !lacking.isEmpty();
  }

  /**
   * Matches the next step for a particle before it is decided which of them go on, to be used by
   * {@link #match} if all do, and forgotten else.
   *
   * @return true if there is more to match; false, too, if a resampling is expected
   * @throws IllegalStateException if not all have taken in the current step yet
   */
  public boolean matchAhead(Step step) {
    if (expectsResampling()) {
      return false;
    }
    if (!lacking.isEmpty()) {
      throw new IllegalStateException(
          "step %d cannot be matched: step %d is not in all maps"
              .formatted(step.sequence(), sequence));
    }
    return matchOne(step);
  }

  /**
   * Matches a step for one particle, before {@link #match} does it for those that are left: so that
   * other partitions can have their turn meanwhile. The particles must have taken in the step
   * before.
   *
   * @return true if there is more to match
   */
  public boolean matchOne(Step step) {
    next = matching(step);
    return next.matchOne();
  }

  /** Returns the job that was begun ahead, or a new one. */
  private StepJob<C> matching(Step step) {
    return next != null && next.isOf(step)
        ? next
        : new StepJob<>(step, particles, filter.weigher(step));
  }

  /**
   * The particle that {@code particleMove}, which starts at this task, asks for. If no resampling
   * was expected, its map has taken in the step's scan, whatever was done ahead: what is sent does
   * not depend on timing.
   */
  public ParticleTransfer send(ParticleMove particleMove) {
    if (!expectsResampling()) {
      updateMap(shared(particle(particleMove.parent())));
    }
    return filter.pack(particleMove, particle(particleMove.parent()), sequence);
  }

  private Particle<C> particle(int number) {
    for (Particle<C> particle : particles) {
      if (particle.number() == number) {
        return particle;
      }
    }
    throw new IllegalArgumentException(
        "particle " + number + " is not at task " + task + ", which has " + particles());
  }

  /**
   * Replaces the particles by those children whose new owner is this task and whose parents are
   * here. Children with parents elsewhere come by {@link #receive}.
   */
  public void resample(Resampling resampling, int[] ownerAfter) {
    filter.decided(resampling, ownerAfter);
    if (!resampling.resampled()) {
      effective = resampling.effectiveSampleSize();
      return;
    }
    next = null;
    List<Particle<C>> byNumber = new ArrayList<>(Collections.nCopies(total, null));
    particles.forEach(particle -> byNumber.set(particle.number(), particle));
    total = ownerAfter.length;
    effective = total;
    particles = new ArrayList<>();
    for (int child = 0; child < ownerAfter.length; child++) {
      Particle<C> parent = byNumber.get(resampling.parents()[child]);
      if (ownerAfter[child] == task && parent != null) {
        particles.add(filter.child(parent, child));
      }
    }
    findLacking();
  }

  /** Takes in all particles that other tasks sent after this step. */
  public void receive(List<ParticleTransfer> particleTransfers) {
    particles.addAll(filter.unpack(particleTransfers));
    particles.sort(Comparator.comparingInt(Particle::number));
    findLacking();
  }

  /** Has every particle that lacks it take in the step. */
  public void updateMap() {
    List.copyOf(lacking.values())
        .forEach(family -> updateMap(shared(particles.get(family.get(0)))));
    List<Particle<C>> after = filter.end(List.copyOf(particles));
    for (int i = 0; i < after.size(); i++) { // The list stays, for a job ahead has it.
      particles.set(i, after.get(i));
    }
  }

  private Object shared(Particle<C> particle) {
    return filter.shared(particle.content());
  }

  private void findLacking() {
    lacking = new IdentityHashMap<>();
    firstLacking = 0;
    for (int i = 0; i < particles.size(); i++) {
      if (!particles.get(i).updated()) {
        lacking.computeIfAbsent(shared(particles.get(i)), shared -> new ArrayList<>()).add(i);
      }
    }
  }

  /** Has those particles that share something take in the step; not if they have. */
  private void updateMap(Object shared) {
    while (lacking.containsKey(shared)) {
      updateFirstMapOf(shared);
    }
  }

  /** Has the first of those that share something take in the step, and maybe some more. */
  private void updateFirstMapOf(Object shared) {
    List<Integer> family = lacking.get(shared);
    List<Particle<C>> after = filter.updateMap(family.stream().map(particles::get).toList());
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      particles.set(family.get(i), after.get(i));
      if (!after.get(i).updated()) {
        left.add(family.get(i));
      }
    }
    if (left.isEmpty()) {
      lacking.remove(shared);
    } else {
      lacking.put(shared, left);
    }
  }
}
