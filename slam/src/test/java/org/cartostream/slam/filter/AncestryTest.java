package org.cartostream.slam.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AncestryTest {

  private static final long LARGE = 1 << 20;
  private static final int REACH = 512;

  private static Ancestry ancestry(int particles, int tasks) {
    return new Ancestry(particles, new Team(tasks, REACH));
  }

  /** What a move takes if maps are large. */
  private static long bytes(Ancestry ancestry, int particle, int task) {
    return ancestry.bytes(particle, task, LARGE);
  }

  private static Resampling resampling(int... parents) {
    return new Resampling(1, true, parents, 1, 0, 0);
  }

  private static Resampling none(int particles) {
    return new Resampling(1, false, IntStream.range(0, particles).toArray(), particles, 0, 0);
  }

  private static Move prepared(Ancestry ancestry, int parent, int to) {
    return ancestry.prepared(new Move(parent, 9, to, new int[] {0}));
  }

  /** Two tasks with two particles each; particles 0 and 1 are at task 0. */
  private static Ancestry afterTheFirst() {
    Ancestry ancestry = ancestry(4, 2);
    ancestry.advance(none(4), new int[] {0, 0, 1, 1});
    return ancestry;
  }

  @Test
  void beforeTheFirstScanThereIsNoAncestor() {
    Move move = prepared(ancestry(4, 2), 0, 1);

    assertThat(move.ancestor()).isEqualTo(Ancestry.NONE);
    assertThat(move.keyFrames()).isZero();
  }

  @Test
  void allTasksHaveTheFirstScansMap() {
    Ancestry ancestry = afterTheFirst();
    ancestry.advance(none(4), new int[] {0, 0, 1, 1});
    ancestry.advance(none(4), new int[] {0, 0, 1, 1});

    Move move = prepared(ancestry, 0, 1);
    assertThat(move.ancestor()).isZero();
    assertThat(move.keyFrames()).isEqualTo(2);
    assertThat(bytes(ancestry, 0, 1)).isEqualTo(24 + 2 * 24);
  }

  @Test
  void siblingsOnTwoTasksGiveBothTheirParentsMap() {
    Ancestry ancestry = afterTheFirst();
    // Particle 0 has children 0 at task 0 and 2 at task 1; particle 3 has 1 and 3, both at task 1.
    ancestry.advance(resampling(0, 3, 0, 3), new int[] {0, 1, 1, 1});
    ancestry.advance(none(4), new int[] {0, 1, 1, 1});

    // Child 2, at task 1, is child 0's sibling: one key frame lies between.
    assertThat(prepared(ancestry, 2, 0).keyFrames()).isEqualTo(1);
    // Task 0 has nothing of particle 3: from the beginning on, two key frames.
    assertThat(prepared(ancestry, 1, 0).keyFrames()).isEqualTo(2);
    assertThat(prepared(ancestry, 1, 0).ancestor()).isZero();
  }

  @Test
  void aTaskKeepsOnlyWhatIsNearestToALivingParticle() {
    Ancestry ancestry = afterTheFirst();
    int[] owners = {0, 0, 1, 1};
    ancestry.advance(resampling(0, 0, 0, 0), owners);
    assertThat(ancestry.keptBy(0)).containsExactly(1L);
    assertThat(ancestry.keptBy(1)).containsExactly(1L);

    ancestry.advance(resampling(0, 1, 2, 3), owners);
    assertThat(ancestry.keptBy(0)).containsExactlyInAnyOrder(1L, 2L, 3L);
    assertThat(ancestry.keptBy(1)).containsExactlyInAnyOrder(1L, 4L, 5L);
  }

  @Test
  void whatIsTooLongAgoForPosesCostsItsTiles() {
    Ancestry ancestry = afterTheFirst();
    for (int i = 0; i < REACH; i++) {
      ancestry.advance(none(4), new int[] {0, 0, 1, 1});
    }
    assertThat(prepared(ancestry, 0, 1).keyFrames()).isEqualTo(REACH);
    assertThat(bytes(ancestry, 0, 1)).isEqualTo(24 + 24 * REACH);
    ancestry.advance(none(4), new int[] {0, 0, 1, 1});

    assertThat(prepared(ancestry, 0, 1).ancestor()).isZero();
    assertThat(prepared(ancestry, 0, 1).keyFrames()).isEqualTo(REACH + 1);
    assertThat(bytes(ancestry, 0, 1)).isEqualTo(24 + LARGE);
  }

  @Test
  void tilesCostWhatTheMapHasGrownBySinceTheAncestor() {
    Ancestry ancestry = new Ancestry(4, new Team(2, 0));
    int[] owners = {0, 0, 1, 1};
    ancestry.advance(none(4), owners);
    // Particles 0 and 1 are children of 0, with a map of 100 bytes, then of 1, with one of 130.
    ancestry.advance(resampling(0, 0, 2, 3), owners, new long[] {100, 200, 300, 400});
    ancestry.advance(resampling(1, 1, 2, 3), owners, new long[] {120, 130, 340, 450});
    // The second task has nothing of them but the beginning, when no map had anything in it.
    assertThat(ancestry.bytes(0, 1, 140)).isEqualTo(24 + 140);

    // Where a sibling went there is less to be told.
    ancestry.advance(resampling(0, 0, 0, 3), owners, new long[] {150, 160, 350, 460});
    ancestry.advance(none(4), owners);
    assertThat(ancestry.bytes(0, 1, 155)).isEqualTo(24 + 155 - 150);
    assertThat(ancestry.bytes(3, 0, 470)).isEqualTo(24 + 470);
  }

  @Test
  void posesAreOnlyCountedWhereTheyAreLessThanTiles() {
    Ancestry ancestry = afterTheFirst();
    ancestry.advance(resampling(0, 0, 0, 0), new int[] {0, 0, 1, 1}, new long[] {1000, 0, 0, 0});
    for (int i = 0; i < 10; i++) {
      ancestry.advance(none(4), new int[] {0, 0, 1, 1});
    }

    assertThat(ancestry.bytes(0, 1, 1000 + 241)).isEqualTo(24 + 10 * 24);
    assertThat(ancestry.bytes(0, 1, 1000 + 239)).isEqualTo(24 + 239);
  }

  @Test
  void tasksKeepNoMoreAncestorsThanThereAreParticlesHoweverLongTheRun() {
    Random random = new Random(5);
    Ancestry ancestry = ancestry(8, 3);
    ancestry.advance(none(8), random.ints(8, 0, 3).toArray());
    for (int keyFrame = 0; keyFrame < 2000; keyFrame++) {
      int[] parents = random.ints(8, 0, 8).sorted().toArray();
      ancestry.advance(resampling(parents), random.ints(8, 0, 3).toArray());
      for (int task = 0; task < 3; task++) {
        assertThat(ancestry.keptBy(task)).hasSizeLessThanOrEqualTo(8);
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
    Ancestry ancestry = ancestry(particles, tasks);
    List<List<Birth>> histories = new ArrayList<>();
    int[] owners = IntStream.range(0, particles).map(i -> i % tasks).toArray();
    ancestry.advance(none(particles), owners);
    for (int i = 0; i < particles; i++) {
      histories.add(List.of(new Birth(1, 0, Set.of(0, 1, 2, 3))));
    }
    for (int keyFrame = 2; keyFrame < 300; keyFrame++) {
      for (int particle = 0; particle < particles; particle++) {
        for (int task = 0; task < tasks; task++) {
          int since = keyFrame - 1 - nearest(histories.get(particle), task).keyFrame();
          assertThat(bytes(ancestry, particle, task))
              .as("seed %d", seed)
              .isEqualTo(24 + 24 * since);
        }
      }
      if (random.nextInt(3) > 0) {
        ancestry.advance(none(particles), owners);
        continue;
      }
      int[] parents = random.ints(particles, 0, particles).sorted().toArray();
      int[] after = random.ints(particles, 0, tasks).toArray();
      histories = reborn(histories, keyFrame, parents, after);
      ancestry.advance(resampling(parents), after);
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
