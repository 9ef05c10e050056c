package org.cartostream.slam.mapping;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.MapMemory;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.Particle;
import org.cartostream.slam.particle.ParticleFilter;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.particle.StepWeigher;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.transfer.AncestorIndex;
import org.cartostream.slam.transfer.AncestorMapCache;
import org.cartostream.slam.transfer.MapTransfer;
import org.cartostream.slam.transfer.PoseHistory;

/**
 * The Rao-Blackwellised filter's particles on one task. Each has its own map, into which scans are
 * entered, and draws its poses from scan and odometry together ({@link Proposal}).
 *
 * <p>Owns the current step's beams, and the ancestors' maps from which the maps of arriving
 * particles are rebuilt.
 */
final class MappingFilter implements ParticleFilter<ParticleMap> {

  private final FilterSettings settings;
  private final String robot;
  private final ScanMatcher matcher;
  private final Proposal proposal;
  private final AncestorMapCache ancestorMapCache;

  /** The current step's beams. */
  private Beams beams;

  /** True once the resampling after the current step is decided. */
  private boolean isDecided;

  MappingFilter(FilterSettings settings, String robot, int task, TaskLayout taskLayout) {
    this.settings = settings;
    this.robot = robot;
    this.matcher = new ScanMatcher(settings.matcher(), settings.cellMetres());
    this.proposal = new Proposal(settings, matcher);
    this.ancestorMapCache =
        new AncestorMapCache(
            task, taskLayout, new AncestorIndex(settings.particles(), taskLayout), matcher);
  }

  @Override
  public int particles() {
    return settings.particles();
  }

  @Override
  public double resampleBelowNeff(int count) {
    return settings.resampleBelowNeff(count);
  }

  @Override
  public List<Particle<ParticleMap>> first(int[] numbers) {
    ParticleMap empty = new ParticleMap(new TiledMap(), null);
    List<Particle<ParticleMap>> particles = new ArrayList<>();
    for (int number : numbers) {
      particles.add(new Particle<>(number, Pose.ORIGIN, empty, false));
    }
    return particles;
  }

  @Override
  public StepWeigher<ParticleMap> weigher(Step step) {
    return new MappingWeigher(step, proposal, settings, robot);
  }

  @Override
  public void begin(StepWeigher<ParticleMap> weigher) {
    beams = ((MappingWeigher) weigher).beams();
    isDecided = false;
  }

  @Override
  public Object shared(ParticleMap content) {
    return content.map();
  }

  /**
   * Enters the step's scan into the map that particles share, at the first particle's pose.
   * Siblings fresh from resampling have one pose, and go on sharing: the scan is entered once for
   * them.
   */
  @Override
  public List<Particle<ParticleMap>> updateMap(List<Particle<ParticleMap>> family) {
    Pose pose = family.get(0).pose();
    TiledMap shared = family.get(0).content().map();
    boolean isLeftToOthers = family.stream().anyMatch(particle -> !particle.pose().equals(pose));
    TiledMap map = isLeftToOthers ? shared.fork() : shared;
    map.setKeyFrame(ancestorMapCache.keyFrame() + (isDecided ? 0 : 1));
    matcher.updateMap(map, beams, pose);
    map.tick();
    return family.stream()
        .map(particle -> particle.pose().equals(pose) ? updated(particle, map) : particle)
        .toList();
  }

  private static Particle<ParticleMap> updated(Particle<ParticleMap> particle, TiledMap map) {
    return particle.updated(new ParticleMap(map, particle.content().history()));
  }

  /**
   * Packs the whole map if there is no ancestor to start from; else the poses since the ancestor,
   * or the tiles that were written since, whichever are fewer bytes. Tiles are also sent if the
   * ancestor is older than the scans kept ({@link TaskLayout#reach}), or if the particle arrived as
   * tiles since then, so that not all its poses are known.
   */
  @Override
  public ParticleTransfer pack(
      ParticleMove particleMove, Particle<ParticleMap> particle, long sequence) {
    ParticleMap content = particle.content();
    MapTransfer mapTransfer = ancestorMapCache.pack(particleMove, content.map(), content.history());
    return new ParticleTransfer(
        sequence,
        particleMove.parent(),
        particleMove.children(),
        particle.pose(),
        particleMove.ancestor(),
        mapTransfer.path(),
        mapTransfer.map(),
        particle.updated() && mapTransfer.byTiles());
  }

  @Override
  public void decided(Resampling resampling, int[] ownerAfter) {
    ancestorMapCache.advance(resampling, ownerAfter);
    isDecided = true;
  }

  @Override
  public Particle<ParticleMap> child(Particle<ParticleMap> parent, int number) {
    return parent.child(number);
  }

  @Override
  public List<Particle<ParticleMap>> unpack(List<ParticleTransfer> particleTransfers) {
    List<Particle<ParticleMap>> particles = new ArrayList<>();
    ancestorMapCache
        .unpack(particleTransfers)
        .forEach(
            (particleTransfer, ancestorMap) -> {
              ParticleMap content = new ParticleMap(ancestorMap.map(), ancestorMap.history());
              for (int child : particleTransfer.children()) {
                particles.add(
                    new Particle<>(
                        child, particleTransfer.pose(), content, particleTransfer.updated()));
              }
            });
    return particles;
  }

  @Override
  public List<Particle<ParticleMap>> end(List<Particle<ParticleMap>> all) {
    List<Particle<ParticleMap>> after = all.stream().map(this::extended).toList();
    ancestorMapCache.updated(beams);
    beams = null;
    return after;
  }

  private Particle<ParticleMap> extended(Particle<ParticleMap> particle) {
    return kept(particle, particle.content().history());
  }

  private Particle<ParticleMap> kept(Particle<ParticleMap> particle, PoseHistory before) {
    PoseHistory history = ancestorMapCache.extended(before, particle.pose());
    ancestorMapCache.keep(particle.number(), particle.content().map(), history);
    return particle.with(particle.content().withHistory(history));
  }

  @Override
  public long bytes(List<Particle<ParticleMap>> all) {
    MapMemory mapMemory = new MapMemory();
    all.forEach(particle -> mapMemory.add(particle.content().map()));
    ancestorMapCache.countInto(mapMemory);
    return mapMemory.bytes();
  }

  @Override
  public List<Particle<ParticleMap>> restart(
      ParticleFilter<ParticleMap> before, List<Particle<ParticleMap>> mine, int[] owners) {
    ancestorMapCache.restart(owners);
    // Siblings share a map, and some may be on other tasks in this process now, which write to it,
    // too.
    Map<TiledMap, TiledMap> own = new IdentityHashMap<>();
    return mine.stream().map(particle -> kept(withOwn(particle, own), null)).toList();
  }

  private static Particle<ParticleMap> withOwn(
      Particle<ParticleMap> particle, Map<TiledMap, TiledMap> own) {
    TiledMap map = own.computeIfAbsent(particle.content().map(), TiledMap::fork);
    return particle.with(new ParticleMap(map, null));
  }
}
