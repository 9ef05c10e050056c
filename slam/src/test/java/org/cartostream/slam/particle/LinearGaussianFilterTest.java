package org.cartostream.slam.particle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any filter: one whose exact answer is known, on one task and on several. */
@Quick
class LinearGaussianFilterTest {

  private static final int PARTICLES = 4000;
  private static final int STEPS = 40;
  private static final double START = 1;
  private static final double Q = 0.3;
  private static final double R = 0.5;

  private final List<Step> steps = new ArrayList<>();

  /** With a seed of its own for each step: the robot moves, is moved, and measures. */
  @BeforeEach
  void drive() {
    Random random = new Random(11);
    double x = START * random.nextGaussian();
    for (int i = 1; i <= STEPS; i++) {
      double u = i == 1 ? 0 : random.nextDouble();
      x += i == 1 ? 0 : u + Q * random.nextGaussian();
      float z = (float) (x + R * random.nextGaussian());
      steps.add(step(i, u, z));
    }
  }

  private static Step step(long sequence, double u, float z) {
    Pose motion = new Pose(u, 0, 0);
    Scan scan = new Scan(Pose.ORIGIN, 0, 0, -100, 1000, new float[] {z});
    boolean first = sequence == 1;
    return new Step(
        sequence, sequence, true, first, false, false, motion, motion, motion, 0, scan, null);
  }

  private static SharedRun<Integer> run(int tasks) {
    return new SharedRun<>(LinearGaussianFilter.filters(PARTICLES, START, Q, R), tasks);
  }

  /**
   * The mean of N independent particles is off by a standard deviation over the root of N, which is
   * Neff of weighted ones; what is resampled is not independent, so six times that is allowed.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void hasTheMeanAndTheVarianceOfTheKalmanFilter(int tasks) {
    SharedRun<Integer> run = run(tasks);
    double[] logs = new double[PARTICLES];
    double mean = 0;
    double variance = START * START;
    int resamplings = 0;
    for (Step step : steps) {
      mean += step.motion().x();
      variance += step.first() ? 0 : Q * Q;
      double gain = variance / (variance + R * R);
      mean += gain * (step.scan().ranges()[0] - mean);
      variance *= 1 - gain;

      SharedRun.Decided decided = run.keyFrame(step);
      for (int i = 0; i < PARTICLES; i++) {
        logs[i] += decided.all().logLikelihoods()[i];
      }
      double[] weights = Resampler.weights(logs, 1);
      double itsMean = 0;
      double squares = 0;
      for (int i = 0; i < PARTICLES; i++) {
        double x = decided.all().x()[i];
        itsMean += weights[i] * x;
        squares += weights[i] * x * x;
      }
      double one = Math.sqrt(1 / decided.resampling().effectiveSampleSize());
      assertThat(Math.abs(itsMean - mean) / Math.sqrt(variance))
          .as("mean at step %d", step.sequence())
          .isLessThan(6 * one);
      assertThat((squares - itsMean * itsMean) / variance)
          .as("variance at step %d", step.sequence())
          .isBetween(1 - 12 * one, 1 + 12 * one);
      if (decided.resampling().resampled()) {
        resamplings++;
        logs = new double[PARTICLES];
      }
    }
    assertThat(resamplings).isGreaterThan(5);
    assertThat(run.moved() > 1000).isEqualTo(tasks > 1);
  }

  @Test
  void isTheSameToTheLastBitOnAnyNumberOfTasks() {
    List<SharedRun<Integer>> runs = List.of(run(1), run(2), run(4), run(3));
    for (Step step : steps) {
      SharedRun.Decided one = runs.get(0).keyFrame(step);
      for (SharedRun<Integer> other : runs.subList(1, runs.size())) {
        assertThat(other.keyFrame(step).values()).isEqualTo(one.values());
      }
      if (step.sequence() % 10 == 0) {
        runs.get(3).shareAmong(1 + (int) step.sequence() / 10);
      }
      // A particle's second coordinate is how many steps it has taken in.
      assertThat(one.all().y()).containsOnly(step.sequence() - 1);
    }
  }
}
