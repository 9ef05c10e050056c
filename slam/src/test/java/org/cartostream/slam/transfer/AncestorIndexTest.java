package org.cartostream.slam.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class AncestorIndexTest {

  private static final long LARGE = 1 << 20;
  private static final int REACH = 512;

  private static AncestorIndex ancestry(int particles, int tasks) {
    return new AncestorIndex(particles, new TaskLayout(tasks, REACH));
  }

  /** What a move takes if maps are large. */
  private static long bytes(AncestorIndex ancestorIndex, int particle, int task) {
    return ancestorIndex.transferBytes(particle, task, LARGE);
  }

  private static Resampling resampling(int... parents) {
    return new Resampling(1, true, parents, 1, 0, 0, 0);
  }

  private static Resampling none(int particles) {
    return new Resampling(1, false, IntStream.range(0, particles).toArray(), particles, 0, 0, 0);
  }

  private static ParticleMove prepared(AncestorIndex ancestorIndex, int parent, int to) {
    return ancestorIndex.withAncestor(
        new ParticleMove(parent, 9, to, new int[] {0}, ParticleMove.NO_ANCESTOR, 0));
  }

  /** Two tasks with two particles each; particles 0 and 1 are at task 0. */
  private static AncestorIndex afterTheFirst() {
    AncestorIndex ancestorIndex = ancestry(4, 2);
    ancestorIndex.advance(none(4), new int[] {0, 0, 1, 1});
    return ancestorIndex;
  }

  @Test
  void beforeTheFirstScanThereIsNoAncestor() {
    ParticleMove particleMove = prepared(ancestry(4, 2), 0, 1);

    assertThat(particleMove.ancestor()).isEqualTo(ParticleMove.NO_ANCESTOR);
    assertThat(particleMove.keyFrames()).isZero();
  }

  @Test
  void allTasksHaveTheFirstScansMap() {
    AncestorIndex ancestorIndex = afterTheFirst();
    ancestorIndex.advance(none(4), new int[] {0, 0, 1, 1});
    ancestorIndex.advance(none(4), new int[] {0, 0, 1, 1});

    ParticleMove particleMove = prepared(ancestorIndex, 0, 1);
    assertThat(particleMove.ancestor()).isZero();
    assertThat(particleMove.keyFrames()).isEqualTo(2);
    assertThat(bytes(ancestorIndex, 0, 1)).isEqualTo(24 + 2 * 24);
  }

  @Test
  void siblingsOnTwoTasksGiveBothTheirParentsMap() {
    AncestorIndex ancestorIndex = afterTheFirst();
    // Particle 0 has children 0 at task 0 and 2 at task 1; particle 3 has 1 and 3, both at task 1.
    ancestorIndex.advance(resampling(0, 3, 0, 3), new int[] {0, 1, 1, 1});
    ancestorIndex.advance(none(4), new int[] {0, 1, 1, 1});

    // Child 2, at task 1, is child 0's sibling: one key frame lies between.
    assertThat(prepared(ancestorIndex, 2, 0).keyFrames()).isEqualTo(1);
    // Task 0 has nothing of particle 3: from the beginning on, two key frames.
    assertThat(prepared(ancestorIndex, 1, 0).keyFrames()).isEqualTo(2);
    assertThat(prepared(ancestorIndex, 1, 0).ancestor()).isZero();
  }

  @Test
  void aTaskKeepsOnlyWhatIsNearestToALivingParticle() {
    AncestorIndex ancestorIndex = afterTheFirst();
    int[] owners = {0, 0, 1, 1};
    ancestorIndex.advance(resampling(0, 0, 0, 0), owners);
    assertThat(ancestorIndex.keptBy(0)).containsExactly(1L);
    assertThat(ancestorIndex.keptBy(1)).containsExactly(1L);

    ancestorIndex.advance(resampling(0, 1, 2, 3), owners);
    assertThat(ancestorIndex.keptBy(0)).containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(ancestorIndex.keptBy(1)).containsExactlyInAnyOrder(1L, 4L, 5L);
  }

  @Test
  void whatIsTooLongAgoForPosesCostsItsTiles() {
    AncestorIndex ancestorIndex = afterTheFirst();
    for (int i = 0; i < REACH; i++) {
      ancestorIndex.advance(none(4), new int[] {0, 0, 1, 1});
    }
    assertThat(prepared(ancestorIndex, 0, 1).keyFrames()).isEqualTo(REACH);
    assertThat(bytes(ancestorIndex, 0, 1)).isEqualTo(24 + 24 * REACH);
    ancestorIndex.advance(none(4), new int[] {0, 0, 1, 1});

    assertThat(prepared(ancestorIndex, 0, 1).ancestor()).isZero();
    assertThat(prepared(ancestorIndex, 0, 1).keyFrames()).isEqualTo(REACH + 1);
    assertThat(bytes(ancestorIndex, 0, 1)).isEqualTo(24 + LARGE);
  }

  @Test
  void tilesCostWhatTheMapHasGrownBySinceTheAncestor() {
    AncestorIndex ancestorIndex = new AncestorIndex(4, new TaskLayout(2, 0));
    int[] owners = {0, 0, 1, 1};
    ancestorIndex.advance(none(4), owners);
    // Particles 0 and 1 are children of 0, with a map of 100 bytes, then of 1, with one of 130.
    ancestorIndex.advance(resampling(0, 0, 2, 3), owners, new long[] {100, 200, 300, 400});
    ancestorIndex.advance(resampling(1, 1, 2, 3), owners, new long[] {120, 130, 340, 450});
    // The second task has nothing of them but the beginning, when no map had anything in it.
    assertThat(ancestorIndex.transferBytes(0, 1, 140)).isEqualTo(24 + 140);

    // Where a sibling went there is less to be told.
    ancestorIndex.advance(resampling(0, 0, 0, 3), owners, new long[] {150, 160, 350, 460});
    ancestorIndex.advance(none(4), owners);
    assertThat(ancestorIndex.transferBytes(0, 1, 155)).isEqualTo(24 + 155 - 150);
    assertThat(ancestorIndex.transferBytes(3, 0, 470)).isEqualTo(24 + 470);
  }

  @Test
  void posesAreOnlyCountedWhereTheyAreLessThanTiles() {
    AncestorIndex ancestorIndex = afterTheFirst();
    ancestorIndex.advance(
        resampling(0, 0, 0, 0), new int[] {0, 0, 1, 1}, new long[] {1000, 0, 0, 0});
    for (int i = 0; i < 10; i++) {
      ancestorIndex.advance(none(4), new int[] {0, 0, 1, 1});
    }

    assertThat(ancestorIndex.transferBytes(0, 1, 1000 + 241)).isEqualTo(24 + 10 * 24);
    assertThat(ancestorIndex.transferBytes(0, 1, 1000 + 239)).isEqualTo(24 + 239);
  }

  @Test
  void tasksKeepNoMoreAncestorsThanThereAreParticlesHoweverLongTheRun() {
    Random random = new Random(5);
    AncestorIndex ancestorIndex = ancestry(8, 3);
    ancestorIndex.advance(none(8), random.ints(8, 0, 3).toArray());
    for (int keyFrame = 0; keyFrame < 2000; keyFrame++) {
      int[] parents = random.ints(8, 0, 8).sorted().toArray();
      ancestorIndex.advance(resampling(parents), random.ints(8, 0, 3).toArray());
      for (int task = 0; task < 3; task++) {
        assertThat(ancestorIndex.keptBy(task)).hasSizeLessThanOrEqualTo(8);
      }
    }
  }

  /**
   * One resampling as a child sees it: when it was, whose child it is, and where its siblings are.
   */
  private record Birth(int keyFrame, int parent, Set<Integer> tasks) {}

  /** Against whole histories that forget nothing. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void findsTheNearestAncestorThatTheTaskEverHad(long seed) {
    Random random = new Random(seed);
    int particles = 12;
    int tasks = 4;
    AncestorIndex ancestorIndex = ancestry(particles, tasks);
    List<List<Birth>> histories = new ArrayList<>();
    int[] owners = IntStream.range(0, particles).map(i -> i % tasks).toArray();
    ancestorIndex.advance(none(particles), owners);
    for (int i = 0; i < particles; i++) {
      histories.add(List.of(new Birth(1, 0, Set.of(0, 1, 2, 3))));
    }
    for (int keyFrame = 2; keyFrame < 300; keyFrame++) {
      for (int particle = 0; particle < particles; particle++) {
        for (int task = 0; task < tasks; task++) {
          int since = keyFrame - 1 - nearest(histories.get(particle), task).keyFrame();
          assertThat(bytes(ancestorIndex, particle, task))
              .as("seed %d", seed)
              .isEqualTo(24 + 24 * since);
        }
      }
      if (random.nextInt(3) > 0) {
        ancestorIndex.advance(none(particles), owners);
        continue;
      }
      int[] parents = random.ints(particles, 0, particles).sorted().toArray();
      int[] after = random.ints(particles, 0, tasks).toArray();
      histories = reborn(histories, keyFrame, parents, after);
      ancestorIndex.advance(resampling(parents), after);
      owners = after;
    }
  }

  private static Birth nearest(List<Birth> history, int task) {
    Birth nearest = history.get(0);
    for (Birth birth : history) {
      nearest = birth.tasks.contains(task) ? birth : nearest;
    }
    return nearest;
  }

  private static List<List<Birth>> reborn(
      List<List<Birth>> before, int keyFrame, int[] parents, int[] owners) {
    List<List<Birth>> after = new ArrayList<>();
    for (int parent : parents) {
      Set<Integer> tasks = new HashSet<>();
      for (int sibling = 0; sibling < parents.length; sibling++) {
        if (parents[sibling] == parent) {
          tasks.add(owners[sibling]);
        }
      }
      List<Birth> history = new ArrayList<>(before.get(parent));
      history.add(new Birth(keyFrame, parent, tasks));
      after.add(history);
    }
    return after;
  }
}
