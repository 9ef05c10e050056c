package org.cartostream.gateway.live;

import org.cartostream.gateway.journal.BlockLog;

/**
 * A key frame in the queue of the {@link Backlog}.
 *
 * @param number from 0 since the queue was empty, or since the run began
 * @param block where it lies in the file, or in memory
 */
record QueuedKeyFrame(long number, long stampNanos, BlockLog.Block block) {

  QueuedKeyFrame renumbered(long by) {
    return new QueuedKeyFrame(number + by, stampNanos, block);
  }
}
