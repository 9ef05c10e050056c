package org.cartostream.checkpoint;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Output that collects the written bytes in blocks, one for each call. Of many megabytes it needs
 * no array as long as all of them, which a heap in use may not have in one piece, and copies
 * nothing to grow.
 */
final class BlockOutput extends OutputStream {

  private final List<ByteBuffer> blocks = new ArrayList<>();
  private final long max;
  private long size;

  /**
   * @param max so many bytes can be written
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

  /** The sum of the blocks' lengths, bytes. */
  static long bytes(ByteBuffer... blocks) {
    return Stream.of(blocks).mapToLong(ByteBuffer::remaining).sum();
  }

  /** All that was written, in its order. */
  ByteBuffer[] blocks() {
    return blocks.toArray(ByteBuffer[]::new);
  }
}
