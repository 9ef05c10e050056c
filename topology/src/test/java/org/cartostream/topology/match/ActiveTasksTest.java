package org.cartostream.topology.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.testing.Quick;
import org.cartostream.topology.Filters;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.WeightReport;
import org.junit.jupiter.api.Test;

/** Particles leave tasks that are to hold none any more, and come back. */
@Quick
class ActiveTasksTest {

  private static final int PARTICLES = 12;
  private static final int TASKS = 3;

  @Test
  void theFirstTasksWordDecidesWhoHoldsParticlesAfterAResampling() {
    ResamplingCoordinator resamplingCoordinator =
        new ResamplingCoordinator(
            new ServiceSettings(
                Filters.restless(PARTICLES),
                BrokerSettings.defaults(),
                Settings.defaults(TopologySettings.class)),
            new MappingFilters(Filters.restless(PARTICLES)),
            "r1",
            TASKS);
    int[] owners = Assignment.initial(PARTICLES, TASKS);

    owners = decide(resamplingCoordinator, 1, owners, 0, 1);
    assertThat(owners).as("the others' words do not count").contains(0, 1, 2);
    owners = decide(resamplingCoordinator, 2, owners, 2, 0);
    assertThat(owners).contains(0, 1).doesNotContain(2);
    owners = decide(resamplingCoordinator, 3, owners, 1, 0);
    assertThat(owners).containsOnly(0);
    owners = decide(resamplingCoordinator, 4, owners, 3, 0);
    assertThat(owners).contains(0, 1, 2);
  }

  /** One particle in each half is right, so that the council resamples. */
  private static int[] decide(
      ResamplingCoordinator resamplingCoordinator,
      long sequence,
      int[] owners,
      int first,
      int others) {
    List<WeightReport> weightReports = new ArrayList<>();
    for (int task = 0; task < TASKS; task++) {
      int[] mine = Assignment.ownedBy(task, owners);
      double[] zeros = new double[mine.length];
      double[] fit = IntStream.of(mine).mapToDouble(i -> i % 6 == 0 ? 0 : -1000).toArray();
      ParticleWeights particleWeights =
          new ParticleWeights(
              sequence, mine, zeros, zeros, zeros, fit, new long[mine.length], 0, 0, false);
      weightReports.add(new WeightReport(particleWeights, 0, task == 0 ? first : others));
    }
    ResamplingCoordinator.Decision decision = resamplingCoordinator.decide(weightReports);
    assertThat(decision.resampling().resampled()).isTrue();
    return decision.owners();
  }
}
