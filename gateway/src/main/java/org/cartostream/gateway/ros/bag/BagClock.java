package org.cartostream.gateway.ros.bag;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.cartostream.gateway.ros.tf.TransformBuffer;

/**
 * Detector of places in a bag where the clock was set back; decides whether the rest belongs to the
 * same drive. A clock that is set back while the robot drives on does not matter. But a bag that
 * was played twice while it was recorded, or holds two drives, would lay two maps over each other.
 *
 * <p>Owns how often time was set back in the scans that have been read.
 */
final class BagClock {

  /** Least distance, metres, that shows another drive; a robot moves less between two messages. */
  private static final double ELSEWHERE_METRES = 1;

  private static final double ELSEWHERE_RADIANS = Math.PI / 3;

  private final Optional<StampTrack> odometry;

  /** Value of {@link #epoch} from which on scans belong to another drive. */
  private final int endEpoch;

  private final String notice;

  private long newestNanos = Long.MIN_VALUE;
  private int epoch;

  /**
   * @param odometry stamps of the odometry that is used; empty if there is none
   */
  BagClock(StampTrack scans, Optional<StampTrack> odometry) {
    this.odometry = odometry;
    List<StampTrack.SetBack> setBacks = scans.setBacks();
    int end = Integer.MAX_VALUE;
    String said = "";
    for (int i = 0; i < setBacks.size() && end == Integer.MAX_VALUE; i++) {
      StampTrack.SetBack setBack = setBacks.get(i);
      String why = whyItIsAnotherDrive(i, scans, odometry);
      end = why.isEmpty() ? end : i + 1;
      said =
          String.format(
              Locale.ROOT,
              "time was set back by %.2f s at scan %d of %d%s",
              setBack.byNanos() / 1e9,
              setBack.index(),
              scans.count(),
              why.isEmpty()
                  ? "; the robot drove on, and so does the map"
                  : ", and "
                      + why
                      + ": the map ends before it; cut the file there to map the rest");
    }
    this.endEpoch = end;
    this.notice = said;
  }

  /**
   * Returns why scans after a set-back are of another drive; empty if they seem to be of the same.
   */
  private static String whyItIsAnotherDrive(
      int which, StampTrack scans, Optional<StampTrack> odometry) {
    boolean isLast = which == scans.setBacks().size() - 1;
    if (isLast && scans.repeats() > 1) {
      return scans.repeats() + " scans have stamps that came before, as when a bag is played twice";
    }
    List<StampTrack.SetBack> moves = odometry.map(StampTrack::setBacks).orElse(List.of());
    if (which >= moves.size()) {
      return "";
    }
    StampTrack.SetBack move = moves.get(which);
    return move.metres() > ELSEWHERE_METRES || move.radians() > ELSEWHERE_RADIANS
        ? String.format(
            Locale.ROOT,
            "odometry goes on %.2f m and %.0f degrees away",
            move.metres(),
            Math.toDegrees(move.radians()))
        : "";
  }

  /** Returns a sentence for people about the bag's clock; empty if it only went forwards. */
  Optional<String> notice() {
    return notice.isEmpty() ? Optional.empty() : Optional.of(notice);
  }

  /**
   * Takes the stamp of the next scan. A stamp far from all odometry is ignored here; its scan is
   * refused elsewhere.
   */
  void next(long stampNanos) {
    if (!isNearOdometry(stampNanos)) {
      return;
    }
    if (StampTrack.isSetBack(stampNanos, newestNanos)) {
      epoch++;
      newestNanos = stampNanos;
    }
    newestNanos = Math.max(newestNanos, stampNanos);
  }

  private boolean isNearOdometry(long stampNanos) {
    return odometry
        .map(
            track ->
                stampNanos >= track.earliest() - TransformBuffer.KEPT_NANOS
                    && stampNanos <= track.latest() + TransformBuffer.KEPT_NANOS)
        .orElse(true);
  }

  /** True if a time is between the first and the last odometry, or there is no odometry. */
  boolean mayHaveOdometry(long stampNanos) {
    return odometry
        .map(track -> stampNanos >= track.earliest() && stampNanos <= track.latest())
        .orElse(true);
  }

  /** Returns how often time was set back in the scans so far. */
  int epoch() {
    return epoch;
  }

  /** True if the drive that is mapped is over. */
  boolean isOver() {
    return epoch >= endEpoch;
  }
}
