package org.cartostream.gateway.live;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A file of bounded size that holds blocks of bytes. Whoever appends one keeps the place where it
 * lies; {@link #compact} overwrites the blocks that it is not given.
 *
 * <p>Owns the file, which is deleted when it is closed. Not for several threads.
 */
final class Spool implements Closeable {

  /** Where a block lies in the file. */
  record Block(long offset, int bytes) {}

  private final Path file;
  private final long maxBytes;
  private final FileChannel channel;
  private long end;

  /**
   * @param file is created, or emptied if it is there
   * @param maxBytes size that the file never exceeds
   */
  Spool(Path file, long maxBytes) throws IOException {
    this.file = file;
    this.maxBytes = maxBytes;
    this.channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
  }

  /** True if a block fits behind the last one. */
  boolean hasRoomFor(int bytes) {
    return end + bytes <= maxBytes;
  }

  /** Appends a block, which must fit. */
  Block append(byte[] block) throws IOException {
    Block place = new Block(end, block.length);
    write(block, end);
    end += block.length;
    return place;
  }

  byte[] read(Block place) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(place.bytes());
    while (block.hasRemaining()) {
      if (channel.read(block, place.offset() + block.position()) < 0) {
        throw new EOFException(file + " was cut off at " + channel.size() + " bytes");
      }
    }
    return block.array();
  }

  /**
   * Moves blocks to the front of the file, and forgets all others.
   *
   * @param kept in the order in which they were appended
   * @return their new places, in the same order
   */
  List<Block> compact(Collection<Block> kept) throws IOException {
    List<Block> moved = new ArrayList<>(kept.size());
    end = 0;
    for (Block place : kept) {
      moved.add(append(read(place))); // Never onto a block that is still to be read.
    }
    return moved;
  }

  private void write(byte[] block, long offset) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(block);
    while (rest.hasRemaining()) {
      channel.write(rest, offset + rest.position());
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
  }
}
