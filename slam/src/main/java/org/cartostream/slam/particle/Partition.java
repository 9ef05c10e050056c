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
 * per move that ends here; then {@link #updateMap}. While the decision is awaited, {@link
 * #updateMapsAhead} may do what {@link #updateMap} would do later, and {@link #matchAhead} what
 * {@link #match} would do with the next step. Not thread-safe; its task is its owner.
 *
 * @param <C> what the filter keeps of a particle besides its pose
 */
public final class Partition<C> {

  /**
   * Factor on the effective sample size at which particles are resampled: below the product a
   * resampling is expected next, for Neff falls by a hundredth or so with each key frame.
   */
  private static final double NEARLY = 1.05;

  private final ParticleFilter<C> filter;
  private final int task;
  private List<Particle<C>> particles = new ArrayList<>();

  /** The current step's number, which particles carry when they are sent. */
  private long sequence;

  /** Number of particles of the run now, on all tasks. */
  private int total;

  /** Effective sample size after the last decision. */
  private double effective;

  /** The job that matches the next step, if it was begun ahead; else null. */
  private StepJob<C> next;

  /** Indices in {@link #particles} of those that lack the current step, by the data they share. */
  private Map<Object, List<Integer>> lacking = new IdentityHashMap<>();

  /** First index in {@link #particles} of a particle that may lack the current step. */
  private int firstLacking;

  /**
   * @param task this partition's number, as moves name it
   * @param numbers numbers of the particles that the task holds at first, ascending
   */
  public Partition(ParticleFilter<C> filter, int task, int[] numbers) {
    this(filter, task, filter.first(numbers));
  }

  /**
   * Creates a partition with given particles instead of the filter's {@link ParticleFilter#first}.
   */
  public Partition(ParticleFilter<C> filter, int task, List<Particle<C>> first) {
    this.filter = filter;
    this.task = task;
    this.total = filter.particles();
    this.effective = total;
    particles.addAll(first);
  }

  /**
   * Returns a task's partition when a run goes on with another layout of tasks. The particles stay
   * the same; only their tasks change.
   *
   * @param filter a new filter, for this task
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
   * Returns true if the current step is likely to end with a resampling. Then no work is done
   * ahead, for work on particles that die is lost.
   */
  public boolean expectsResampling() {
    return effective < NEARLY * filter.resampleBelowNeff(total);
  }

  /**
   * Enters the current step into a particle's content before the resampling decision: mostly all
   * particles go on, and the time of waiting is used. The results are the same.
   *
   * @return true if more particles lack the step; false also if a resampling is expected
   */
  public boolean updateMapsAhead() {
    return !expectsResampling() && updateNextMap();
  }

  /**
   * Enters the current step into the next particle's content, and into others' that add little
   * cost.
   */
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
   * Matches the next step for a particle before the resampling decision. {@link #match} uses the
   * result if all particles go on; else it is discarded.
   *
   * @return true if there is more to match; false also if a resampling is expected
   * @throws IllegalStateException if not all particles have taken in the current step yet
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
   * Matches a step for one particle; {@link #match} then matches the rest. So other partitions can
   * run in between. All particles must have taken in the previous step.
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
   * Packs the particle of a move that starts at this task. If no resampling was expected, the
   * step's scan is entered into the particle's map first, so that the data sent does not depend on
   * timing.
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

  /** Enters the current step into all particles that lack it. */
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

  /** Enters the step into all particles that share some data and lack the step. */
  private void updateMap(Object shared) {
    while (lacking.containsKey(shared)) {
      updateFirstMapOf(shared);
    }
  }

  /**
   * Enters the step into the first particle of those that share some data, and maybe into some
   * more.
   */
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
