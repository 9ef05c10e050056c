package org.cartostream.checkpoint;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Output that keeps the written bytes in memory as a list of blocks, one for each write. Many
 * megabytes then need no single array of that length, for which a fragmented heap may lack room,
 * and nothing is copied to grow.
 */
final class BlockOutput extends OutputStream {

  private final List<ByteBuffer> blocks = new ArrayList<>();
  private final long max;
  private long size;

  /**
   * @param max number of bytes that can be written; more throw an {@link IllegalStateException}
   */
  BlockOutput(long max) {
    this.max = max;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    size += length;
    if (size > max) {
      throw new IllegalStateException(
          "a state of more than %d MB cannot be kept; fewer particles, more tasks or coarser cells make it smaller"
              .formatted(max >> 20));
    }
    byte[] block = new byte[length];
    System.arraycopy(bytes, offset, block, 0, length);
    blocks.add(ByteBuffer.wrap(block));
  }

  /** Returns the sum of the blocks' lengths, bytes. */
  static long bytes(ByteBuffer... blocks) {
    return Stream.of(blocks).mapToLong(ByteBuffer::remaining).sum();
  }

  /** Returns all blocks, in the order in which they were written. */
  ByteBuffer[] blocks() {
    return blocks.toArray(ByteBuffer[]::new);
  }
}
