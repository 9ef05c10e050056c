package org.cartostream.gateway.ros;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.ros.message.DiagnosticArray;
import org.cartostream.ros.message.DiagnosticStatus;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.KeyValue;

/**
 * How a robot's mapping fares at one moment, as {@code /diagnostics} shows it.
 *
 * @param robot its id
 * @param counts what became of its scans
 * @param unusedByReason refused and skipped scans by the refusal's name
 * @param newlyRefused scans refused since the last diagnosis
 * @param silentSeconds since the last scan came; since the start if none has
 * @param lastWhy why the last scan was refused or lost; empty if none was
 * @param outage why the broker is away; empty if it is not
 * @param waiting scans that wait to be sent
 * @param masterAway why the ROS master is away; empty if it is not
 * @param clock the skew of the clocks in words
 * @param skewSeconds by which the robot's clock is ahead
 * @param skewNotable true if people should know of it
 * @param odometry where it comes from: {@code /tf} or {@code /odom}
 * @param maps how many have come
 * @param effectiveSampleSize the newest Neff; NaN before the first answer
 */
record MappingDiagnostics(
    String robot,
    ReadingCounts counts,
    Map<String, Long> unusedByReason,
    long newlyRefused,
    double silentSeconds,
    String lastWhy,
    String outage,
    int waiting,
    String masterAway,
    String clock,
    double skewSeconds,
    boolean skewNotable,
    String odometry,
    long maps,
    double effectiveSampleSize) {

  private static final double LONG_SILENCE_SECONDS = 5;

  /** The state in one sentence: what is worst. */
  String sentence() {
    if (!outage.isEmpty()) {
      return "The broker is away, " + waiting + " scans wait for it: " + outage;
    }
    if (silentSeconds > LONG_SILENCE_SECONDS) {
      return String.format(Locale.ROOT, "No scan has come for %.0f s", silentSeconds);
    }
    if (newlyRefused > 0) {
      return lastWhy;
    }
    if (!masterAway.isEmpty()) {
      return masterAway;
    }
    if (skewNotable) {
      return clock + "; mapping goes on by the robot's";
    }
    return counts.processed() == 0 ? "Waiting for the service's first answer" : "Mapping";
  }

  private byte level() {
    if (!outage.isEmpty() || silentSeconds > LONG_SILENCE_SECONDS) {
      return DiagnosticStatus.ERROR;
    }
    boolean fine = newlyRefused == 0 && masterAway.isEmpty() && !skewNotable;
    return fine ? DiagnosticStatus.OK : DiagnosticStatus.WARN;
  }

  DiagnosticArray message(long number, long stampNanos) {
    DiagnosticStatus status =
        new DiagnosticStatus(
            level(), "cartostream: mapping of " + robot, sentence(), robot, values());
    return new DiagnosticArray(new Header(number, stampNanos, ""), List.of(status));
  }

  private List<KeyValue> values() {
    List<KeyValue> values = new ArrayList<>();
    values.add(value("scans read", counts.read()));
    values.add(value("scans processed", counts.processed()));
    values.add(value("scans refused", counts.refused()));
    values.add(value("scans skipped", counts.skipped()));
    values.add(value("scans lost", counts.lost()));
    values.add(value("scans waiting", waiting));
    for (Map.Entry<String, Long> reason : unusedByReason.entrySet()) {
      values.add(value(reason.getKey(), reason.getValue()));
    }
    values.add(new KeyValue("last reason", lastWhy));
    values.add(new KeyValue("odometry from", odometry));
    values.add(new KeyValue("clocks", clock));
    values.add(new KeyValue("clock skew [s]", String.format(Locale.ROOT, "%.3f", skewSeconds)));
    values.add(value("maps", maps));
    values.add(new KeyValue("Neff", String.format(Locale.ROOT, "%.1f", effectiveSampleSize)));
    return values;
  }

  private static KeyValue value(String key, long value) {
    return new KeyValue(key, Long.toString(value));
  }
}
