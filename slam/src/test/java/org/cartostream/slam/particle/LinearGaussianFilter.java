package org.cartostream.slam.particle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.settings.FilterSettings;

/**
 * A particle filter whose exact answer is known, for tests: a robot on a line, that moves by {@code
 * x' = x + u + q w} and measures {@code z = x' + r v} with normal w and v, so that the Kalman
 * filter has its mean and variance. A step's motion is u, its scan's only range is z. Each particle
 * counts its steps, so that what it keeps must come along with it.
 */
record LinearGaussianFilter(int size, double start, double q, double r)
    implements ParticleFilter<Integer> {

  private static final long SEED = 5;

  static ParticleFilters<Integer> filters(int particles, double start, double q, double r) {
    LinearGaussianFilter filter = new LinearGaussianFilter(particles, start, q, r);
    FilterSettings settings =
        Settings.build(
            FilterSettings.class,
            Map.of("particles", "" + particles, "weightShare", "1", "resampleBelow", "0.5"));
    return new ParticleFilters<>() {
      @Override
      public int particles() {
        return particles;
      }

      @Override
      public ParticleFilter<Integer> filter(String robot, int task, TaskLayout taskLayout) {
        return filter;
      }

      @Override
      public ParticleSelector selector(String robot) {
        return new Resampler(settings, robot);
      }
    };
  }

  @Override
  public int particles() {
    return size;
  }

  @Override
  public double resampleBelowNeff(int count) {
    return 0.5 * size;
  }

  @Override
  public List<Particle<Integer>> first(int[] numbers) {
    return Arrays.stream(numbers)
        .mapToObj(number -> new Particle<>(number, Pose.ORIGIN, 0, false))
        .toList();
  }

  /** Draws the first ones from the prior, and moves all others. */
  @Override
  public StepWeigher<Integer> weigher(Step step) {
    return particle -> {
      ParticleRandom random = new ParticleRandom(SEED, "robot", step.sequence(), particle.number());
      double spread = step.first() ? start : q;
      double x = particle.pose().x() + step.motion().x() + spread * random.gaussian();
      double off = (step.scan().ranges()[0] - x) / r;
      return new StepWeigher.Weighed(new Pose(x, particle.content(), 0), -off * off / 2, 1, 0);
    };
  }

  @Override
  public void begin(StepWeigher<Integer> weigher) {}

  @Override
  public Object shared(Integer content) {
    return content;
  }

  @Override
  public List<Particle<Integer>> updateMap(List<Particle<Integer>> family) {
    return family.stream().map(particle -> particle.updated(particle.content() + 1)).toList();
  }

  @Override
  public ParticleTransfer pack(ParticleMove move, Particle<Integer> particle, long sequence) {
    return new ParticleTransfer(
        sequence,
        move.parent(),
        move.children(),
        particle.pose(),
        move.ancestor(),
        new Pose[0],
        new byte[] {particle.content().byteValue()},
        particle.updated());
  }

  @Override
  public void decided(Resampling resampling, int[] ownerAfter) {}

  @Override
  public Particle<Integer> child(Particle<Integer> parent, int number) {
    return parent.child(number);
  }

  @Override
  public List<Particle<Integer>> unpack(List<ParticleTransfer> transfers) {
    List<Particle<Integer>> all = new ArrayList<>();
    for (ParticleTransfer each : transfers) {
      for (int child : each.children()) {
        all.add(new Particle<>(child, each.pose(), (int) each.map()[0], each.updated()));
      }
    }
    return all;
  }

  @Override
  public List<Particle<Integer>> end(List<Particle<Integer>> all) {
    return all;
  }

  @Override
  public long bytes(List<Particle<Integer>> all) {
    return 0;
  }

  @Override
  public List<Particle<Integer>> restart(
      ParticleFilter<Integer> before, List<Particle<Integer>> mine, int[] owners) {
    return mine;
  }
}
