package org.cartostream.gateway.live;

import org.cartostream.gateway.journal.BlockLog;

/**
 * A key frame in the queue of the {@link Backlog}.
 *
 * @param number consecutive number, from 0 since the queue was last empty or the run began
 * @param block the encoded reading, in the file or in memory
 */
record QueuedKeyFrame(long number, long stampNanos, BlockLog.Block block) {

  QueuedKeyFrame renumbered(long by) {
    return new QueuedKeyFrame(number + by, stampNanos, block);
  }
}
