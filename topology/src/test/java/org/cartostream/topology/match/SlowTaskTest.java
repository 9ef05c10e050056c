package org.cartostream.topology.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.mapping.ParticleMap;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.testing.Quick;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Filters;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.WeightReport;
import org.junit.jupiter.api.Test;

/** A run in which one task says that it takes much longer than the others for each particle. */
@Quick
class SlowTaskTest {

  private static final int PARTICLES = 24;
  private static final int TASKS = 3;
  private static final int SLOW = 1;
  private static final Run RUN = new Run("r1", 1, 1);
  private static final FilterSettings FILTER = Filters.restless(PARTICLES);
  private static final ServiceSettings SERVICE =
      new ServiceSettings(
          FILTER, BrokerSettings.defaults(), Settings.defaults(TopologySettings.class));

  private final ResamplingCoordinator resamplingCoordinator =
      new ResamplingCoordinator(SERVICE, new MappingFilters(SERVICE.filter()), RUN.robot(), TASKS);
  private final TrajectoryTree trajectoryTree = new TrajectoryTree(FILTER);
  private final List<Partition<ParticleMap>> partitions =
      IntStream.range(0, TASKS)
          .mapToObj(
              task ->
                  MappingFilters.partition(
                      FILTER,
                      RUN.robot(),
                      task,
                      SERVICE.team(TASKS),
                      Assignment.ownedBy(task, Assignment.initial(PARTICLES, TASKS))))
          .toList();

  private WeightReport statement(int task, Step step) {
    Partition<ParticleMap> partition = partitions.get(task);
    long each = task == SLOW ? 3000 : 1000;
    return new WeightReport(partition.match(step), each * partition.size(), 0);
  }

  private void keyFrame(Step step) {
    List<WeightReport> weightReports =
        IntStream.range(0, TASKS).mapToObj(task -> statement(task, step)).toList();
    ResamplingCoordinator.Decision decision = resamplingCoordinator.decide(weightReports);
    List<List<ParticleTransfer>> came = new ArrayList<>();
    IntStream.range(0, TASKS).forEach(task -> came.add(new ArrayList<>()));
    for (ParticleMove particleMove : decision.moves()) {
      came.get(particleMove.to()).add(partitions.get(particleMove.from()).send(particleMove));
    }
    for (int task = 0; task < TASKS; task++) {
      partitions.get(task).resample(decision.resampling(), decision.owners());
      partitions.get(task).receive(came.get(task));
      partitions.get(task).updateMap();
    }
    trajectoryTree.addKeyFrame(step, decision.all(), decision.resampling());
  }

  private List<Integer> sizes() {
    return partitions.stream().map(Partition::size).toList();
  }

  @Test
  void aSlowTaskGetsFewerParticlesAndThePathStaysTheSame() {
    List<Reading> readings = Drive.readings(7, 40);
    ReadingFilter readingFilter = new ReadingFilter(FILTER);
    SerialFilter serial = new SerialFilter(FILTER, RUN.robot());
    assertThat(sizes()).containsExactly(8, 8, 8);
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      Reading reading = readings.get(sequence - 1);
      serial.process(sequence, reading);
      Step step = ((ReadingFilter.Decision.Accept) readingFilter.decide(sequence, reading)).step();
      if (step.keyFrame()) {
        keyFrame(step);
      } else {
        trajectoryTree.addIntermediate(step);
      }
    }

    // 24 in proportion to 1 : 1/3 : 1 are 10.3, 3.4 and 10.3; the one left over is done first
    // there.
    assertThat(sizes()).containsExactly(11, 3, 10);
    List<PathPose> path = trajectoryTree.bestPath().path();
    assertThat(path).isEqualTo(serial.trajectoryTree().bestPath().path());
  }
}
