package org.cartostream.topology.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.slam.transfer.AncestorIndex;
import org.cartostream.testing.Default;
import org.cartostream.topology.Recorded;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.WeightReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What moves cost on a recorded log, beside the same moves with whole maps: on four tasks, or as
 * many as {@code -Dcartostream.tasks} says.
 */
@Default(computes = true)
class CheapMovesAccuracyTest {

  private static final int TASKS = Integer.getInteger("cartostream.tasks", 4);
  private static final int PARTICLES = 100;
  private static final Run RUN = new Run("aces", 1, 1);

  private static FilterSettings filter(String... values) {
    Map<String, String> all = new HashMap<>();
    all.put("particles", Integer.toString(PARTICLES));
    for (int i = 0; i < values.length; i += 2) {
      all.put(values[i], values[i + 1]);
    }
    return Settings.build(FilterSettings.class, all);
  }

  /** A run on tasks that do all that real ones do, one after the other. */
  private static final class Rally {

    private final ReadingFilter readingFilter;
    private final ResamplingCoordinator resamplingCoordinator;

    /** What the council's assignment goes by. */
    private final AncestorIndex ancestorIndex;

    private final TrajectoryTree trajectoryTree;
    private final List<Partition<ParticleMap>> partitions;
    private long sequence;
    private int resamplings;
    private int byPoses;
    private int byTiles;
    private int whole;
    private int keyFrames;
    private long sentBytes;
    private long expectedBytes;
    private long wholeMapBytes;
    private long nanos;

    Rally(FilterSettings filter, int rebuildKeyFrames) {
      readingFilter = new ReadingFilter(filter);
      Map<String, String> topology = Map.of("rebuildKeyFrames", Integer.toString(rebuildKeyFrames));
      ServiceSettings service =
          new ServiceSettings(
              filter, BrokerSettings.defaults(), Settings.build(TopologySettings.class, topology));
      int[] owners = Assignment.initial(PARTICLES, TASKS);
      resamplingCoordinator =
          new ResamplingCoordinator(
              service, new MappingFilters(service.filter()), RUN.robot(), TASKS);
      ancestorIndex = new AncestorIndex(PARTICLES, service.team(TASKS));
      trajectoryTree = new TrajectoryTree(filter);
      partitions =
          IntStream.range(0, TASKS)
              .mapToObj(
                  task ->
                      MappingFilters.partition(
                          filter,
                          RUN.robot(),
                          task,
                          service.team(TASKS),
                          Assignment.ownedBy(task, owners)))
              .toList();
    }

    /** Goes on with further readings, and prints what all so far have cost. */
    private void run(List<Reading> readings) {
      for (Reading reading : readings) {
        sequence++;
        if (readingFilter.decide(sequence, reading)
            instanceof ReadingFilter.Decision.Accept accept) {
          if (accept.step().keyFrame()) {
            keyFrame(accept.step());
          } else {
            trajectoryTree.addIntermediate(accept.step());
          }
        }
      }
      System.out.printf(
          "%d readings, %d resamplings, %d moves (%d by poses, %d by tiles, %d whole; %d key frames"
              + " each): %d bytes a resampling, %d expected, %d with whole maps (%.1f %%); %.2f ms a"
              + " move to take in%n",
          sequence,
          resamplings,
          moves(),
          byPoses,
          byTiles,
          whole,
          keyFrames / moves(),
          sentBytes / resamplings,
          expectedBytes / resamplings,
          wholeMapBytes / resamplings,
          100 * share(),
          nanos / 1e6 / moves());
      assertThat(whole).isZero();
      // What the assignment goes by is near to what is sent.
      assertThat((double) expectedBytes / sentBytes).isBetween(0.75, 1.25);
    }

    private int moves() {
      return byPoses + byTiles + whole;
    }

    private double share() {
      return (double) sentBytes / wholeMapBytes;
    }

    private void keyFrame(Step step) {
      List<WeightReport> weightReports =
          partitions.stream().map(part -> new WeightReport(part.match(step), 0, 0)).toList();
      ResamplingCoordinator.Decision decision = resamplingCoordinator.decide(weightReports);
      resamplings += decision.resampling().resampled() ? 1 : 0;
      long[] mapBytes = decision.all().mapBytes();
      List<ParticleTransfer> particleTransfers = new ArrayList<>();
      for (ParticleMove particleMove : decision.moves()) {
        ParticleTransfer particleTransfer = partitions.get(particleMove.from()).send(particleMove);
        particleTransfers.add(particleTransfer);
        count(particleMove, particleTransfer);
        expectedBytes +=
            ancestorIndex.transferBytes(
                particleMove.parent(), particleMove.to(), mapBytes[particleMove.parent()]);
      }
      ancestorIndex.advance(decision.resampling(), decision.owners(), mapBytes);
      partitions.forEach(part -> part.resample(decision.resampling(), decision.owners()));
      long start = System.nanoTime();
      for (int task = 0; task < TASKS; task++) {
        int to = task;
        partitions
            .get(task)
            .receive(
                IntStream.range(0, particleTransfers.size())
                    .filter(i -> decision.moves()[i].to() == to)
                    .mapToObj(particleTransfers::get)
                    .toList());
      }
      nanos += System.nanoTime() - start;
      partitions.forEach(part -> part.updateMap());
      trajectoryTree.addKeyFrame(step, decision.all(), decision.resampling());
    }

    private void count(ParticleMove particleMove, ParticleTransfer particleTransfer) {
      if (particleTransfer.map().length == 0) {
        byPoses++;
      } else if (particleTransfer.ancestor() == ParticleMove.NO_ANCESTOR) {
        whole++;
      } else {
        byTiles++;
      }
      keyFrames += particleMove.keyFrames();
      ParticleMove withMap =
          new ParticleMove(
              particleMove.parent(),
              particleMove.from(),
              particleMove.to(),
              particleMove.children(),
              ParticleMove.NO_ANCESTOR,
              0);
      sentBytes += particleTransfer.bytes();
      wholeMapBytes += partitions.get(particleMove.from()).send(withMap).bytes();
    }
  }

  /** At most 10 % of the same moves with whole maps. */
  @Test
  void movesTakeATenthOfWhatWholeMapsWouldAndTheAnswerIsTheSame() {
    List<Reading> readings = Recorded.aces(300);
    SerialFilter serial = new SerialFilter(filter(), RUN.robot());
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      serial.process(sequence, readings.get(sequence - 1));
    }
    Rally rally = new Rally(filter(), 512);
    rally.run(readings);

    assertThat(rally.trajectoryTree.bestPath().path())
        .isEqualTo(serial.trajectoryTree().bestPath().path());
    assertThat(rally.share()).isLessThan(0.1);
  }

  /** The same bound for tiles alone, 35 %, where ancestors are near. */
  @Test
  void tilesAloneTakeAThirdOfWhatWholeMapsWouldWhenResampledAtEveryReading() {
    Rally rally = new Rally(filter("resampleBelow", "1"), 0);
    rally.run(Recorded.aces(300));

    assertThat(rally.byTiles).isGreaterThan(Math.min(200, 50 * TASKS));
    assertThat(rally.share()).isLessThan(0.35);
  }

  /**
   * With few resamplings, and fewer moves, tasks have little in common: at the first they have the
   * first scan, and all that came after it must go along. (Too long for the suite.)
   */
  @Test
  @EnabledIfSystemProperty(named = "cartostream.soak", matches = "true")
  void tilesAloneAreNeverAsMuchAsWholeMaps() {
    List<Reading> readings = Recorded.aces(Integer.MAX_VALUE);
    // By default there are two resamplings only, and nearly all that was written is new at both.
    Rally rally = new Rally(filter("resampleBelow", "0.35"), 0);
    rally.run(readings.subList(0, 300));
    assertThat(rally.share()).isLessThan(0.9);

    rally.run(readings.subList(300, readings.size()));
    assertThat(rally.share()).isLessThan(0.75);
  }
}
