package org.cartostream.run.engine;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.cartostream.broker.message.Outcome;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;

/**
 * Digests of the readings that a run has taken from its log, kept in its state. They recognise the
 * same log when the run resumes, and refuse another one that cannot be of the same laser.
 *
 * @param before number of the run's readings from earlier logs, which this log continues
 * @param first digest of the log's first reading; empty before that reading
 * @param all chained digest of the log's readings: each reading is digested with the digest of the
 *     readings before
 * @param mount the laser's mount at the latest reading; null before the first
 * @param followsNanos stamp after which a following log must begin, nanoseconds; {@link
 *     Long#MIN_VALUE} if any stamp will do, because the digest of the first reading tells the two
 *     logs apart
 */
record LogFingerprint(long before, byte[] first, byte[] all, Pose mount, long followsNanos) {

  /**
   * Tolerance of the mount, metres. In logs that have the mount as the difference of two poses at
   * each reading, it varies in the last digits.
   */
  private static final double MOUNT_METRES = 0.01;

  private static final double MOUNT_RADIANS = 0.01;

  /** Returns the fingerprint of no readings yet, of a log that follows {@code before} others. */
  static LogFingerprint begun(long before) {
    return new LogFingerprint(before, new byte[0], new byte[0], null, Long.MIN_VALUE);
  }

  /**
   * Returns the fingerprint of no readings yet, of a log that follows {@code before} others, of
   * which only the last one's stamp and mount are known.
   */
  static LogFingerprint behind(long before, long stampNanos, Pose mount) {
    return new LogFingerprint(before, new byte[0], new byte[0], mount, stampNanos);
  }

  /**
   * Returns the fingerprint with one more reading.
   *
   * @param message the reading, encoded
   */
  LogFingerprint and(byte[] message, Reading reading) {
    byte[] digest = chained(all, message);
    return new LogFingerprint(
        before, all.length == 0 ? digest : first, digest, reading.scan().mount(), followsNanos);
  }

  /** Returns true if the encoded reading is the log's first. */
  boolean beginsWith(byte[] message) {
    return MessageDigest.isEqual(first, chained(new byte[0], message));
  }

  /**
   * Skips a log's readings that were taken before, and checks that they are the same readings.
   *
   * @param outcomes outcomes of the skipped readings, in their order
   * @param taken receives each skipped reading with its outcome
   * @param otherwise advice for people, for the exception's message
   * @throws CheckpointException if the log has other readings
   */
  void skip(
      Iterator<LogEntry> entries,
      List<Outcome> outcomes,
      ReadingCodec codec,
      BiConsumer<Reading, Outcome> taken,
      String otherwise)
      throws CheckpointException {
    LogFingerprint known = begun(before);
    Iterator<Outcome> next = outcomes.iterator();
    long sequence = before;
    while (next.hasNext() && entries.hasNext()) {
      if (entries.next() instanceof LogEntry.Usable usable) {
        taken.accept(usable.reading(), next.next());
        sequence++;
        known = known.and(codec.encode(sequence, usable.reading()), usable.reading());
      }
    }
    if (!MessageDigest.isEqual(all, known.all)) {
      throw new CheckpointException(
          "the run cannot go on from its checkpoint at reading "
              + (before + outcomes.size())
              + ": this log's readings until there are others; "
              + otherwise);
    }
  }

  /**
   * Checks that the first reading of another log may follow this log.
   *
   * @throws CheckpointException if the reading is too early, or its laser is mounted elsewhere
   */
  void requireFollowedBy(Reading next) throws CheckpointException {
    if (next.stampNanos() <= followsNanos) {
      throw new CheckpointException(
          ("the run cannot go on with this log, which begins %.3f s before the state's end: a state"
                  + " that a service left goes on with what follows only")
              .formatted((followsNanos - next.stampNanos()) / 1e9));
    }
    Pose other = next.scan().mount();
    if (mount == null) {
      return;
    }
    boolean isSame =
        mount.distance(other) <= MOUNT_METRES
            && Math.abs(Pose.wrap(mount.theta() - other.theta())) <= MOUNT_RADIANS;
    if (!isSame) {
      throw new CheckpointException(
          ("the run cannot go on with this log, whose laser is mounted at %s: that of the state is"
                  + " mounted at %s")
              .formatted(text(other), text(mount)));
    }
  }

  private static String text(Pose mount) {
    return String.format(
        Locale.ROOT, "(%.3f m, %.3f m, %.3f rad)", mount.x(), mount.y(), mount.theta());
  }

  private static byte[] chained(byte[] before, byte[] reading) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(before);
      return digest.digest(reading);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }
}
