package org.cartostream.gateway.ros.bag;

import java.io.Closeable;
import java.io.IOException;
import org.cartostream.gateway.ros.scan.OdometrySource;
import org.cartostream.gateway.ros.scan.ScanOdometrySync;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.gateway.ros.tf.TransformBuffer;
import org.cartostream.ros.RosException;
import org.cartostream.ros.bag.MessageFile;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.message.TfMessage;

/**
 * Reader of the moving transforms and the odometry of a bag, read ahead as far as the stamps of its
 * scans need them, whenever they were recorded.
 *
 * <p>Owns its own reader of the bag, the message that is held back, and how often time was set back
 * in odometry.
 */
final class BagMotion implements Closeable {

  private static final long NO_TIME = 0;
  private static final long NO_STAMP = Long.MIN_VALUE;

  /**
   * A message of motion.
   *
   * @param stampNanos stamp of the newest odometry in the message; {@link #NO_STAMP} if there is
   *     none
   */
  private record Motion(TfMessage transforms, Odometry odometry, long stampNanos) {}

  private final MessageFile bag;
  private final BagTransforms transforms;
  private final OdometrySource.Topics topics;
  private final ScanOdometrySync scanSync;

  /** Message that was read and not passed on yet: time is set back at it, or a gap precedes it. */
  private Motion held;

  private long newestNanos = NO_STAMP;
  private int epoch;
  private boolean ended;

  /**
   * @param scanSync receives the transforms and odometry
   */
  BagMotion(
      MessageFile bag,
      BagTransforms transforms,
      OdometrySource.Topics topics,
      ScanOdometrySync scanSync) {
    this.bag = bag;
    this.transforms = transforms;
    this.topics = topics;
    this.scanSync = scanSync;
  }

  /**
   * Reads on until the odometry of a scan was read, or none is to be expected.
   *
   * @param stampNanos stamp of the scan, nanoseconds
   * @param endNanos stamp of its last beam, until which odometry is read unless there is a gap
   * @param scanEpoch how often time was set back in the scans; odometry is not read beyond as many
   *     set-backs
   */
  void readTo(long stampNanos, long endNanos, int scanEpoch) throws IOException {
    while (!ended && (epoch < scanEpoch || newestNanos < endNanos)) {
      Motion next = held == null ? next() : held;
      held = null;
      if (next == null) {
        ended = true;
        return;
      }
      if (StampTrack.isSetBack(next.stampNanos(), newestNanos) && next.stampNanos() != NO_STAMP) {
        if (epoch == scanEpoch) {
          held = next;
          return;
        }
        epoch++;
        newestNanos = NO_STAMP;
      } else if (newestNanos >= stampNanos
          && next.stampNanos() > newestNanos + TransformBuffer.MAX_GAP_NANOS) {
        held = next;
        return;
      }
      pass(next);
    }
  }

  private void pass(Motion motion) {
    if (motion.odometry() != null) {
      scanSync.receive(motion.odometry(), NO_TIME);
    } else {
      scanSync.receive(motion.transforms(), false, NO_TIME);
    }
    newestNanos = Math.max(newestNanos, motion.stampNanos());
  }

  private Motion next() throws IOException {
    for (MessageFile.RecordedMessage each = bag.next(); each != null; each = bag.next()) {
      try {
        if (each.is(TfMessage.TYPE) && !BagTransforms.isFixed(each.topic())) {
          return transforms(each.topic(), each.as(TfMessage.TYPE));
        }
        if (each.is(Odometry.TYPE) && each.topic().equals(topics.messages())) {
          Odometry odometry = each.as(Odometry.TYPE);
          boolean serves = topics.isNamed() && RigidTransform.of(odometry.pose().pose()).isValid();
          return new Motion(null, odometry, serves ? odometry.header().stamp() : NO_STAMP);
        }
      } catch (RosException e) {
        continue; // It was counted when the bag was read for the first time.
      }
    }
    return null;
  }

  private Motion transforms(String topic, TfMessage message) {
    TfMessage heard = transforms.filter(topic, message);
    long stamp =
        topics.isNamed()
            ? NO_STAMP
            : heard.transforms().stream()
                .filter(transforms::isOdometry)
                .filter(each -> RigidTransform.of(each.transform()).isValid())
                .mapToLong(each -> each.header().stamp())
                .max()
                .orElse(NO_STAMP);
    return new Motion(heard, null, stamp);
  }

  @Override
  public void close() throws IOException {
    bag.close();
  }
}
