package org.cartostream.topology;

import java.util.Arrays;
import java.util.List;
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
import org.cartostream.topology.run.FilterFactory;

/** Filters as a user would write them: at the n-th key frame, each particle is at x = n metres. */
record CountingFilters(FilterSettings settings) implements ParticleFilters<Void> {

  /** Factory as a jar names it. */
  public static final class Factory implements FilterFactory {
    @Override
    public ParticleFilters<?> of(FilterSettings settings) {
      return new CountingFilters(settings);
    }
  }

  @Override
  public int particles() {
    return settings.particles();
  }

  @Override
  public ParticleFilter<Void> filter(String robot, int task, TaskLayout taskLayout) {
    return new Counting(settings.particles());
  }

  @Override
  public ParticleSelector selector(String robot) {
    return new Resampler(settings, robot);
  }

  /** The weigher of the n-th key frame. */
  record Weigher(int number) implements StepWeigher<Void> {
    @Override
    public Weighed weigh(Particle<Void> particle) {
      return new Weighed(new Pose(number, 0, 0), 0, 1, 0);
    }
  }

  /** A task's particles; its number of key frames is in checkpoints. */
  static final class Counting implements ParticleFilter<Void> {

    private final int particles;
    private int keyFrames;

    Counting(int particles) {
      this.particles = particles;
    }

    @Override
    public int particles() {
      return particles;
    }

    @Override
    public double resampleBelowNeff(int count) {
      return 0;
    }

    @Override
    public List<Particle<Void>> first(int[] numbers) {
      return Arrays.stream(numbers)
          .mapToObj(number -> new Particle<Void>(number, Pose.ORIGIN, null, false))
          .toList();
    }

    @Override
    public StepWeigher<Void> weigher(Step step) {
      return new Weigher(keyFrames + 1);
    }

    @Override
    public void begin(StepWeigher<Void> weigher) {
      keyFrames = ((Weigher) weigher).number();
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
    public ParticleTransfer pack(ParticleMove move, Particle<Void> particle, long sequence) {
      throw new AssertionError("particles of equal weight do not move");
    }

    @Override
    public void decided(Resampling resampling, int[] ownerAfter) {}

    @Override
    public Particle<Void> child(Particle<Void> parent, int number) {
      return parent.child(number);
    }

    @Override
    public List<Particle<Void>> unpack(List<ParticleTransfer> particleTransfers) {
      return List.of();
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
      keyFrames = ((Counting) before).keyFrames;
      return mine;
    }
  }
}
