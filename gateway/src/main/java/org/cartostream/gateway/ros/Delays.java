package org.cartostream.gateway.ros;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.message.Header;

/**
 * How long after their stamps messages were recorded. Where that is much more for one topic than
 * for another, they came late, or the clocks of two computers differ: a file does not tell which.
 *
 * <p>Owns the delays of each topic's first messages.
 */
final class Delays {

  /** Scans take no longer to be sent. */
  private static final long REMARKABLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** So many tell what is usual. */
  private static final int MOST = 10_000;

  private final Map<String, List<Long>> byTopic = new HashMap<>();

  void add(MessageFile.Recorded message, Header header) {
    List<Long> delays = byTopic.computeIfAbsent(message.topic(), any -> new ArrayList<>());
    if (delays.size() < MOST) {
      delays.add(message.atNanos() - header.stamp());
    }
  }

  /** What is to be said of the scans of one topic and the odometry of another, for people. */
  Optional<String> apart(String scans, String odometry) {
    if (!byTopic.containsKey(scans) || !byTopic.containsKey(odometry)) {
      return Optional.empty();
    }
    long nanos = median(odometry) - median(scans);
    if (Math.abs(nanos) <= REMARKABLE_NANOS) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "odometry on %s was recorded %.2f s after its stamps and scans on %s %.2f s after"
                + " theirs; if nothing came late, two clocks differ, and each scan is put where the"
                + " robot was %.2f s %s",
            odometry,
            seconds(median(odometry)),
            scans,
            seconds(median(scans)),
            seconds(Math.abs(nanos)),
            nanos > 0 ? "later" : "before"));
  }

  private long median(String topic) {
    List<Long> delays = byTopic.get(topic);
    return delays.stream().sorted().skip(delays.size() / 2).findFirst().orElseThrow();
  }

  private static double seconds(long nanos) {
    return nanos / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
