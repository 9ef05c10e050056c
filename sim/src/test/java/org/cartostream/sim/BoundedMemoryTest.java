package org.cartostream.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.Beliefs;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Intake;
import org.cartostream.slam.filter.Partition;
import org.cartostream.slam.filter.Resampler;
import org.cartostream.slam.filter.Resampling;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.filter.Team;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.api.Test;

/**
 * A robot that drives in circles sees nothing new: its particles' maps do not grow with its path.
 */
class BoundedMemoryTest {

  private static final int ROUNDS = 8;
  private static final long SEED = 7;
  private static final String PARTICLES = "10";

  @Test
  void particlesMapsDoNotGrowWithTheRounds() {
    long[] bytes = bytesAfterEachRound();
    assertThat(bytes[1]).isPositive();
    assertThat(bytes[ROUNDS - 1])
        .as("bytes of the maps, by round: %s", Arrays.toString(bytes))
        .isLessThan(bytes[1] + bytes[1] / 4);
  }

  private static long[] bytesAfterEachRound() {
    FilterSettings settings = Settings.build(FilterSettings.class, Map.of("particles", PARTICLES));
    int[] all = IntStream.range(0, settings.particles()).toArray();
    Intake intake = new Intake(settings);
    Partition partition = new Partition(settings, "carousel", 0, Team.OF_ONE, all);
    Resampler resampler = new Resampler(settings, "carousel");
    List<Reading> readings = SimulatedLog.of(World.office(), rounds(), SEED).readings();
    long[] bytes = new long[ROUNDS];
    for (int i = 0; i < readings.size(); i++) {
      Intake.Decision decision = intake.decide(i + 1, readings.get(i));
      if (decision instanceof Intake.Decision.Take take && take.step().keyFrame()) {
        Beliefs beliefs = process(take.step(), partition, resampler);
        bytes[(int) ((long) i * ROUNDS / readings.size())] =
            Arrays.stream(beliefs.mapBytes()).sum();
      }
    }
    return bytes;
  }

  private static Beliefs process(Step step, Partition partition, Resampler resampler) {
    Beliefs beliefs = partition.match(step);
    Resampling resampling = resampler.resample(beliefs);
    partition.resample(resampling, new int[beliefs.particles().length]);
    partition.register();
    return beliefs;
  }

  /** Around the block of the office. */
  private static Tour rounds() {
    List<Tour.Stop> stops = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      stops.add(new Tour.Stop(11, 1, false));
      stops.add(new Tour.Stop(11, 8, false));
      stops.add(new Tour.Stop(1, 8, false));
      stops.add(new Tour.Stop(1, 1, false));
    }
    return new Tour(new Pose(1, 1, 0), stops);
  }
}
