package org.cartostream.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;

@Quick
class SlicesTest {

  private static TestJob job(int number, double seconds) {
    String module = number % 2 == 0 ? "even" : "odd";
    return new TestJob("T" + number, TestGroup.NIGHTLY, module, 0, load(number), seconds);
  }

  /** One job in five starts a cluster, two in five compute. */
  private static TestJob.Load load(int number) {
    return switch (number % 5) {
      case 0 -> TestJob.Load.CLUSTER;
      case 1, 2 -> TestJob.Load.COMPUTES;
      default -> TestJob.Load.WAITS;
    };
  }

  private static List<TestJob> jobs(List<Double> seconds) {
    return IntStream.range(0, seconds.size()).mapToObj(i -> job(i, seconds.get(i))).toList();
  }

  @Property(tries = 100)
  void eachJobIsInOneSliceAndNoKindOfASliceIsLongerThanTheShortestByMoreThanOneJob(
      @ForAll @Size(min = 1, max = 80) List<@DoubleRange(min = 0.1, max = 300) Double> seconds) {
    Slices slices = Slices.of(jobs(seconds));
    List<TestJob> all = new ArrayList<>();
    slices.jobs().forEach(all::addAll);
    assertThat(all).containsExactlyInAnyOrderElementsOf(jobs(seconds));
    double longest = seconds.stream().mapToDouble(each -> each).max().orElseThrow();
    for (TestJob.Load load : TestJob.Load.values()) {
      double[] sums =
          slices.jobs().stream()
              .mapToDouble(
                  each ->
                      each.stream()
                          .filter(job -> job.load() == load)
                          .mapToDouble(TestJob::seconds)
                          .sum())
              .sorted()
              .toArray();
      assertThat(sums[sums.length - 1] - sums[0]).isLessThanOrEqualTo(longest + 1e-9);
    }
  }

  private static Slices sliced(int jobs) {
    return Slices.of(IntStream.range(0, jobs).mapToObj(i -> job(i, 180)).toList());
  }

  /** There is one lane for those with a cluster, and two for each other kind. */
  @Example
  void thereAreAsManySlicesAsTheTimeOfOneAsksFor() {
    // Of ten jobs of 3 minutes two start a cluster: 3 minutes in each of two slices.
    assertThat(sliced(10).jobs()).hasSize(2);
    // Four do: 6 minutes in each.
    assertThat(sliced(20).jobs()).hasSize(2);
    // Eight do: in three slices 9 minutes, in five 6.
    assertThat(sliced(40).jobs()).hasSize(5);
    assertThat(sliced(900).jobs()).hasSize(7);
  }

  @Example
  void theFirst32BitsOfACommitChooseItsSlice() {
    Slices slices = sliced(900);
    assertThat(slices.indexOf("00000008ffffffff")).isEqualTo(1);
    assertThat(slices.indexOf("ffffffff00000000")).isEqualTo((int) (4294967295L % 7));
  }

  @Example
  void ofChangedModulesTheCheapestJobsAreAdded() {
    List<TestJob> jobs = jobs(List.of(50., 5., 60., 30., 70., 90.));
    assertThat(Slices.modules(List.of("odd/src/main/java/A.java", "even/src/test/java/B.java")))
        .containsExactly("odd");
    assertThat(Slices.cheapest(jobs, List.of(jobs.get(1)), Set.of("odd"), 120))
        .containsExactly(jobs.get(3), jobs.get(5));
    assertThat(Slices.cheapest(jobs, List.of(), Set.of("odd"), 120))
        .containsExactly(jobs.get(1), jobs.get(3));
  }
}
