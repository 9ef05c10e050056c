package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.topology.run.Run;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParticleTrajectoriesTest {

  private static final int PARTICLES = 3;
  private static final FilterSettings FILTER =
      Settings.build(FilterSettings.class, Map.of("particles", "" + PARTICLES));
  private static final Run A_RUN = new Run("r1", 1, 1);

  private ParticleTrajectories particleTrajectories = new ParticleTrajectories(FILTER);

  private static Step step(long sequence) {
    Scan scan = new Scan(Pose.ORIGIN, 0, 1, 0.01, 3, new float[] {1});
    Pose at = Pose.ORIGIN;
    return new Step(
        sequence, 0, true, sequence == 1, false, false, at, at, at, Pose.ORIGIN, 0, scan);
  }

  /** Particle 1 is at x = 1 m, particle 2 at 2 m, when all have begun; everybody goes on. */
  private static Payload.ResamplingResult verdict(long sequence, int best) {
    int[] themselves = IntStream.range(0, PARTICLES).toArray();
    double[] zeros = new double[PARTICLES];
    double[] x = IntStream.of(themselves).mapToDouble(i -> sequence == 1 ? 0 : i).toArray();
    ParticleWeights all =
        new ParticleWeights(sequence, themselves, x, zeros, zeros, zeros, new long[PARTICLES], 0);
    Resampling none = new Resampling(sequence, false, themselves, PARTICLES, 0, best);
    return new Payload.ResamplingResult(A_RUN, all, none, 0);
  }

  private void enter(long sequence, int best) {
    particleTrajectories.decided(verdict(sequence, best));
    particleTrajectories.enter(step(sequence));
  }

  private void rebornAfter(long sequence, int round, int... parents) {
    int[] nobody = new int[PARTICLES];
    particleTrajectories.reborn(
        new Payload.Rebirth(A_RUN, round, round, step(sequence), parents, nobody, nobody));
  }

  private double[] bestX() {
    return particleTrajectories.bestPath().path().stream()
        .map(PathPose::pose)
        .mapToDouble(Pose::x)
        .toArray();
  }

  @Test
  void goOnWithCopiesOfThoseThatAreLeft() {
    enter(1, 0);
    rebornAfter(2, 1, 0, 1, 1);
    enter(2, 0);
    enter(3, 2);

    assertThat(bestX()).containsExactly(0, 1, 2);
  }

  /** The second death comes before the publisher has heard of the reading at the first. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void goOnAsEachDeathHasIt(boolean toldByAnother) {
    enter(1, 0);
    rebornAfter(2, 1, 0, 0, 2);
    rebornAfter(2, 2, 0, 1, 1);
    if (toldByAnother) {
      particleTrajectories = new ParticleTrajectories(FILTER, particleTrajectories.snapshot());
    }
    enter(2, 0);
    enter(3, 2);

    assertThat(bestX()).containsExactly(0, 0, 2);
  }
}
