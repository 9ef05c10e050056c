package org.cartostream.slam.mapping;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.transfer.AncestorIndex;
import org.cartostream.slam.transfer.AncestorMapCache;
import org.cartostream.slam.transfer.MapTransfer;
import org.cartostream.slam.transfer.ParticleMove;
import org.cartostream.slam.transfer.ParticleTransfer;
import org.cartostream.slam.transfer.PoseHistory;
import org.cartostream.slam.transfer.TaskLayout;

/**
 * One task's particles of one robot: their poses and maps.
 *
 * <p>A step runs in this order: {@link #match}; then, with what the {@link Resampler} decided, one
 * {@link #send} per move that starts here, {@link #resample}, and one {@link #receive} per move
 * that ends here; then {@link #register}. While the decision is waited for, {@link #registerAhead}
 * may do what {@link #register} would do later, and {@link #matchAhead} what {@link #match} would
 * do with the next step. Not thread-safe; its task is its owner.
 */
public final class Partition {

  /**
   * By so much an effective sample size may lie above the one that is resampled at, and a
   * resampling is expected next: it falls by a hundredth or so with each key frame.
   */
  private static final double NEARLY = 1.05;

  private final FilterSettings settings;
  private final String robot;
  private final int task;
  private final ScanMatcher matcher;
  private final Proposal proposal;
  private final AncestorMapCache ancestorMapCache;
  private List<Particle> particles = new ArrayList<>();

  /** The current step's number, for what is sent. */
  private long sequence;

  /** The current step's beams, kept from {@link #match} for {@link #register}. */
  private Beams beams;

  /** Effective sample size after the last decision. */
  private double effective;

  /** The next step, if some of its matching is done; else null. */
  private MatchJob next;

  /** Places in {@link #particles} of those that lack the step's scan, by the map they share. */
  private Map<TiledMap, List<Integer>> lacking = new IdentityHashMap<>();

  /** Of the {@link #particles}, none before this place lacks it. */
  private int firstLacking;

  /**
   * @param task this partition's number, as moves name it
   * @param taskLayout that it belongs to
   * @param numbers of the particles that it holds at first, ascending
   */
  public Partition(
      FilterSettings settings, String robot, int task, TaskLayout taskLayout, int[] numbers) {
    this.settings = settings;
    this.robot = robot;
    this.task = task;
    this.matcher = new ScanMatcher(settings.matcher(), settings.cellMetres());
    this.proposal = new Proposal(settings, matcher);
    this.ancestorMapCache =
        new AncestorMapCache(
            task, taskLayout, new AncestorIndex(settings.particles(), taskLayout), matcher);
    this.effective = settings.particles();
    TiledMap empty = new TiledMap();
    for (int number : numbers) {
      particles.add(new Particle(number, Pose.ORIGIN, empty, null, false));
    }
  }

  /**
   * This task's particles out of the partitions of all tasks, when a run goes on with another
   * layout. What the particles are does not depend on where they are.
   *
   * @param all partitions of the layout until now, each after the same key frame
   * @param owners task of each particle of the run from now on
   */
  public static Partition of(
      FilterSettings settings,
      String robot,
      int task,
      TaskLayout taskLayout,
      List<Partition> all,
      int[] owners) {
    Partition partition = new Partition(settings, robot, task, taskLayout, new int[0]);
    partition.ancestorMapCache.restart(owners);
    partition.effective = all.get(0).effective;
    for (Partition other : all) {
      for (Particle particle : other.particles) {
        if (owners[particle.number()] == task) {
          PoseHistory history = partition.ancestorMapCache.extended(null, particle.pose());
          partition.particles.add(particle.withHistory(history));
          partition.ancestorMapCache.keep(particle.number(), particle.map(), history);
        }
      }
    }
    partition.particles.sort(Comparator.comparingInt(Particle::number));
    return partition;
  }

  /** Number of particles held now. */
  public int size() {
    return particles.size();
  }

  /** Numbers of the particles held now, ascending. */
  public List<Integer> particles() {
    return particles.stream().map(Particle::number).toList();
  }

  /**
   * Moves every particle by odometry with noise, matches the scan to its map and weighs it.
   *
   * @throws IllegalArgumentException if the step is no key frame
   */
  public ParticleWeights match(Step step) {
    if (!step.keyFrame()) {
      throw new IllegalArgumentException("reading " + step.sequence() + " is no key frame");
    }
    MatchJob matchJob = matching(step);
    next = null;
    while (matchJob.matchOne()) {}
    sequence = step.sequence();
    beams = matchJob.beams();
    particles = matchJob.moved();
    findLacking();
    return matchJob.weights();
  }

  /**
   * True if the current step is likely to end with a resampling. Then nothing is done ahead, for
   * what is done for particles that die is done in vain.
   */
  public boolean expectsResampling() {
    return effective < NEARLY * settings.resampleBelowNeff();
  }

  /**
   * Enters the step's scan into the map of a particle, and of all that share it (most often none),
   * before it is decided which of them go on: most often all do, and who would wait has that much
   * less to do later. The outcome is the same.
   *
   * @return true if there is more to enter; false, too, if a resampling is expected
   */
  public boolean registerAhead() {
    if (expectsResampling() || lacking.isEmpty()) {
      return false;
    }
    while (particles.get(firstLacking).registered()) {
      firstLacking++;
    }
    enter(particles.get(firstLacking).map(), ancestorMapCache.keyFrame() + 1);
    return !lacking.isEmpty();
  }

  /**
   * Matches the next step's scan for a particle before it is decided which of them go on, to be
   * used by {@link #match} if all do, and forgotten else.
   *
   * @return true if there is more to match; false, too, if a resampling is expected
   * @throws IllegalStateException if the current step's scan is not in all maps yet
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
    next = matching(step);
    return next.matchOne();
  }

  /** What was begun ahead, or a new one. */
  private MatchJob matching(Step step) {
    return next != null && next.isOf(step)
        ? next
        : new MatchJob(step, particles, proposal, settings, robot);
  }

  /**
   * The particle that {@code move} (one that starts at this task) asks to be sent: with its whole
   * map if there is no ancestor to start from; else with the poses since the ancestor, or with the
   * tiles that were written since, whichever are fewer bytes. By tiles, too, if the ancestor is
   * further back than scans are kept ({@link TaskLayout#reach}), or the particle came here by tiles
   * since then, and not all its poses are known.
   *
   * <p>Tiles have the step's scan already where no resampling was expected, however much was done
   * ahead: what is sent does not depend on who was faster.
   */
  public ParticleTransfer send(ParticleMove particleMove) {
    if (!expectsResampling()) {
      enter(particle(particleMove.parent()).map(), ancestorMapCache.keyFrame() + 1);
    }
    Particle particle = particle(particleMove.parent());
    MapTransfer mapTransfer =
        ancestorMapCache.pack(particleMove, particle.map(), particle.history());
    return new ParticleTransfer(
        sequence,
        particleMove.parent(),
        particleMove.children(),
        particle.pose(),
        particleMove.ancestor(),
        mapTransfer.path(),
        mapTransfer.map(),
        particle.registered() && mapTransfer.byTiles());
  }

  private Particle particle(int number) {
    for (Particle particle : particles) {
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
    ancestorMapCache.advance(resampling, ownerAfter);
    if (!resampling.resampled()) {
      effective = resampling.effectiveSampleSize();
      return;
    }
    effective = settings.particles();
    next = null;
    Particle[] byNumber = new Particle[resampling.parents().length];
    for (Particle particle : particles) {
      byNumber[particle.number()] = particle;
    }
    particles = new ArrayList<>();
    for (int child = 0; child < ownerAfter.length; child++) {
      Particle parent = byNumber[resampling.parents()[child]];
      if (ownerAfter[child] == task && parent != null) {
        particles.add(parent.child(child));
      }
    }
    findLacking();
  }

  /** Takes in all particles that other tasks sent after this step. */
  public void receive(List<ParticleTransfer> particleTransfers) {
    ancestorMapCache
        .unpack(particleTransfers)
        .forEach(
            (particleTransfer, ancestorMap) -> {
              for (int child : particleTransfer.children()) {
                particles.add(
                    new Particle(
                        child,
                        particleTransfer.pose(),
                        ancestorMap.map(),
                        ancestorMap.history(),
                        particleTransfer.registered()));
              }
            });
    particles.sort(Comparator.comparingInt(Particle::number));
    findLacking();
  }

  /** Enters the step's scan into every map that lacks it. */
  private void registerAll() {
    List.copyOf(lacking.keySet()).forEach(map -> enter(map, ancestorMapCache.keyFrame()));
  }

  /**
   * Enters the step's scan into every map that lacks it, at the particle's pose. Particles with one
   * map and one pose (siblings fresh from resampling) go on sharing: the scan is entered once for
   * them.
   */
  public void register() {
    registerAll();
    particles.replaceAll(
        particle ->
            particle.withHistory(ancestorMapCache.extended(particle.history(), particle.pose())));
    particles.forEach(
        particle -> ancestorMapCache.keep(particle.number(), particle.map(), particle.history()));
    ancestorMapCache.registered(beams);
    beams = null;
  }

  private void findLacking() {
    lacking = new IdentityHashMap<>();
    firstLacking = 0;
    for (int i = 0; i < particles.size(); i++) {
      if (!particles.get(i).registered()) {
        lacking.computeIfAbsent(particles.get(i).map(), map -> new ArrayList<>()).add(i);
      }
    }
  }

  /** Enters the scan for those particles that share a map; not if it has it. */
  private void enter(TiledMap map, int keyFrame) {
    List<Integer> family = lacking.remove(map);
    if (family == null) {
      return;
    }
    Map<Pose, TiledMap> byPose = new HashMap<>();
    family.forEach(i -> byPose.put(particles.get(i).pose(), null));
    enter(map, byPose, keyFrame);
    family.forEach(i -> particles.set(i, particles.get(i).registered(byPose)));
  }

  /** Gives each pose its own map with the scan entered; the last pose may have the old map. */
  private void enter(TiledMap map, Map<Pose, TiledMap> byPose, int keyFrame) {
    int left = byPose.size();
    for (Map.Entry<Pose, TiledMap> entry : byPose.entrySet()) {
      left--;
      TiledMap own = left == 0 ? map : map.fork();
      own.setKeyFrame(keyFrame);
      matcher.register(own, beams, entry.getKey());
      entry.setValue(own);
    }
  }
}
