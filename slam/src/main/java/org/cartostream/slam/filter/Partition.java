package org.cartostream.slam.filter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.MapCodec;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanMatcher;

/**
 * One task's particles of one robot: their poses and maps.
 *
 * <p>A step runs in this order: {@link #match}; then, with what the {@link Resampler} decided, one
 * {@link #send} per move that starts here, {@link #resample}, and one {@link #receive} per move
 * that ends here; then {@link #register}. While the decision is waited for, {@link #enterAhead} may
 * do what {@link #register} would do later, and {@link #matchAhead} what {@link #match} would do
 * with the next step. Not thread-safe; its task is its owner.
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
  private final Keepsakes keepsakes;
  private List<Particle> particles = new ArrayList<>();

  /** The current step's number, for what is sent. */
  private long sequence;

  /** The current step's beams, kept from {@link #match} for {@link #register}. */
  private Beams beams;

  /** Effective sample size after the last decision. */
  private double effective;

  /** The next step, if some of its matching is done; else null. */
  private Matching next;

  /** Places in {@link #particles} of those that lack the step's scan, by the map they share. */
  private Map<TiledMap, List<Integer>> lacking = new IdentityHashMap<>();

  /** Of the {@link #particles}, none before this place lacks it. */
  private int firstLacking;

  /**
   * @param task this partition's number, as moves name it
   * @param team that it belongs to
   * @param numbers of the particles that it holds at first, ascending
   */
  public Partition(FilterSettings settings, String robot, int task, Team team, int[] numbers) {
    this.settings = settings;
    this.robot = robot;
    this.task = task;
    this.matcher = new ScanMatcher(settings.matcher(), settings.cellMetres());
    this.proposal = new Proposal(settings, matcher);
    this.keepsakes = new Keepsakes(task, team, new Ancestry(settings.particles(), team), matcher);
    this.effective = settings.particles();
    TiledMap empty = new TiledMap();
    for (int number : numbers) {
      particles.add(new Particle(number, Pose.ORIGIN, empty, null, false));
    }
  }

  /**
   * Begins in the middle of a run, with what is left of particles, some of which were lost.
   *
   * @param left those whose copies are here, whole and with the latest key frame in their maps
   * @param parents for each particle of the run the one that it is a copy of
   * @param owners task of each particle of the run
   */
  public static Partition ofSurvivors(
      FilterSettings settings,
      String robot,
      int task,
      Team team,
      List<Parcel> left,
      int[] parents,
      int[] owners) {
    Partition partition = new Partition(settings, robot, task, team, new int[0]);
    partition.keepsakes.beginAgain(parents, owners);
    for (Parcel parcel : left) {
      TiledMap map = MapCodec.decode(parcel.map());
      Trail trail = partition.keepsakes.extended(null, parcel.pose());
      for (int child : parcel.children()) {
        partition.particles.add(new Particle(child, parcel.pose(), map, trail, true));
        partition.keepsakes.keep(child, map, trail);
      }
    }
    partition.particles.sort(Comparator.comparingInt(Particle::number));
    return partition;
  }

  /**
   * Ends the current step without a verdict, as every particle goes on as itself; for particles
   * that then leave this partition, see {@link #whole}.
   */
  public void settle() {
    List.copyOf(lacking.keySet()).forEach(map -> enter(map, keepsakes.keyFrame()));
  }

  /**
   * A particle with its map and without its past, to be taken by {@link #ofSurvivors}.
   *
   * @param children what its copies are called
   * @throws IllegalArgumentException if it is not here
   */
  public Parcel whole(int number, int[] children) {
    Particle particle = particle(number);
    byte[] map = MapCodec.encode(particle.map());
    return new Parcel(
        sequence, number, children, particle.pose(), Ancestry.NONE, new Pose[0], map, true);
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
  public Beliefs match(Step step) {
    if (!step.keyFrame()) {
      throw new IllegalArgumentException("reading " + step.sequence() + " is no key frame");
    }
    Matching matching = matching(step);
    next = null;
    while (matching.matchOne()) {}
    sequence = step.sequence();
    beams = matching.beams();
    particles = matching.moved();
    findLacking();
    return matching.beliefs();
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
  public boolean enterAhead() {
    if (expectsResampling() || lacking.isEmpty()) {
      return false;
    }
    while (particles.get(firstLacking).entered()) {
      firstLacking++;
    }
    enter(particles.get(firstLacking).map(), keepsakes.keyFrame() + 1);
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
  private Matching matching(Step step) {
    return next != null && next.isOf(step)
        ? next
        : new Matching(step, particles, proposal, settings, robot);
  }

  /**
   * The particle that {@code move} (one that starts at this task) asks to be sent: with its whole
   * map if there is no ancestor to start from; else with the poses since the ancestor, or with the
   * tiles that were written since, whichever are fewer bytes. By tiles, too, if the ancestor is
   * further back than scans are kept ({@link Team#reach}), or the particle came here by tiles since
   * then, and not all its poses are known.
   *
   * <p>Tiles have the step's scan already where no resampling was expected, however much was done
   * ahead: what is sent does not depend on who was faster.
   */
  public Parcel send(Move move) {
    if (!expectsResampling()) {
      enter(particle(move.parent()).map(), keepsakes.keyFrame() + 1);
    }
    Particle particle = particle(move.parent());
    Luggage luggage = keepsakes.luggage(move, particle.map(), particle.trail());
    return new Parcel(
        sequence,
        move.parent(),
        move.children(),
        particle.pose(),
        move.ancestor(),
        luggage.path(),
        luggage.map(),
        particle.entered() && luggage.byTiles());
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
    keepsakes.advance(resampling, ownerAfter);
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
  public void receive(List<Parcel> parcels) {
    keepsakes
        .arrived(parcels)
        .forEach(
            (parcel, past) -> {
              for (int child : parcel.children()) {
                particles.add(
                    new Particle(child, parcel.pose(), past.map(), past.trail(), parcel.entered()));
              }
            });
    particles.sort(Comparator.comparingInt(Particle::number));
    findLacking();
  }

  /**
   * Enters the step's scan into every map that lacks it, at the particle's pose. Particles with one
   * map and one pose (siblings fresh from resampling) go on sharing: the scan is entered once for
   * them.
   */
  public void register() {
    settle();
    particles.replaceAll(
        particle -> particle.after(keepsakes.extended(particle.trail(), particle.pose())));
    particles.forEach(
        particle -> keepsakes.keep(particle.number(), particle.map(), particle.trail()));
    keepsakes.registered(beams);
    beams = null;
  }

  private void findLacking() {
    lacking = new IdentityHashMap<>();
    firstLacking = 0;
    for (int i = 0; i < particles.size(); i++) {
      if (!particles.get(i).entered()) {
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
    family.forEach(i -> particles.set(i, particles.get(i).entered(byPose)));
  }

  /** Gives each pose its own map with the scan entered; the last pose may have the old map. */
  private void enter(TiledMap map, Map<Pose, TiledMap> byPose, int keyFrame) {
    int left = byPose.size();
    for (Map.Entry<Pose, TiledMap> entry : byPose.entrySet()) {
      left--;
      TiledMap own = left == 0 ? map : map.fork();
      own.writeAt(keyFrame);
      matcher.register(own, beams, entry.getKey());
      entry.setValue(own);
    }
  }
}
