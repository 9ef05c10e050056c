package org.cartostream.slam.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.transfer.AncestorIndex;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Moves of particles whose ancestor at the receiver is further back than scans are kept. */
@Quick
class DistantAncestorTest {

  /** Readings of one round through the room: 0.1 rad each. */
  private static final int ROUND = 63;

  private static final int REACH = 512;
  private static final TaskLayout TEAM = new TaskLayout(2, REACH);
  private static final FilterSettings SETTINGS =
      Settings.build(FilterSettings.class, Map.of("particles", "4"));

  private static final int[] OWNERS = {0, 0, 1, 1};
  private static final int[] NO_CHANGE = {0, 1, 2, 3};

  /** All are children of the first, which is at the first task: its map moves to the second. */
  private static final int[] OF_THE_FIRST = {0, 0, 0, 0};

  private final ReadingFilter readingFilter = new ReadingFilter(SETTINGS);
  private final AncestorIndex ancestorIndex = new AncestorIndex(4, TEAM);
  private final List<Partition<ParticleMap>> partitions =
      List.of(
          MappingFilters.partition(SETTINGS, "robot", 0, TEAM, new int[] {0, 1}),
          MappingFilters.partition(SETTINGS, "robot", 1, TEAM, new int[] {2, 3}));

  private record Sent(ParticleMove move, ParticleTransfer parcel, long wholeBytes) {}

  private List<Sent> process(long sequence, Reading reading, int[] parents) {
    Step step = ((ReadingFilter.Decision.Accept) readingFilter.decide(sequence, reading)).step();
    partitions.forEach(partition -> partition.match(step));
    Resampling resampling = new Resampling(sequence, parents != NO_CHANGE, parents, 1, 0, 0, 0);
    List<Sent> sent = new ArrayList<>();
    for (ParticleMove whole : ParticleMove.between(parents, OWNERS, OWNERS)) {
      ParticleMove particleMove = ancestorIndex.withAncestor(whole);
      Partition<ParticleMap> from = partitions.get(particleMove.from());
      sent.add(new Sent(particleMove, from.send(particleMove), from.send(whole).bytes()));
    }
    ancestorIndex.advance(resampling, OWNERS);
    for (int task = 0; task < 2; task++) {
      int to = task;
      partitions.get(task).resample(resampling, OWNERS);
      partitions
          .get(task)
          .receive(sent.stream().filter(s -> s.move.to() == to).map(Sent::parcel).toList());
    }
    partitions.forEach(partition -> partition.updateMap());
    return sent;
  }

  private byte[] map(int task, int particle) {
    ParticleMove whole =
        new ParticleMove(
            particle, task, 1 - task, new int[] {particle}, ParticleMove.NO_ANCESTOR, 0);
    return partitions.get(task).send(whole).map();
  }

  @Test
  void goByTheTilesThatWereWrittenSinceAndNotByWholeMaps() {
    int again = ROUND + REACH + 10;
    List<Reading> log = PartitionTest.drive(again + 1);
    List<Sent> first = new ArrayList<>();
    for (int k = 0; k < again; k++) {
      first.addAll(process(k, log.get(k), k == ROUND ? OF_THE_FIRST : NO_CHANGE));
    }
    Sent near = first.get(0);
    assertThat(near.parcel.path()).hasSize(ROUND - 1);
    assertThat(map(0, 0)).isNotEqualTo(map(1, 2));

    Sent far = process(again, log.get(again), OF_THE_FIRST).get(0);

    assertThat(far.move.keyFrames()).isGreaterThan(REACH);
    assertThat(far.parcel.path()).isEmpty();
    System.out.printf(
        "%d key frames later: %d bytes of tiles, %d of the whole map (%.1f %%)%n",
        far.move.keyFrames(),
        far.parcel.bytes(),
        far.wholeBytes,
        100.0 * far.parcel.bytes() / far.wholeBytes);
    assertThat(3 * far.parcel.bytes()).isLessThan(2 * far.wholeBytes);
    assertThat(map(1, 2)).isEqualTo(map(0, 0));
  }
}
