package org.cartostream.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Division of the nightly jobs into slices of about the same time. CI runs one slice for each
 * commit, so that each job runs now and then.
 *
 * <p>The number of slices is the smallest prime that keeps each slice within {@link #MAX_MINUTES},
 * and at most {@link #MAX_SLICES}: with a prime, no regular pattern of commits leaves a slice out.
 *
 * @param jobs the jobs of each slice
 */
record Slices(List<List<TestJob>> jobs) {

  static final int MAX_SLICES = 7;
  static final double MAX_MINUTES = 8;

  private static final int[] PRIMES = {2, 3, 5, MAX_SLICES};

  /**
   * Divides jobs into slices: the longest first, each into the slice with the least time so far.
   */
  static Slices of(List<TestJob> jobs) {
    Slices slices = packed(jobs, PRIMES[0]);
    for (int i = 1; i < PRIMES.length && slices.longestMinutes() > MAX_MINUTES; i++) {
      slices = packed(jobs, PRIMES[i]);
    }
    return slices;
  }

  private static Slices packed(List<TestJob> jobs, int count) {
    List<List<TestJob>> slices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      slices.add(new ArrayList<>());
    }
    // Each kind of load runs in lanes of its own, so its jobs are divided by themselves.
    for (TestJob.Load load : TestJob.Load.values()) {
      double[] seconds = new double[count];
      for (TestJob job : longestFirst(jobs)) {
        if (job.load() == load) {
          int min = 0;
          for (int i = 1; i < count; i++) {
            min = seconds[i] < seconds[min] ? i : min;
          }
          slices.get(min).add(job);
          seconds[min] += job.seconds();
        }
      }
    }
    return new Slices(slices);
  }

  static List<TestJob> longestFirst(List<TestJob> jobs) {
    return jobs.stream()
        .sorted(
            Comparator.comparingDouble(TestJob::seconds)
                .reversed()
                .thenComparing(TestJob::className))
        .toList();
  }

  double longestMinutes() {
    return jobs.stream().mapToDouble(Slices::minutes).max().orElse(0);
  }

  /** Returns how long jobs take in the lanes of a run, minutes. */
  private static double minutes(List<TestJob> jobs) {
    return Stream.of(TestJob.Load.values())
        .mapToDouble(load -> seconds(jobs, load) / load.lanes() / 60)
        .max()
        .orElseThrow();
  }

  private static double seconds(List<TestJob> jobs, TestJob.Load load) {
    return jobs.stream().filter(each -> each.load() == load).mapToDouble(TestJob::seconds).sum();
  }

  /**
   * Returns the index of the slice that a commit runs: the first 32 bits of the commit's hash,
   * modulo the number of slices.
   */
  int indexOf(String commit) {
    return (int) (Long.parseLong(commit.substring(0, 8), 16) % jobs.size());
  }

  /**
   * Returns the cheapest jobs of some modules that are not in a slice: as many as fit into a time.
   */
  static List<TestJob> cheapest(
      List<TestJob> jobs, List<TestJob> slice, Set<String> modules, double maxSeconds) {
    List<TestJob> chosen = new ArrayList<>();
    double left = maxSeconds;
    for (TestJob job :
        jobs.stream()
            .filter(each -> modules.contains(each.module()) && !slice.contains(each))
            .sorted(Comparator.comparingDouble(TestJob::seconds))
            .toList()) {
      left -= job.seconds();
      if (left >= 0) {
        chosen.add(job);
      }
    }
    return chosen;
  }

  /** Returns the modules whose main code is among changed files. */
  static Set<String> modules(List<String> changed) {
    return Set.copyOf(
        changed.stream()
            .filter(file -> file.contains("/src/main/"))
            .map(file -> Path.of(file).getName(0).toString())
            .distinct()
            .toList());
  }

  @Override
  public String toString() {
    return jobs.stream()
        .map(each -> String.format(Locale.ROOT, "%.1f", minutes(each)))
        .collect(Collectors.joining(", ", "", " minutes"));
  }
}
