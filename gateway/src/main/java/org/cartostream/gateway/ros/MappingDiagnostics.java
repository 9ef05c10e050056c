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
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.localisation.RobotPose;

/**
 * The state of a robot's mapping at one moment, as {@code /diagnostics} shows it.
 *
 * @param robot its id
 * @param odometry source of odometry: {@code /tf} or {@code /odom}
 */
record MappingDiagnostics(
    String robot, Scans scans, Outages outages, Clock clock, String odometry, Answers answers) {

  /**
   * The robot's scans.
   *
   * @param counts numbers of scans by outcome
   * @param unusedByReason numbers of refused and skipped scans by the refusal's name
   * @param newlyRefused number of scans refused since the last diagnosis
   * @param silentSeconds seconds since the last scan came, or since the start if none has
   * @param lastReason why the last refused or lost scan was; empty if none was
   * @param waiting number of scans that wait to be sent
   * @param heldBack why scans are held back though the service is there; empty if none are
   */
  record Scans(
      ReadingCounts counts,
      Map<String, Long> unusedByReason,
      long newlyRefused,
      double silentSeconds,
      String lastReason,
      int waiting,
      String heldBack) {}

  /**
   * Servers that are away.
   *
   * @param service why no reading is sent to the service; empty if it is there
   * @param master why the ROS master is away; empty if it is there
   */
  record Outages(String service, String master) {}

  /**
   * The robot's clock beside the service's.
   *
   * @param sentence the skew in words
   * @param skewSeconds robot's clock minus the service's, seconds
   * @param isNotable true if people should know of it
   */
  record Clock(String sentence, double skewSeconds, boolean isNotable) {}

  /**
   * Answers of the service.
   *
   * @param maps number of maps that have come
   * @param mapCorrection number of the newest correction that the newest map shows
   * @param moves sudden moves of the robot's pose
   * @param pose the newest pose; null before the first answer
   */
  record Answers(long maps, int mapCorrection, MapToOdomPublisher.Moves moves, RobotPose pose) {

    /**
     * Returns the quality of localisation; null before the first answer, and if the robot makes its
     * map.
     */
    private LocalisationQuality quality() {
      return pose == null ? null : pose.quality();
    }

    private boolean isDoubtful() {
      return quality() != null && quality().state() != LocalisationQuality.State.OK;
    }

    private String sentence() {
      LocalisationQuality quality = quality();
      return switch (quality.state()) {
        case OK -> "Localised";
        case AMBIGUOUS ->
            String.format(
                Locale.ROOT,
                "The robot may be elsewhere: %.0f %% of the particles' weight is where its pose is",
                100 * quality.share());
        case LOST ->
            String.format(
                Locale.ROOT,
                "The robot is lost: only %.0f %% of what its laser meets stands in the map",
                100 * quality.fit());
      };
    }
  }

  private static final double LONG_SILENCE_SECONDS = 5;

  /** Returns a sentence about the worst problem, or about the normal state. */
  String sentence() {
    if (!outages.service().isEmpty()) {
      return scans.waiting() + " scans wait: " + outages.service();
    }
    if (scans.silentSeconds() > LONG_SILENCE_SECONDS) {
      return String.format(Locale.ROOT, "No scan has come for %.0f s", scans.silentSeconds());
    }
    if (!scans.heldBack().isEmpty()) {
      return scans.heldBack();
    }
    if (scans.newlyRefused() > 0) {
      return scans.lastReason();
    }
    if (!outages.master().isEmpty()) {
      return outages.master();
    }
    if (answers.isDoubtful()) {
      return answers.sentence();
    }
    if (clock.isNotable()) {
      return clock.sentence() + "; mapping goes on by the robot's";
    }
    if (answers.quality() != null) {
      return answers.sentence();
    }
    return scans.counts().processed() == 0 ? "Waiting for the service's first answer" : "Mapping";
  }

  private byte level() {
    if (!outages.service().isEmpty() || scans.silentSeconds() > LONG_SILENCE_SECONDS) {
      return DiagnosticStatus.ERROR;
    }
    boolean fine =
        scans.newlyRefused() == 0
            && scans.heldBack().isEmpty()
            && outages.master().isEmpty()
            && !clock.isNotable()
            && !answers.isDoubtful();
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
    values.add(value("scans read", scans.counts().read()));
    values.add(value("scans processed", scans.counts().processed()));
    values.add(value("scans refused", scans.counts().refused()));
    values.add(value("scans skipped", scans.counts().skipped()));
    values.add(value("scans lost", scans.counts().lost()));
    values.add(value("scans waiting", scans.waiting()));
    for (Map.Entry<String, Long> reason : scans.unusedByReason().entrySet()) {
      values.add(value(reason.getKey(), reason.getValue()));
    }
    values.add(new KeyValue("last reason", scans.lastReason()));
    values.add(new KeyValue("odometry from", odometry));
    values.add(new KeyValue("clocks", clock.sentence()));
    values.add(value("clock skew [s]", "%.3f", clock.skewSeconds()));
    values.add(value("maps", answers.maps()));
    values.add(value("corrections", answers.moves().correction().number()));
    values.add(value("corrections in the map", answers.mapCorrection()));
    values.add(value("last correction [m]", "%.2f", answers.moves().correction().movedMetres()));
    values.add(value("jumps without a loop", answers.moves().jumps()));
    values.add(
        value(
            "Neff",
            "%.1f",
            answers.pose() == null ? Double.NaN : answers.pose().effectiveSampleSize()));
    if (answers.quality() != null) {
      LocalisationQuality quality = answers.quality();
      values.add(new KeyValue("localisation", quality.state().name()));
      values.add(value("fit", "%.3f", quality.fit()));
      values.add(value("deviation [m]", "%.3f", quality.deviationMetres()));
      values.add(value("deviation [rad]", "%.4f", quality.deviationRadians()));
      values.add(value("share", "%.3f", quality.share()));
    }
    return values;
  }

  private static KeyValue value(String key, long value) {
    return new KeyValue(key, Long.toString(value));
  }

  private static KeyValue value(String key, String format, double value) {
    return new KeyValue(key, String.format(Locale.ROOT, format, value));
  }
}
