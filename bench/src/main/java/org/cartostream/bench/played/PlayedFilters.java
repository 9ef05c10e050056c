package org.cartostream.bench.played;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.Particle;
import org.cartostream.slam.particle.ParticleFilter;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleSelector;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.particle.StepWeigher;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.settings.FilterSettings;

/**
 * Filters that play a recording: each particle has the pose and weight that were recorded, after
 * the time that they took. Particles that move are as large as real ones; that their maps are
 * rebuilt from poses takes no time.
 *
 * @param recording what is played
 * @param slower factor on all times
 * @param settings settings of the filter, as far as they decide on resampling
 * @param clocks makes for each task what lets time pass, nanoseconds
 */
public record PlayedFilters(
    FilterRecording recording,
    double slower,
    FilterSettings settings,
    Supplier<LongConsumer> clocks)
    implements ParticleFilters<Void> {

  /**
   * @throws IllegalArgumentException if the recording is of another number of particles
   */
  public PlayedFilters {
    if (settings.particles() != recording.particles() || settings.adaptive().isOn()) {
      throw new IllegalArgumentException(
          "slam.particles is %d, and the recording has %d at each key frame; as many would be right"
              .formatted(settings.particles(), recording.particles()));
    }
  }

  @Override
  public int particles() {
    return settings.particles();
  }

  @Override
  public ParticleFilter<Void> filter(String robot, int task, TaskLayout taskLayout) {
    PlayedFilter filter = new PlayedFilter();
    filter.resume(this);
    return filter;
  }

  @Override
  public ParticleSelector selector(String robot) {
    return new Resampler(settings, robot);
  }

  /** Weigher of a key frame. */
  static final class Weigher implements StepWeigher<Void> {

    private final PlayedFilter filter;
    private final long sequence;

    Weigher(PlayedFilter filter, long sequence) {
      this.filter = filter;
      this.sequence = sequence;
    }

    @Override
    public Weighed weigh(Particle<Void> particle) {
      FilterRecording.KeyFrame keyFrame = filter.at(sequence);
      filter.pass(keyFrame.matchNanos()[particle.number()]);
      return keyFrame.weighed().get(particle.number());
    }
  }

  /** Particles of one task. The recording is no part of its state, see {@link #resume}. */
  static final class PlayedFilter implements ParticleFilter<Void> {

    private transient PlayedFilters filters;
    private transient LongConsumer clock;
    private long sequence;

    @Override
    public void resume(ParticleFilters<Void> ofTheRun) {
      filters = (PlayedFilters) ofTheRun;
      clock = filters.clocks.get();
    }

    private FilterRecording.KeyFrame at(long number) {
      return filters.recording.at(number);
    }

    private void pass(long nanos) {
      clock.accept(Math.round(nanos * filters.slower));
    }

    @Override
    public int particles() {
      return filters.particles();
    }

    @Override
    public double resampleBelowNeff(int count) {
      return filters.settings.resampleBelowNeff(count);
    }

    @Override
    public List<Particle<Void>> first(int[] numbers) {
      return Arrays.stream(numbers)
          .mapToObj(number -> new Particle<Void>(number, Pose.ORIGIN, null, false))
          .toList();
    }

    @Override
    public StepWeigher<Void> weigher(Step step) {
      pass(at(step.sequence()).commonNanos());
      return new Weigher(this, step.sequence());
    }

    @Override
    public void begin(StepWeigher<Void> weigher) {
      sequence = ((Weigher) weigher).sequence;
    }

    @Override
    public Object shared(Void content) {
      return this;
    }

    /** One particle after the other, as if each had a map of its own. */
    @Override
    public List<Particle<Void>> updateMap(List<Particle<Void>> family) {
      List<Particle<Void>> after = new ArrayList<>(family);
      Particle<Void> first = family.get(0);
      pass(at(sequence).updateNanos()[first.number()]);
      after.set(0, first.updated(null));
      return after;
    }

    @Override
    public ParticleTransfer pack(ParticleMove move, Particle<Void> particle, long number) {
      boolean byTiles = move.ancestor() == ParticleMove.NO_ANCESTOR;
      Pose[] path = new Pose[byTiles ? 0 : move.keyFrames()];
      Arrays.fill(path, particle.pose());
      long bytes = byTiles ? at(number).weighed().get(particle.number()).bytes() : 0;
      return new ParticleTransfer(
          number,
          move.parent(),
          move.children(),
          particle.pose(),
          move.ancestor(),
          path,
          new byte[Math.toIntExact(bytes)],
          byTiles && particle.updated());
    }

    @Override
    public void decided(Resampling resampling, int[] ownerAfter) {}

    @Override
    public Particle<Void> child(Particle<Void> parent, int number) {
      return parent.child(number);
    }

    @Override
    public List<Particle<Void>> unpack(List<ParticleTransfer> particleTransfers) {
      List<Particle<Void>> particles = new ArrayList<>();
      for (ParticleTransfer each : particleTransfers) {
        for (int child : each.children()) {
          particles.add(new Particle<>(child, each.pose(), null, each.updated()));
        }
      }
      return particles;
    }

    @Override
    public List<Particle<Void>> end(List<Particle<Void>> all) {
      return all;
    }

    @Override
    public long bytes(List<Particle<Void>> all) {
      return 0;
    }

    @Override
    public List<Particle<Void>> restart(
        ParticleFilter<Void> before, List<Particle<Void>> mine, int[] owners) {
      sequence = ((PlayedFilter) before).sequence;
      return mine;
    }
  }
}
