package org.cartostream.topology.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.junit.jupiter.api.Test;

@Quick
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
        sequence, 0, true, sequence == 1, false, false, at, at, Pose.ORIGIN, 0, scan, null);
  }

  /** Particle 1 is at x = 1 m, particle 2 at 2 m, when all have begun; everybody goes on. */
  private static Payload.ResamplingResult decision(long sequence, int best) {
    int[] themselves = IntStream.range(0, PARTICLES).toArray();
    double[] zeros = new double[PARTICLES];
    double[] x = IntStream.of(themselves).mapToDouble(i -> sequence == 1 ? 0 : i).toArray();
    ParticleWeights all =
        new ParticleWeights(
            sequence, themselves, x, zeros, zeros, zeros, new long[PARTICLES], 0, 0, false);
    Resampling none = new Resampling(sequence, false, themselves, PARTICLES, 0, best, 0);
    return new Payload.ResamplingResult(A_RUN, all, new int[] {0, 1, 1}, none, 0);
  }

  private void enter(long sequence, int best) {
    particleTrajectories.decided().add(decision(sequence, best));
    particleTrajectories.enter(step(sequence));
  }

  private double[] bestX() {
    return particleTrajectories.tree().bestPath().path().stream()
        .map(PathPose::pose)
        .mapToDouble(Pose::x)
        .toArray();
  }

  /** Nothing was resampled: the best particle's own path. */
  @Test
  void goWhereTheBestParticleWent() {
    enter(1, 0);
    enter(2, 0);
    enter(3, 2);

    assertThat(bestX()).containsExactly(0, 2, 2);
  }

  /** What comes twice counts once, and what comes first is kept. */
  @Test
  void takeAKeyFrameInOnceItIsDecided() {
    assertThat(particleTrajectories.canEnter(step(1))).isFalse();
    particleTrajectories.decided().add(decision(2, 1));
    assertThat(particleTrajectories.canEnter(step(1))).isFalse();
    enter(1, 0);
    particleTrajectories.decided().add(decision(1, 2));
    assertThat(particleTrajectories.canEnter(step(1))).isFalse();
    assertThat(particleTrajectories.canEnter(step(2))).isTrue();
    assertThat(particleTrajectories.enter(step(2))).isPresent();

    assertThat(bestX()).containsExactly(0, 1);
  }

  @Test
  void failAtAKeyFrameWhenOneBeforeItWasDecidedAndNeverEntered() {
    enter(1, 0);
    particleTrajectories.decided().add(decision(2, 1));
    particleTrajectories.decided().add(decision(3, 1));
    assertThatThrownBy(() -> particleTrajectories.enter(step(3)))
        .hasMessage("reading 2 is missing on the paths");
  }

  @Test
  void goOnWithoutAReadingThatThereWillNotBe() {
    enter(1, 0);
    particleTrajectories.decided().add(decision(2, 1));
    particleTrajectories.decided().drop(2);
    enter(3, 2);

    assertThat(bestX()).containsExactly(0, 2);
  }

  /** All weigh alike: each is shown once, with the task that weighed it. */
  @Test
  void showEachParticleWithItsTask() {
    enter(1, 0);
    enter(2, 0);
    ParticlesMessage shown = particleTrajectories.particles(step(2), 500).orElseThrow();
    assertThat(shown.poses()).extracting(Pose::x).containsExactly(0.0, 1.0, 2.0);
    assertThat(shown.tasks()).containsExactly(0, 1, 1);
    assertThat(particleTrajectories.particles(step(2), 1).orElseThrow().poses()).hasSize(1);
    assertThat(particleTrajectories.particles(step(2), 0)).isEmpty();
  }

  /** What was decided and has not entered is decided again. */
  @Test
  void goOnFromACheckpointAsFromTheBeginning() throws Exception {
    enter(1, 0);
    enter(2, 1);
    particleTrajectories.decided().add(decision(3, 1));
    byte[] bytes = StateCodec.encode(particleTrajectories).bytes();
    particleTrajectories = StateCodec.decode(bytes, ParticleTrajectories.class);

    assertThat(particleTrajectories.canEnter(step(3))).isFalse();
    assertThat(bestX()).containsExactly(0, 1);
    enter(3, 2);
    assertThat(bestX()).containsExactly(0, 2, 2);
  }
}
