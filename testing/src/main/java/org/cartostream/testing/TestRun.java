package org.cartostream.testing;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Main class of {@code scripts/test}. Runs the test classes of all modules, which must be built, in
 * lanes side by side, the quick ones first. Prints what failed, what was skipped and why, what took
 * longest, and the totals.
 */
public final class TestRun {

  /** Number of lanes of quick tests: these compute, so there is one for each core. */
  private static final int QUICK_LANES = 2;

  /** Time that CI gives to modules that changed since the last complete nightly run, seconds. */
  private static final double CHANGED_SECONDS = 120;

  /** Table with a row for each complete nightly run. */
  private static final String NIGHTS = "docs/measurements/nightly.csv";

  /** File in which Linux lists what is mounted; on other systems no test mounts anything. */
  private static final Path MOUNTS = Path.of("/proc/self/mounts");

  private final Path root;
  private final ClassPaths classPaths;
  private final TestLanes lanes;
  private final Map<TestJob, ClassResult> results = new LinkedHashMap<>();
  private final List<String> flickers = new ArrayList<>();
  private int toRun;
  private int done;

  private TestRun(Path root, boolean failFast) throws IOException {
    this.root = root;
    classPaths = new ClassPaths(root);
    lanes = new TestLanes(root, classPaths, failFast, this::progress);
  }

  /**
   * Runs the tests that the arguments name; exits with 1 if a test failed, and with 2 if an
   * argument is wrong or another run goes on.
   *
   * @param args groups ({@code quick}, {@code default}, {@code nightly}, {@code slice}); modules
   *     and classes, to run only these of the groups, with {@code *} for any letters; {@code
   *     --fail-fast} ends at the first failure, {@code --one-lane} runs one after another, {@code
   *     --list} only lists
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(args));
    boolean failFast = words.remove("--fail-fast");
    boolean list = words.remove("--list");
    boolean oneLane = words.remove("--one-lane");
    Path root = Path.of(System.getProperty("cartostream.root")).toRealPath();
    TestRun run = new TestRun(root, failFast);
    List<TestJob> jobs;
    try {
      jobs = run.chosen(words);
    } catch (IllegalArgumentException e) {
      print("test: " + e.getMessage());
      System.exit(2);
      return;
    }
    if (list) {
      jobs.forEach(job -> print(job.group().word() + " " + job.module() + " " + job.className()));
      return;
    }
    try (FileChannel channel = open(root.resolve("testing/target/run.lock"))) {
      if (channel.tryLock() == null) {
        print("test: another run of tests goes on in this repository; wait for its end");
        System.exit(2);
      }
      delete(output(root));
      unmount(temporary(root));
      delete(temporary(root));
      Runtime.getRuntime().addShutdownHook(new Thread(run.lanes::stop));
      run.run(jobs, oneLane);
      if (!failFast) {
        run.retryFailed();
      }
      System.exit(run.summary(jobs) ? 0 : 1);
    }
  }

  /** Returns the folder for the output of tests. */
  static Path output(Path root) {
    return root.resolve("testing/target/output");
  }

  /** Returns the folder of the tests' temporary files. */
  static Path temporary(Path root) {
    return root.resolve("testing/target/tmp");
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** Unmounts file systems that killed tests have left mounted in a folder. */
  private static void unmount(Path folder) throws IOException, InterruptedException {
    if (!Files.exists(MOUNTS)) {
      return;
    }
    List<String> mounted =
        Files.readAllLines(MOUNTS).stream()
            .map(line -> line.split(" ")[1].replace("\\040", " "))
            .filter(point -> point.startsWith(folder + "/"))
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.reverse(mounted); // A mount inside another one must go first.
    for (String point : mounted) {
      if (new ProcessBuilder("umount", "--lazy", point).inheritIO().start().waitFor() != 0) {
        throw new IOException(point + " was left mounted by a test and cannot be unmounted");
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void print(String line) {
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

  /** Returns the nightly slice that this commit runs, and some classes of changed modules. */
  private List<TestJob> slice(List<TestJob> all) throws IOException, InterruptedException {
    List<TestJob> nightly = all.stream().filter(each -> each.group() == TestGroup.NIGHTLY).toList();
    Slices slices = Slices.of(nightly);
    String commit = git("rev-parse", "HEAD").get(0);
    int index = slices.indexOf(commit);
    List<TestJob> jobs = new ArrayList<>(slices.jobs().get(index));
    print(
        String.format(
            "test: commit %.8s runs slice %d of %d of the night; they take about %s",
            commit, index, slices.jobs().size(), slices));
    if (slices.longestMinutes() > Slices.MAX_MINUTES) {
      print("test: a slice is longer than " + Slices.MAX_MINUTES + " minutes: the night has grown");
    }
    List<String> whole = git("log", "-1", "--format=%H", "--", NIGHTS);
    if (whole.isEmpty()) {
      print("test: no whole night is recorded in " + NIGHTS);
    } else {
      Set<String> modules = Slices.modules(git("diff", "--name-only", whole.get(0), "HEAD"));
      List<TestJob> changed = Slices.cheapest(nightly, jobs, modules, CHANGED_SECONDS);
      print("test: and " + changed.size() + " classes of modules changed since: " + modules);
      jobs.addAll(changed);
    }
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
    List<Predicate<TestJob>> one = List.of(job -> true);
    List<Predicate<TestJob>> kinds = new ArrayList<>();
    for (TestJob.Load load : TestJob.Load.values()) {
      kinds.addAll(Collections.nCopies(load.lanes(), job -> job.load() == load));
    }
    toRun = jobs.size();
    results.putAll(lanes.run(quick, oneLane ? one : Collections.nCopies(QUICK_LANES, one.get(0))));
    results.putAll(lanes.run(others, oneLane ? one : kinds));
  }

  /** Runs failed jobs once more, one after another: on a busy machine they may have timed out. */
  private void retryFailed() throws InterruptedException {
    List<TestJob> failed =
        results.keySet().stream()
            .filter(each -> results.get(each).failed())
            .filter(each -> each.group() != TestGroup.QUICK && each.load() != TestJob.Load.COMPUTES)
            .toList();
    toRun += failed.size();
    lanes
        .run(failed, List.of(job -> true))
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
    print(
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
    result.failures().forEach(each -> print("    " + each.replace("\n", "\n    ")));
  }

  /** Prints the summary of the run; returns true if all tests passed. */
  private boolean summary(List<TestJob> jobs) throws IOException {
    List<TestJob> missing =
        lanes.stopped()
            ? List.of()
            : jobs.stream().filter(each -> !results.containsKey(each)).toList();
    Summary summary = new Summary(results, missing, flickers);
    TestTimes.write(root.resolve("target/test-times.csv"), results);
    Files.writeString(root.resolve("target/test-summary.txt"), summary.text());
    print(summary.text());
    return summary.passed();
  }
}
