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
 * that ends here; then {@link #register}. Not thread-safe; its task is its owner.
 */
public final class Partition {

  /** A particle: siblings share a map until their poses differ. */
  private record Particle(int number, Pose pose, TiledMap map, Trail trail) {}

  private final FilterSettings settings;
  private final String robot;
  private final int task;
  private final double unitsPerMetre;
  private final ScanMatcher matcher;
  private final Proposal proposal;
  private final Keepsakes keepsakes;
  private List<Particle> particles = new ArrayList<>();

  /** The current step's number, for what is sent. */
  private long sequence;

  /** The current step's beams, kept from {@link #match} for {@link #register}. */
  private Beams beams;

  /**
   * @param task this partition's number, as moves name it
   * @param team that it belongs to
   * @param numbers of the particles that it holds at first, ascending
   */
  public Partition(FilterSettings settings, String robot, int task, Team team, int[] numbers) {
    this.settings = settings;
    this.robot = robot;
    this.task = task;
    this.unitsPerMetre = TiledMap.UNITS / settings.cellMetres();
    this.matcher = new ScanMatcher(settings.matcher(), settings.cellMetres());
    this.proposal = new Proposal(settings, matcher);
    this.keepsakes = new Keepsakes(task, team, new Ancestry(settings.particles(), team), matcher);
    TiledMap empty = new TiledMap();
    for (int number : numbers) {
      particles.add(new Particle(number, Pose.ORIGIN, empty, null));
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
        partition.particles.add(new Particle(child, parcel.pose(), map, trail));
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
    Map<TiledMap, Map<Pose, TiledMap>> families = new IdentityHashMap<>();
    for (Particle particle : particles) {
      families.computeIfAbsent(particle.map, map -> new HashMap<>()).put(particle.pose, null);
    }
    families.forEach(this::registerFamily);
    particles.replaceAll(
        particle ->
            new Particle(
                particle.number,
                particle.pose,
                families.get(particle.map).get(particle.pose),
                particle.trail));
  }

  /**
   * A particle with its map and without its past, to be taken by {@link #ofSurvivors}.
   *
   * @param children what its copies are called
   * @throws IllegalArgumentException if it is not here
   */
  public Parcel whole(int number, int[] children) {
    for (Particle particle : particles) {
      if (particle.number == number) {
        byte[] map = MapCodec.encode(particle.map);
        return new Parcel(
            sequence, number, children, particle.pose, Ancestry.NONE, new Pose[0], map);
      }
    }
    throw new IllegalArgumentException(
        "particle " + number + " is not at task " + task + ", which has " + particles());
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
    sequence = step.sequence();
    beams = Beams.of(step.scan(), unitsPerMetre, settings.independentRadians());
    MotionModel error = MotionModel.of(settings, step);
    Beliefs beliefs = Beliefs.empty(step.sequence(), size(), 0);
    long evaluations = 0;
    for (int i = 0; i < size(); i++) {
      Particle before = particles.get(i);
      Pose pose = before.pose;
      if (!step.first()) {
        Noise noise = new Noise(settings.seed(), robot, step.sequence(), before.number);
        Proposal.Drawn drawn =
            proposal.draw(before.map, beams, before.pose, step.motion(), error, noise);
        pose = drawn.pose();
        beliefs.logLikelihoods()[i] = drawn.logLikelihood();
        evaluations += drawn.evaluations();
      }
      particles.set(i, new Particle(before.number, pose, before.map, before.trail));
      beliefs.particles()[i] = before.number;
      beliefs.x()[i] = pose.x();
      beliefs.y()[i] = pose.y();
      beliefs.theta()[i] = pose.theta();
      beliefs.mapBytes()[i] = MapCodec.estimatedBytes(before.map);
    }
    return beliefs.withEvaluations(evaluations);
  }

  /**
   * The particle that {@code move} (one that starts at this task) asks to be sent: with its whole
   * map if there is no ancestor to start from; else with the poses since the ancestor, or with the
   * tiles that were written since, whichever are fewer bytes. By tiles, too, if the ancestor is
   * further back than scans are kept ({@link Team#reach}), or the particle came here by tiles since
   * then, and not all its poses are known.
   */
  public Parcel send(Move move) {
    for (Particle particle : particles) {
      if (particle.number == move.parent()) {
        Luggage luggage = keepsakes.luggage(move, particle.map, particle.trail);
        return new Parcel(
            sequence,
            move.parent(),
            move.children(),
            particle.pose,
            move.ancestor(),
            luggage.path(),
            luggage.map());
      }
    }
    throw new IllegalArgumentException(
        "particle " + move.parent() + " is not at task " + task + ", which has " + particles());
  }

  /**
   * Replaces the particles by those children whose new owner is this task and whose parents are
   * here. Children with parents elsewhere come by {@link #receive}.
   */
  public void resample(Resampling resampling, int[] ownerAfter) {
    keepsakes.advance(resampling, ownerAfter);
    if (!resampling.resampled()) {
      return;
    }
    Particle[] byNumber = new Particle[resampling.parents().length];
    for (Particle particle : particles) {
      byNumber[particle.number] = particle;
    }
    particles = new ArrayList<>();
    for (int child = 0; child < ownerAfter.length; child++) {
      Particle parent = byNumber[resampling.parents()[child]];
      if (ownerAfter[child] == task && parent != null) {
        particles.add(new Particle(child, parent.pose, parent.map, parent.trail));
      }
    }
  }

  /** Takes in all particles that other tasks sent after this step. */
  public void receive(List<Parcel> parcels) {
    keepsakes
        .arrived(parcels)
        .forEach(
            (parcel, past) -> {
              for (int child : parcel.children()) {
                particles.add(new Particle(child, parcel.pose(), past.map(), past.trail()));
              }
            });
    particles.sort(Comparator.comparingInt(Particle::number));
  }

  /**
   * Enters the step's scan into the map of every particle, at its pose. Particles with one map and
   * one pose (siblings fresh from resampling) go on sharing: the scan is entered once for them.
   */
  public void register(Step step) {
    settle();
    particles.replaceAll(
        particle ->
            new Particle(
                particle.number,
                particle.pose,
                particle.map,
                keepsakes.extended(particle.trail, particle.pose)));
    particles.forEach(particle -> keepsakes.keep(particle.number, particle.map, particle.trail));
    keepsakes.registered(beams);
    beams = null;
  }

  /** Gives each pose its own map with the scan entered; the last pose may have the old map. */
  private void registerFamily(TiledMap map, Map<Pose, TiledMap> byPose) {
    int left = byPose.size();
    for (Map.Entry<Pose, TiledMap> entry : byPose.entrySet()) {
      left--;
      TiledMap own = left == 0 ? map : map.fork();
      own.writeAt(keepsakes.keyFrame());
      matcher.register(own, beams, entry.getKey());
      entry.setValue(own);
    }
  }
}
