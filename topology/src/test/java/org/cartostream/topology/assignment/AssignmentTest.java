package org.cartostream.topology.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
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
import org.cartostream.testing.Quick;

@Quick
class AssignmentTest {

  /** A resampling: who descends from whom, what a parent's map costs each task, who has room. */
  record Case(int[] parents, long[][] charges, int[] places) {

    /** Maps that are on one task only, and as dear for all others. */
    static Case ofWholeMaps(int[] parents, int[] before, long[] mapBytes, int tasks) {
      long[][] charges = new long[before.length][tasks];
      for (int parent = 0; parent < before.length; parent++) {
        Arrays.fill(charges[parent], mapBytes[parent]);
        charges[parent][before[parent]] = 0;
      }
      return new Case(parents, charges, Assignment.places(parents.length, tasks));
    }

    Assignment solve() {
      return Assignment.of(parents, (parent, task) -> charges[parent][task], places);
    }

    /** Siblings bound for the same task share a map. */
    long bytesMoved(int[] owners) {
      Set<List<Integer>> journeys = new HashSet<>();
      return IntStream.range(0, parents.length)
          .filter(child -> journeys.add(List.of(parents[child], owners[child])))
          .mapToLong(child -> charges[parents[child]][owners[child]])
          .sum();
    }

    @Override
    public String toString() {
      return "parents "
          + Arrays.toString(parents)
          + ", charges "
          + Arrays.deepToString(charges)
          + ", places "
          + Arrays.toString(places);
    }
  }

  // --- small cases, against all assignments ------------------------------------------------------

  @Provide
  Arbitrary<Case> anyCharges() {
    return sizes()
        .flatMap(
            size ->
                Combinators.combine(
                        parents(size.particles()),
                        Arbitraries.longs()
                            .between(0, 9)
                            .array(long[].class)
                            .ofSize(size.tasks())
                            .array(long[][].class)
                            .ofSize(size.particles()),
                        placesOf(size))
                    .as(Case::new));
  }

  @Provide
  Arbitrary<Case> wholeMaps() {
    return sizes()
        .flatMap(
            size ->
                Combinators.combine(
                        parents(size.particles()),
                        Arbitraries.shuffle(
                            boxed(Assignment.initial(size.particles(), size.tasks()))),
                        Arbitraries.longs()
                            .between(0, 1_000_000)
                            .array(long[].class)
                            .ofSize(size.particles()))
                    .as(
                        (parents, before, bytes) ->
                            Case.ofWholeMaps(
                                parents,
                                before.stream().mapToInt(Integer::intValue).toArray(),
                                bytes,
                                size.tasks())));
  }

  record Size(int particles, int tasks) {}

  private static Arbitrary<Size> sizes() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 7), Arbitraries.integers().between(1, 4))
        .as(Size::new);
  }

  private static Arbitrary<int[]> parents(int particles) {
    return Arbitraries.integers().between(0, particles - 1).array(int[].class).ofSize(particles);
  }

  /** Any number of places on each task, as for tasks of different speeds. */
  private static Arbitrary<int[]> placesOf(Size size) {
    return Arbitraries.integers()
        .between(0, size.tasks() - 1)
        .array(int[].class)
        .ofSize(size.particles())
        .map(
            owners ->
                IntStream.range(0, size.tasks())
                    .map(task -> Assignment.ownedBy(task, owners).length)
                    .toArray());
  }

  private static Integer[] boxed(int[] numbers) {
    return Arrays.stream(numbers).boxed().toArray(Integer[]::new);
  }

  @Property(tries = 1500)
  void movesAsFewBytesAsTheBestOfAllAssignmentsWhateverTheCharges(
      @ForAll("anyCharges") Case resampling) {
    isTheBest(resampling);
  }

  @Property(tries = 1500)
  void movesAsFewBytesAsTheBestOfAllAssignmentsOfWholeMaps(@ForAll("wholeMaps") Case resampling) {
    isTheBest(resampling);
  }

  private static void isTheBest(Case resampling) {
    Assignment assignment = resampling.solve();
    long min = minBytes(resampling);
    assertThat(resampling.bytesMoved(assignment.owners())).isEqualTo(min);
    assertThat(assignment.bytes()).isEqualTo(min);
    assertThat(assignment.minBytes()).isEqualTo(min);
  }

  @Property(tries = 1000)
  void fillsEveryPlace(@ForAll("anyCharges") Case resampling) {
    assertThat(sizes(resampling)).containsExactly(resampling.places());
  }

  private static int[] sizes(Case resampling) {
    int[] sizes = new int[resampling.places().length];
    Arrays.stream(resampling.solve().owners()).forEach(owner -> sizes[owner]++);
    return sizes;
  }

  /** By trying all assignments. */
  private static long minBytes(Case resampling) {
    int[] room = resampling.places().clone();
    return minBytes(resampling, new int[resampling.parents().length], 0, room);
  }

  private static long minBytes(Case resampling, int[] owners, int child, int[] room) {
    if (child == owners.length) {
      return resampling.bytesMoved(owners);
    }
    long min = Long.MAX_VALUE;
    for (int task = 0; task < room.length; task++) {
      if (room[task] > 0) {
        room[task]--;
        owners[child] = task;
        min = Math.min(min, minBytes(resampling, owners, child + 1, room));
        room[task]++;
      }
    }
    return min;
  }

  // --- cases worked out by hand ------------------------------------------------------------------

  @Example
  void movesNothingWhenEveryParticleGoesOnAsItself() {
    int[] before = {0, 1, 2, 0, 1, 2, 0};
    int[] parents = {0, 1, 2, 3, 4, 5, 6};
    Case resampling = Case.ofWholeMaps(parents, before, new long[] {5, 5, 5, 5, 5, 5, 5}, 3);
    assertThat(resampling.solve().owners()).containsExactly(before);
    assertThat(resampling.solve().bytes()).isZero();
  }

  @Example
  void keepsTheFamiliesAtHomeWhoseMapsWeighMost() {
    // Task 0 has the parents of all four children and room for two: 90 against 10.
    Case resampling =
        Case.ofWholeMaps(
            new int[] {0, 0, 1, 1}, new int[] {0, 0, 1, 1}, new long[] {10, 90, 1, 1}, 2);
    assertThat(resampling.solve().owners()).containsExactly(1, 1, 0, 0);
  }

  @Example
  void prefersTwoFamiliesOfOneToOneFamilyOfTwo() {
    // Task 0 has room for two. To keep 0's two children costs the maps of 1 and 2: 18 bytes; to
    // keep those of 1 and 2 costs one map of 10 bytes, for 0's children travel together.
    Case resampling =
        Case.ofWholeMaps(
            new int[] {0, 0, 1, 2}, new int[] {0, 0, 0, 1}, new long[] {10, 9, 9, 1}, 2);
    assertThat(resampling.solve().owners()).containsExactly(1, 1, 0, 0);
    assertThat(resampling.solve().bytes()).isEqualTo(10);
  }

  @Example
  void sendsSiblingsTogether() {
    // Task 0 keeps 2's two children, the dearest, and sends two of 0 and two of 1 to tasks 1 and 2.
    // By the order of tasks with two places each that is two maps; parted it would be more.
    int[] parents = {0, 0, 1, 1, 2, 2};
    int[] before = {0, 0, 0, 1, 1, 2};
    Case resampling = Case.ofWholeMaps(parents, before, new long[] {5, 10, 20, 1, 1, 1}, 3);
    int[] owners = resampling.solve().owners();
    assertThat(owners[0]).isEqualTo(owners[1]);
    assertThat(owners[2]).isEqualTo(owners[3]);
    assertThat(owners[4]).isEqualTo(owners[5]).isZero();
    assertThat(resampling.bytesMoved(owners)).isEqualTo(15);
  }

  @Example
  void sendsAFamilyToTheTaskThatLacksLeastOfItsMap() {
    // Both children of 0 must leave task 0, which has no room: task 2 lacks 3 bytes, task 1 all 9.
    Case resampling =
        new Case(new int[] {0, 0, 1, 1}, new long[][] {{0, 9, 3}, {9, 0, 9}}, new int[] {0, 2, 2});
    assertThat(resampling.solve().owners()).containsExactly(2, 2, 1, 1);
  }

  @Example
  void refusesPlacesThatAreNotAsManyAsTheParticles() {
    assertThatThrownBy(() -> Assignment.of(new int[] {0, 0}, (parent, task) -> 1, new int[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("2 particles need as many places, not [1, 2]");
  }

  @Example
  void dividesAsEvenlyAsCanBe() {
    assertThat(Assignment.places(10, 4)).containsExactly(3, 3, 2, 2);
    assertThat(Assignment.places(2, 4)).containsExactly(1, 1, 0, 0);
    assertThat(Assignment.initial(5, 2)).containsExactly(0, 0, 0, 1, 1);
    assertThat(Assignment.ownedBy(1, new int[] {0, 1, 0, 1})).containsExactly(1, 3);
  }

  // --- large cases -------------------------------------------------------------------------------

  @Example
  void provesTheBestForMostResamplingsOfAHundredParticlesOnFourTasks() {
    Random random = new Random(17);
    int proved = 0;
    for (int i = 0; i < 20; i++) {
      proved += Families.drawn(random, 100, 4, 1 + i % 4).solve().isLeast() ? 1 : 0;
    }
    assertThat(proved).as("of 20, seed 17").isGreaterThanOrEqualTo(15);
  }

  @Example
  void saysHowFarFromTheBestTenThousandParticlesOnSixtyFourTasksMayBe() {
    Families families = Families.drawn(new Random(17), 10_000, 64, 2);
    Assignment assignment = families.solve();
    Case resampling =
        Case.ofWholeMaps(families.parents(), families.before(), families.mapBytes(), 64);
    assertThat(assignment.bytes()).isEqualTo(resampling.bytesMoved(assignment.owners()));
    assertThat(assignment.minBytes()).isBetween(1L, assignment.bytes());
    assertThat(sizes(resampling)).containsExactly(resampling.places());
  }

  @Example
  void answersTheSameAgain() {
    Families families = Families.drawn(new Random(3), 1000, 20, 2);
    assertThat(families.solve().isLeast()).as("the budget is spent").isFalse();
    assertThat(families.solve().owners()).containsExactly(families.solve().owners());
  }

  @Example
  void movesFewMapsThoughAThousandParticlesDescendFromTwelve() {
    Random random = new Random(7);
    for (int tasks : new int[] {2, 4, 8}) {
      // Nearly all must move. A family fits on few tasks, and each task gets parts of few families:
      // there are no more journeys than families and tasks together.
      int[] parents = random.ints(1000, 0, 12).map(i -> i * 3).sorted().toArray();
      long[] one = new long[1000];
      Arrays.fill(one, 1);
      Case resampling = Case.ofWholeMaps(parents, Assignment.initial(1000, tasks), one, tasks);
      assertThat(resampling.solve().bytes()).isLessThanOrEqualTo(12 + tasks);
    }
  }

  /** Families as systematic resampling makes them, their parents anywhere, maps of about 1 MB. */
  record Families(int[] parents, int[] before, long[] mapBytes, int tasks) {

    /**
     * @param spread of the logarithms of the weights: the larger, the fewer and larger families
     */
    static Families drawn(Random random, int particles, int tasks, double spread) {
      double[] weights =
          random.doubles(particles).map(u -> Math.exp(-spread * spread * u)).toArray();
      double step = Arrays.stream(weights).sum() / particles;
      int[] parents = new int[particles];
      double next = step * random.nextDouble();
      double sum = 0;
      int child = 0;
      for (int parent = 0; parent < particles; parent++) {
        sum += weights[parent];
        for (; child < particles && (next < sum || parent == particles - 1); next += step) {
          parents[child++] = parent;
        }
      }
      List<Integer> before = new ArrayList<>(List.of(boxed(Assignment.initial(particles, tasks))));
      Collections.shuffle(before, random);
      return new Families(
          parents,
          before.stream().mapToInt(Integer::intValue).toArray(),
          random.longs(particles, 900_000, 1_100_000).toArray(),
          tasks);
    }

    Assignment solve() {
      return Case.ofWholeMaps(parents, before, mapBytes, tasks).solve();
    }
  }
}
