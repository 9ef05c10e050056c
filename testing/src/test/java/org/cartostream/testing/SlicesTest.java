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
    return new TestJob("T" + number, TestGroup.NIGHTLY, module, 0, false, Set.of(), seconds);
  }

  private static List<TestJob> jobs(List<Double> seconds) {
    return IntStream.range(0, seconds.size()).mapToObj(i -> job(i, seconds.get(i))).toList();
  }

  @Property(tries = 100)
  void eachJobIsInOneSliceAndNoSliceIsLongerThanTheShortestByMoreThanOneJob(
      @ForAll @Size(min = 1, max = 80) List<@DoubleRange(min = 0.1, max = 300) Double> seconds) {
    Slices slices = Slices.of(jobs(seconds), 2);
    List<TestJob> all = new ArrayList<>();
    slices.jobs().forEach(all::addAll);
    assertThat(all).containsExactlyInAnyOrderElementsOf(jobs(seconds));
    double[] sums =
        slices.jobs().stream()
            .mapToDouble(each -> each.stream().mapToDouble(TestJob::seconds).sum())
            .sorted()
            .toArray();
    double longest = seconds.stream().mapToDouble(each -> each).max().orElseThrow();
    assertThat(sums[sums.length - 1] - sums[0]).isLessThanOrEqualTo(longest + 1e-9);
  }

  @Example
  void thereAreAsManySlicesAsTheTimeOfOneAsksFor() {
    // 10 jobs of 180 s in two lanes: 15 minutes in all, so two slices of 7:30.
    assertThat(
            Slices.of(jobs(List.of(180., 180., 180., 180., 180., 180., 180., 180., 180., 180.)), 2)
                .jobs())
        .hasSize(2);
    assertThat(Slices.of(IntStream.range(0, 20).mapToObj(i -> job(i, 180)).toList(), 2).jobs())
        .hasSize(5);
    assertThat(Slices.of(IntStream.range(0, 900).mapToObj(i -> job(i, 180)).toList(), 2).jobs())
        .hasSize(7);
  }

  @Example
  void theFirst32BitsOfACommitChooseItsSlice() {
    Slices slices = Slices.of(IntStream.range(0, 900).mapToObj(i -> job(i, 180)).toList(), 2);
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
