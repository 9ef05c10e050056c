package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Assertions;

class AssignmentTest {

  /** A resampling: who descends from whom, who was where, and what maps weigh. */
  record Case(int tasks, int[] parents, int[] before, long[] mapBytes) {

    int particles() {
      return parents.length;
    }

    int[] solve() {
      return Assignment.of(parents, before, mapBytes, tasks);
    }

    /** Bytes if every child that is not at home takes a map with it. */
    long cost(int[] owners) {
      return IntStream.range(0, parents.length)
          .filter(child -> owners[child] != before[parents[child]])
          .mapToLong(child -> mapBytes[parents[child]])
          .sum();
    }

    /** Bytes if siblings bound for the same task share a map. */
    long bytesMoved(int[] owners) {
      Set<Integer> journeys = new HashSet<>();
      return IntStream.range(0, parents.length)
          .filter(child -> owners[child] != before[parents[child]])
          .filter(child -> journeys.add(parents[child] * tasks + owners[child]))
          .mapToLong(child -> mapBytes[parents[child]])
          .sum();
    }

    @Override
    public String toString() {
      return tasks
          + " tasks, parents "
          + Arrays.toString(parents)
          + ", before "
          + Arrays.toString(before)
          + ", bytes "
          + Arrays.toString(mapBytes);
    }
  }

  @Provide
  Arbitrary<Case> smallCases() {
    Arbitrary<Integer> particles = Arbitraries.integers().between(1, 7);
    Arbitrary<Integer> tasks = Arbitraries.integers().between(1, 3);
    return Combinators.combine(particles, tasks)
        .flatAs(
            (n, m) ->
                Combinators.combine(
                        Arbitraries.integers().between(0, n - 1).array(int[].class).ofSize(n),
                        Arbitraries.shuffle(boxed(Assignment.first(n, m))),
                        Arbitraries.longs().between(0, 9).array(long[].class).ofSize(n))
                    .as(
                        (parents, before, bytes) ->
                            new Case(
                                m,
                                parents,
                                before.stream().mapToInt(Integer::intValue).toArray(),
                                bytes)));
  }

  private static Integer[] boxed(int[] numbers) {
    return Arrays.stream(numbers).boxed().toArray(Integer[]::new);
  }

  @Property(tries = 2000)
  void costsAsLittleAsTheBestOfAllAssignments(@ForAll("smallCases") Case resampling) {
    assertThat(resampling.cost(resampling.solve())).isEqualTo(leastCost(resampling));
  }

  @Property(tries = 2000)
  void fillsEveryTaskToItsCapacity(@ForAll("smallCases") Case resampling) {
    int[] owners = resampling.solve();
    int[] sizes = new int[resampling.tasks()];
    Arrays.stream(owners).forEach(owner -> sizes[owner]++);
    assertThat(sizes)
        .containsExactly(Assignment.capacities(resampling.particles(), resampling.tasks()));
  }

  @Property(tries = 500)
  void neverMovesMoreBytesThanItCounted(@ForAll("smallCases") Case resampling) {
    int[] owners = resampling.solve();
    assertThat(resampling.bytesMoved(owners)).isLessThanOrEqualTo(resampling.cost(owners));
  }

  @Example
  void movesNothingWhenEveryParticleGoesOnAsItself() {
    int[] before = {0, 1, 2, 0, 1, 2, 0};
    int[] owners =
        Assignment.of(new int[] {0, 1, 2, 3, 4, 5, 6}, before, new long[] {5, 5, 5, 5, 5, 5, 5}, 3);
    assertThat(owners).containsExactly(before);
  }

  @Example
  void keepsTheDearestAtHome() {
    // Task 0 has particles 0 and 1, and all four children; it can keep two: those of 1, with 90.
    int[] owners =
        Assignment.of(new int[] {0, 0, 1, 1}, new int[] {0, 0, 1, 1}, new long[] {10, 90, 1, 1}, 2);
    assertThat(owners).containsExactly(1, 1, 0, 0);
  }

  @Example
  void sendsSiblingsTogether() {
    // Three children of 0 and two of 1 on task 0, which keeps two of 0's; task 2 has one of 4's.
    // By the order of numbers 1's children would part; together they need one map instead of two.
    int[] parents = {0, 0, 0, 1, 1, 4};
    int[] before = {0, 0, 1, 1, 2, 2};
    Case resampling = new Case(3, parents, before, new long[] {10, 5, 1, 1, 1, 1});
    int[] owners = resampling.solve();
    assertThat(owners).containsExactly(0, 0, 2, 1, 1, 2);
    assertThat(resampling.cost(owners)).isEqualTo(20).isEqualTo(leastCost(resampling));
    assertThat(resampling.bytesMoved(owners)).isEqualTo(15);
  }

  @Example
  void dividesAsEvenlyAsCanBe() {
    assertThat(Assignment.capacities(10, 4)).containsExactly(3, 3, 2, 2);
    assertThat(Assignment.capacities(2, 4)).containsExactly(1, 1, 0, 0);
    assertThat(Assignment.first(5, 2)).containsExactly(0, 0, 0, 1, 1);
    assertThat(Assignment.ownedBy(1, new int[] {0, 1, 0, 1})).containsExactly(1, 3);
  }

  @Example
  void takesMillisecondsForAThousandParticles() {
    Random random = new Random(7);
    for (int tasks : new int[] {2, 4, 8}) {
      // A few particles win everything: nearly all must move, and families are large.
      int[] parents = random.ints(1000, 0, 12).map(i -> i * 3).sorted().toArray();
      long[] bytes = random.longs(1000, 50_000, 400_000).toArray();
      Case resampling = new Case(tasks, parents, Assignment.first(1000, tasks), bytes);
      resampling.solve();
      Assertions.assertTimeout(Duration.ofMillis(250), resampling::solve);
    }
  }

  /** By trying all assignments. */
  private static long leastCost(Case resampling) {
    int[] room = Assignment.capacities(resampling.particles(), resampling.tasks());
    return leastCost(resampling, new int[resampling.particles()], 0, room);
  }

  private static long leastCost(Case resampling, int[] owners, int child, int[] room) {
    if (child == owners.length) {
      return resampling.cost(owners);
    }
    long least = Long.MAX_VALUE;
    for (int task = 0; task < room.length; task++) {
      if (room[task] > 0) {
        room[task]--;
        owners[child] = task;
        least = Math.min(least, leastCost(resampling, owners, child + 1, room));
        room[task]++;
      }
    }
    return least;
  }
}
