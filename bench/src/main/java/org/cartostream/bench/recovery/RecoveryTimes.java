package org.cartostream.bench.recovery;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times of a run's first recovery after a moment, by the workers' log.
 *
 * @param begun beginning of the recovery, milliseconds since 1970-01-01 UTC
 * @param reading number of the last reading in the checkpoint; 0 if there was none
 * @param restored time at which all parts were loaded, milliseconds since 1970-01-01 UTC; empty if
 *     the log does not say
 */
record RecoveryTimes(long begun, int reading, Optional<Long> restored) {

  /** Maximum time that a newly started dispatcher needs to find the checkpoint, milliseconds. */
  private static final long FOUND_MILLIS = 2000;

  private static final Pattern BEGINS = line(" begins$");

  private static final Pattern FROM =
      line("(?:: restored from reading | goes on from its checkpoint at reading )(\\d+)");

  private static final Pattern RESTORED = line(": restored at reading ");

  private static Pattern line(String words) {
    return Pattern.compile("(\\S+) .*" + words);
  }

  /**
   * Finds the first recovery after a moment.
   *
   * @param log lines of the service's workers
   * @param since the moment, milliseconds since 1970-01-01 UTC
   * @return empty if there was no recovery
   */
  static Optional<RecoveryTimes> find(List<String> log, long since) {
    Matcher begins = first(log, BEGINS, since).orElse(null);
    Matcher from = first(log, FROM, since).orElse(null);
    if (begins == null && from == null) {
      return Optional.empty();
    }
    if (from != null && (begins == null || millis(from) < millis(begins) + FOUND_MILLIS)) {
      long begun = begins == null ? millis(from) : Math.min(millis(begins), millis(from));
      return Optional.of(of(log, begun, Integer.parseInt(from.group(2))));
    }
    return Optional.of(of(log, millis(begins), 0));
  }

  private static RecoveryTimes of(List<String> log, long begun, int reading) {
    return new RecoveryTimes(
        begun, reading, first(log, RESTORED, begun).map(RecoveryTimes::millis));
  }

  private static Optional<Matcher> first(List<String> log, Pattern pattern, long since) {
    return log.stream()
        .map(pattern::matcher)
        .filter(Matcher::lookingAt)
        .filter(line -> millis(line) >= since)
        .min((a, b) -> Long.compare(millis(a), millis(b)));
  }

  private static long millis(Matcher line) {
    return OffsetDateTime.parse(line.group(1)).toInstant().toEpochMilli();
  }
}
