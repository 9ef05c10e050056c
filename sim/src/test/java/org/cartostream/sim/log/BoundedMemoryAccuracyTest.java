package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.settings.Settings;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.mapping.ParticleMap;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;

/**
 * A robot that drives in circles sees nothing new: its particles' maps do not grow with its path.
 */
@Default(computes = true)
class BoundedMemoryAccuracyTest {

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
    ReadingFilter readingFilter = new ReadingFilter(settings);
    Partition<ParticleMap> partition =
        MappingFilters.partition(settings, "carousel", 0, TaskLayout.OF_ONE, all);
    Resampler resampler = new Resampler(settings, "carousel");
    List<Reading> readings = SimulatedLog.of(World.office(), rounds(), SEED).readings();
    long[] bytes = new long[ROUNDS];
    for (int i = 0; i < readings.size(); i++) {
      ReadingFilter.Decision decision = readingFilter.decide(i + 1, readings.get(i));
      if (decision instanceof ReadingFilter.Decision.Accept accept && accept.step().keyFrame()) {
        ParticleWeights particleWeights = process(accept.step(), partition, resampler);
        bytes[(int) ((long) i * ROUNDS / readings.size())] =
            Arrays.stream(particleWeights.mapBytes()).sum();
      }
    }
    return bytes;
  }

  private static ParticleWeights process(
      Step step, Partition<ParticleMap> partition, Resampler resampler) {
    ParticleWeights particleWeights = partition.match(step);
    Resampling resampling = resampler.resample(particleWeights);
    partition.resample(resampling, new int[particleWeights.particles().length]);
    partition.updateMap();
    return particleWeights;
  }

  /** Around the block of the office. */
  private static Route rounds() {
    List<Route.Stop> stops = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      stops.add(new Route.Stop(11, 1, false));
      stops.add(new Route.Stop(11, 8, false));
      stops.add(new Route.Stop(1, 8, false));
      stops.add(new Route.Stop(1, 1, false));
    }
    return new Route(new Pose(1, 1, 0), stops);
  }
}
