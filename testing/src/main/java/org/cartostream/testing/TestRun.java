package org.cartostream.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Main class of {@code scripts/test}: runs the test classes of all modules, which are built, in
 * lanes side by side, the quick ones first, and prints what failed, what was skipped and why, what
 * took longest, and the totals.
 */
public final class TestRun {

  /** Two cores are busy with them. */
  private static final int QUICK_LANES = 2;

  private static final int WAITING_LANES = 3;
  private static final int COMPUTING_LANES = 1;

  /** What CI gives modules that were changed since the last whole night. */
  private static final double CHANGED_SECONDS = 120;

  private final Path root;
  private final ClassPaths classPaths;
  private final Lanes lanes;
  private final Map<TestJob, ClassResult> results = new LinkedHashMap<>();
  private final List<String> flickers = new ArrayList<>();
  private int toRun;
  private int done;

  private TestRun(Path root, boolean failFast) throws IOException {
    this.root = root;
    classPaths = new ClassPaths(root);
    lanes = new Lanes(root, classPaths, failFast, this::progress);
  }

  /**
   * Runs what the arguments ask for; exits with 1 if a test failed.
   *
   * @param args groups ({@code quick}, {@code default}, {@code nightly}, {@code slice}) and names
   *     of classes, with {@code *} for any letters; {@code --fail-fast} ends at the first failure,
   *     {@code --no-retry} takes a first failure for the last word, {@code --list} only lists
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(args));
    boolean failFast = words.remove("--fail-fast");
    boolean retry = !words.remove("--no-retry") && !failFast;
    boolean list = words.remove("--list");
    boolean oneLane = words.remove("--one-lane");
    Path root = Path.of(System.getProperty("cartostream.root")).toRealPath();
    TestRun run = new TestRun(root, failFast);
    List<TestJob> jobs = List.of();
    try {
      jobs = run.chosen(words);
    } catch (IllegalArgumentException e) {
      say("test: " + e.getMessage());
      System.exit(2);
    }
    if (list) {
      jobs.forEach(job -> say(job.group().word() + " " + job.module() + " " + job.className()));
      return;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(run.lanes::stop));
    run.run(jobs, oneLane);
    if (retry) {
      run.retryFailed();
    }
    System.exit(run.summary() ? 0 : 1);
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private List<TestJob> chosen(List<String> words) throws IOException, InterruptedException {
    TestTimes times = new TestTimes(root.resolve("testing/test-times.csv"));
    List<TestJob> all = new TestCatalogue(classPaths, times).jobs();
    Set<TestJob> inGroups = new LinkedHashSet<>();
    List<String> names = new ArrayList<>(words);
    for (TestGroup group : TestGroup.values()) {
      if (names.remove(group.word())) {
        all.stream().filter(each -> each.group() == group).forEach(inGroups::add);
      }
    }
    if (names.remove("slice")) {
      inGroups.addAll(slice(all));
    }
    for (String name : names) {
      if (inGroups.stream().noneMatch(each -> matches(each, name))) {
        throw new IllegalArgumentException(
            "no module and no test class of these groups is " + name);
      }
    }
    return inGroups.stream()
        .filter(each -> names.isEmpty() || names.stream().anyMatch(name -> matches(each, name)))
        .toList();
  }

  private static boolean matches(TestJob job, String name) {
    String pattern = name.replace(".", "\\.").replace("*", ".*");
    return job.module().equals(name) || job.className().matches("(.*\\.)?" + pattern);
  }

  /** The slice of the night that this commit runs, with some classes of changed modules. */
  private List<TestJob> slice(List<TestJob> all) throws IOException, InterruptedException {
    List<TestJob> nightly = all.stream().filter(each -> each.group() == TestGroup.NIGHTLY).toList();
    Slices slices = Slices.of(nightly, 2);
    String commit = git("rev-parse", "HEAD").get(0);
    int index = slices.indexOf(commit);
    List<TestJob> jobs = new ArrayList<>(slices.jobs().get(index));
    String whole =
        git("log", "-1", "--format=%H", "--", "docs/measurements/nightly.csv").stream()
            .findFirst()
            .orElse("HEAD");
    Set<String> modules = Slices.modules(git("diff", "--name-only", whole, "HEAD"));
    List<TestJob> changed = Slices.cheapest(nightly, jobs, modules, CHANGED_SECONDS);
    say(
        String.format(
            "test: commit %.8s runs slice %d of %d of the night (slices of %s), and %d classes of"
                + " modules changed since the last whole night: %s",
            commit, index, slices.jobs().size(), slices, changed.size(), modules));
    jobs.addAll(changed);
    return jobs;
  }

  private List<String> git(String... arguments) throws IOException, InterruptedException {
    Process git =
        new ProcessBuilder(Stream.concat(Stream.of("git"), Arrays.stream(arguments)).toList())
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines = git.inputReader().lines().toList();
    if (git.waitFor() != 0) {
      throw new IOException("git " + String.join(" ", arguments) + " failed");
    }
    return lines;
  }

  private void run(List<TestJob> jobs, boolean oneLane) throws InterruptedException {
    List<TestJob> quick = jobs.stream().filter(each -> each.group() == TestGroup.QUICK).toList();
    List<TestJob> others = jobs.stream().filter(each -> each.group() != TestGroup.QUICK).toList();
    toRun = jobs.size();
    results.putAll(lanes.run(quick, oneLane ? 1 : QUICK_LANES, 0));
    if (!lanes.stopped()) {
      results.putAll(lanes.run(others, oneLane ? 1 : WAITING_LANES, COMPUTING_LANES));
    }
  }

  /** Once more, one after another, what may have had no turn on a busy machine. */
  private void retryFailed() throws InterruptedException {
    List<TestJob> failed =
        results.keySet().stream()
            .filter(each -> results.get(each).failed() && !each.computes())
            .toList();
    toRun += failed.size();
    lanes
        .run(failed, 1, 0)
        .forEach(
            (job, again) -> {
              if (!again.failed()) {
                flickers.add(job.shortName() + ": " + results.get(job).failures());
                results.put(job, again);
              }
            });
  }

  private void progress(TestJob job, ClassResult result) {
    done++;
    say(
        String.format(
            Locale.ROOT,
            "[%3d/%d] %s %s, %d tests, %.1f s%s",
            done,
            toRun,
            result.failed() ? "FAILED" : "passed",
            job.shortName(),
            result.tests(),
            result.seconds(),
            result.skipped().isEmpty() ? "" : ", " + result.skipped().size() + " skipped"));
    result.failures().forEach(each -> say("    " + each.replace("\n", "\n    ")));
  }

  /** Prints the end of the run; returns whether all passed. */
  private boolean summary() throws IOException {
    Summary summary = new Summary(results, flickers);
    TestTimes.write(root.resolve("target/test-times.csv"), results);
    Files.writeString(root.resolve("target/test-summary.txt"), summary.text());
    say(summary.text());
    return summary.passed();
  }
}
