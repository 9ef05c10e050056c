package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Intake;
import org.cartostream.slam.filter.Lineage;
import org.cartostream.slam.filter.Move;
import org.cartostream.slam.filter.Parcel;
import org.cartostream.slam.filter.Partition;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.filter.SerialFilter;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.assignment.Assignment;
import org.junit.jupiter.api.Test;

/** A run in which one task says that it takes much longer than the others for each particle. */
class SlowTaskTest {

  private static final int PARTICLES = 24;
  private static final int TASKS = 3;
  private static final int SLOW = 1;
  private static final Run RUN = new Run("r1", 1, 1);
  private static final FilterSettings FILTER = Filters.restless(PARTICLES);
  private static final ServiceSettings SERVICE =
      new ServiceSettings(
          FILTER, BrokerSettings.defaults(), Settings.defaults(TopologySettings.class));

  private final Council council = new Council(SERVICE, RUN, TASKS);
  private final Lineage lineage = new Lineage(FILTER);
  private final List<Partition> partitions =
      IntStream.range(0, TASKS)
          .mapToObj(
              task ->
                  new Partition(
                      FILTER,
                      RUN.robot(),
                      task,
                      SERVICE.team(TASKS),
                      Assignment.ownedBy(task, Assignment.first(PARTICLES, TASKS))))
          .toList();

  private Statement statement(int task, Step step) {
    Partition partition = partitions.get(task);
    long each = task == SLOW ? 3000 : 1000;
    return new Statement(partition.match(step), each * partition.size());
  }

  private void keyFrame(Step step) {
    List<Statement> statements =
        IntStream.range(0, TASKS).mapToObj(task -> statement(task, step)).toList();
    Council.Decision decision = council.decide(statements);
    List<List<Parcel>> came = new ArrayList<>();
    IntStream.range(0, TASKS).forEach(task -> came.add(new ArrayList<>()));
    for (Move move : decision.moves()) {
      came.get(move.to()).add(partitions.get(move.from()).send(move));
    }
    for (int task = 0; task < TASKS; task++) {
      partitions.get(task).resample(decision.resampling(), decision.owners());
      partitions.get(task).receive(came.get(task));
      partitions.get(task).register();
    }
    lineage.keyFrame(step, decision.all(), decision.resampling());
  }

  private List<Integer> sizes() {
    return partitions.stream().map(Partition::size).toList();
  }

  @Test
  void aSlowTaskGetsFewerParticlesAndThePathStaysTheSame() {
    List<Reading> readings = Drive.readings(7, 40);
    Intake intake = new Intake(FILTER);
    SerialFilter serial = new SerialFilter(FILTER, RUN.robot());
    assertThat(sizes()).containsExactly(8, 8, 8);
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      Reading reading = readings.get(sequence - 1);
      serial.process(sequence, reading);
      Step step = ((Intake.Decision.Take) intake.decide(sequence, reading)).step();
      if (step.keyFrame()) {
        keyFrame(step);
      } else {
        lineage.between(step);
      }
    }

    // 24 in proportion to 1 : 1/3 : 1 are 10.3, 3.4 and 10.3; the one left over is done first
    // there.
    assertThat(sizes()).containsExactly(11, 3, 10);
    List<PathPose> path = lineage.course().path();
    assertThat(path).isEqualTo(serial.lineage().course().path());
  }
}
