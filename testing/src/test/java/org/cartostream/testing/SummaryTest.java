package org.cartostream.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class SummaryTest {

  private final Map<TestJob, ClassResult> results = new LinkedHashMap<>();

  private void add(String name, TestGroup group, ClassResult result) {
    results.put(
        new TestJob("org.cartostream." + name, group, "slam", 0, TestJob.Load.WAITS, 5), result);
  }

  private static ClassResult passed(int tests, double seconds) {
    return new ClassResult(tests, List.of(), List.of(), seconds, seconds / 2);
  }

  @Test
  void totalsAreTheLastLine() {
    add("a.OneTest", TestGroup.QUICK, passed(3, 1.4));
    add("a.TwoIT", TestGroup.DEFAULT, passed(2, 10.2));
    String text = new Summary(results, List.of(), List.of()).text();
    assertThat(text).endsWith("test: 5 tests, 0 failed, 0 skipped, 12 s in tests");
    assertThat(text)
        .contains("test: quick: 1 classes, 3 tests, 1 s", "test: default: 1 classes, 2 tests, 10 s")
        .contains("test: dearest: a.TwoIT 10 s, a.OneTest 1 s");
    assertThat(new Summary(results, List.of(), List.of()).passed()).isTrue();
  }

  @Test
  void namesWhatFailedFlickeredAndWasSkippedAndWhy() {
    add(
        "a.OneTest",
        TestGroup.QUICK,
        new ClassResult(4, List.of("no ROS", "no ROS"), List.of("x(): AssertionError"), 1, 1));
    Summary summary = new Summary(results, List.of(), List.of("b.TwoIT: [y(): timeout]"));
    assertThat(summary.passed()).isFalse();
    assertThat(summary.text())
        .contains(
            "test: failed: a.OneTest: x(): AssertionError",
            "test: flickers: b.TwoIT: [y(): timeout]",
            "test: 2 skipped: no ROS",
            "test: 4 tests, 1 failed, 2 skipped, 1 s in tests");
  }

  @Test
  void aClassThatWasNotRunHasFailed() {
    add("a.OneTest", TestGroup.QUICK, passed(1, 1));
    add("a.TwoIT", TestGroup.DEFAULT, passed(1, 1));
    List<TestJob> missing = List.copyOf(results.keySet()).subList(1, 2);
    results.keySet().removeAll(missing);
    Summary summary = new Summary(results, missing, List.of());
    assertThat(summary.passed()).isFalse();
    assertThat(summary.text()).contains("test: failed: a.TwoIT was not run");
  }

  /** A run that ran nothing proves nothing. */
  @Test
  void noTestAtAllIsNoSuccess() {
    assertThat(new Summary(results, List.of(), List.of()).passed()).isFalse();
  }

  @Test
  void timesAreReadAsTheyWereWritten(@TempDir Path folder) throws IOException {
    add("a.OneTest", TestGroup.QUICK, passed(3, 1.4));
    add("a.OneTest", TestGroup.NIGHTLY, passed(1, 77));
    Path file = folder.resolve("target/times.csv");
    TestTimes.write(file, results);
    TestTimes times = new TestTimes(file);
    assertThat(times.seconds("org.cartostream.a.OneTest", TestGroup.QUICK)).isEqualTo(1.4);
    assertThat(times.seconds("org.cartostream.a.OneTest", TestGroup.NIGHTLY)).isEqualTo(77);
    assertThat(times.seconds("org.cartostream.a.New", TestGroup.QUICK)).isEqualTo(5);
  }
}
