package org.cartostream.testing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Summary of a test run, as text.
 *
 * @param results each job's last result
 * @param missing jobs without a result, though nobody stopped the run
 * @param flickers tests that failed first and passed when tried again
 */
record Summary(Map<TestJob, ClassResult> results, List<TestJob> missing, List<String> flickers) {

  private static final int DEAREST = 10;
  private static final int MAX_REASON = 300;

  boolean passed() {
    return !results.isEmpty()
        && missing.isEmpty()
        && results.values().stream().noneMatch(ClassResult::failed);
  }

  String text() {
    List<String> lines = new ArrayList<>();
    results.forEach(
        (job, result) ->
            result
                .failures()
                .forEach(each -> lines.add("failed: " + job.shortName() + ": " + head(each))));
    missing.forEach(each -> lines.add("failed: " + each.shortName() + " was not run"));
    flickers.forEach(each -> lines.add("flickers: " + head(each)));
    skipReasons().forEach((reason, count) -> lines.add(count + " skipped: " + reason));
    lines.add("what tests printed is in testing/target/output");
    lines.add("dearest: " + dearest());
    for (TestGroup group : TestGroup.values()) {
      List<ClassResult> ofGroup = of(group);
      if (!ofGroup.isEmpty()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "%s: %d classes, %d tests, %.0f s",
                group.word(),
                ofGroup.size(),
                tests(ofGroup),
                seconds(ofGroup)));
      }
    }
    lines.add(totals());
    return lines.stream().map(line -> "test: " + line).collect(Collectors.joining("\n"));
  }

  private Map<String, Long> skipReasons() {
    return results.values().stream()
        .flatMap(each -> each.skipped().stream())
        .collect(Collectors.groupingBy(Summary::head, TreeMap::new, Collectors.counting()));
  }

  /** Returns the first three lines in one, cut to the maximum length of a reason. */
  private static String head(String text) {
    String line = text.lines().limit(3).map(String::strip).collect(Collectors.joining(" "));
    return line.length() <= MAX_REASON ? line : line.substring(0, MAX_REASON) + " ...";
  }

  private String dearest() {
    return results.entrySet().stream()
        .sorted((a, b) -> Double.compare(b.getValue().seconds(), a.getValue().seconds()))
        .limit(DEAREST)
        .map(
            each ->
                String.format(
                    Locale.ROOT, "%s %.0f s", each.getKey().shortName(), each.getValue().seconds()))
        .collect(Collectors.joining(", "));
  }

  private List<ClassResult> of(TestGroup group) {
    return results.entrySet().stream()
        .filter(each -> each.getKey().group() == group)
        .map(Map.Entry::getValue)
        .toList();
  }

  private static int tests(Collection<ClassResult> results) {
    return results.stream().mapToInt(ClassResult::tests).sum();
  }

  private static double seconds(Collection<ClassResult> results) {
    return results.stream().mapToDouble(ClassResult::seconds).sum();
  }

  private String totals() {
    Collection<ClassResult> all = results.values();
    return String.format(
        Locale.ROOT,
        "%d tests, %d failed, %d skipped, %.0f s in tests",
        tests(all),
        all.stream().mapToInt(each -> each.failures().size()).sum(),
        all.stream().mapToInt(each -> each.skipped().size()).sum(),
        seconds(all));
  }
}
