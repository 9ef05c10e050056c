package org.cartostream.gateway.live;

/**
 * A key frame in the queue of the {@link Backlog}.
 *
 * @param number from 0 since the queue was empty, or since the run began
 * @param block where it lies in the file; null if it is in memory
 * @param held its bytes; null if it is in the file
 */
record QueuedKeyFrame(long number, long stampNanos, Spool.Block block, byte[] held) {

  QueuedKeyFrame renumbered(long by) {
    return new QueuedKeyFrame(number + by, stampNanos, block, held);
  }

  int bytes() {
    return held == null ? block.bytes() : held.length;
  }
}
