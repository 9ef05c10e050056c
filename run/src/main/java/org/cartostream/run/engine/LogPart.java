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
 * Identification of the readings that a run has taken from its log, kept in its state. It
 * recognises the same log when the run resumes, and refuses another one that cannot be of the same
 * laser.
 *
 * @param before how many readings of the run are of earlier logs, which this one continued
 * @param first digest of the log's first reading; empty before it
 * @param all digest of all its readings, each with the digest of those before it
 * @param mount of the laser at the latest; null before the first
 * @param followsNanos another log that follows has later stamps; {@link Long#MIN_VALUE} if that
 *     need not be, for its first reading tells
 */
record LogPart(long before, byte[] first, byte[] all, Pose mount, long followsNanos) {

  /** A mount that is logged with each reading varies by the last digits of two poses. */
  private static final double MOUNT_METRES = 0.01;

  private static final double MOUNT_RADIANS = 0.01;

  /** Returns nothing of a log that follows so many readings. */
  static LogPart begun(long before) {
    return new LogPart(before, new byte[0], new byte[0], null, Long.MIN_VALUE);
  }

  /** Returns nothing of a log that follows so many readings of which only the end is known. */
  static LogPart behind(long before, long stampNanos, Pose mount) {
    return new LogPart(before, new byte[0], new byte[0], mount, stampNanos);
  }

  /**
   * @param message the next reading, encoded
   */
  LogPart and(byte[] message, Reading reading) {
    byte[] digest = chained(all, message);
    return new LogPart(
        before, all.length == 0 ? digest : first, digest, reading.scan().mount(), followsNanos);
  }

  /** True if this is the log's first reading, encoded. */
  boolean beginsWith(byte[] message) {
    return MessageDigest.isEqual(first, chained(new byte[0], message));
  }

  /**
   * Takes from a log the readings that are identified here, and checks that it is that log.
   *
   * @param outcomes of these readings, in their order
   * @param taken is told of each
   * @param otherwise what to do if it is not, for people
   * @throws CheckpointException if it is not
   */
  void skip(
      Iterator<LogEntry> entries,
      List<Outcome> outcomes,
      ReadingCodec codec,
      BiConsumer<Reading, Outcome> taken,
      String otherwise)
      throws CheckpointException {
    LogPart part = begun(before);
    Iterator<Outcome> next = outcomes.iterator();
    long sequence = before;
    while (next.hasNext() && entries.hasNext()) {
      if (entries.next() instanceof LogEntry.Usable usable) {
        taken.accept(usable.reading(), next.next());
        sequence++;
        part = part.and(codec.encode(sequence, usable.reading()), usable.reading());
      }
    }
    if (!MessageDigest.isEqual(all, part.all)) {
      throw new CheckpointException(
          "the run cannot go on from its checkpoint at reading "
              + (before + outcomes.size())
              + ": this log's readings until there are others; "
              + otherwise);
    }
  }

  /**
   * Checks that another log's first reading may follow.
   *
   * @throws CheckpointException if it is earlier, or of a laser that is mounted elsewhere
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
