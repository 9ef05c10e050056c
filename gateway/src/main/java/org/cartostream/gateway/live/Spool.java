package org.cartostream.gateway.live;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A file of bounded size that holds blocks of bytes. Whoever appends one keeps the place where it
 * lies; {@link #compact} leaves out the blocks that it is not given.
 *
 * <p>Each block has its length and checksum before it, so that they are found again in a file that
 * an earlier process left: all before the first that is not whole. Owns the file, which is deleted
 * when it is closed. Not for several threads.
 */
final class Spool implements Closeable {

  /** A block's length and checksum. */
  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  /** Position of a block in the file. */
  record Block(long offset, int bytes) {}

  private final Path file;
  private final long maxBytes;
  private FileChannel channel;
  private long end;

  /**
   * @param file is created if it is not there; what is in it is {@link #blocks found} or {@link
   *     #clear}ed
   * @param maxBytes size that the file never exceeds
   */
  Spool(Path file, long maxBytes) throws IOException {
    this.file = file;
    this.maxBytes = maxBytes;
    this.channel = open(file);
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** The blocks that an earlier process left, in their order; the next is appended behind them. */
  List<Block> blocks() throws IOException {
    List<Block> found = new ArrayList<>();
    end = 0;
    while (end + HEAD_BYTES <= channel.size()) {
      Block next = new Block(end, read(channel, end, Integer.BYTES).getInt());
      if (next.bytes() < 0 || end + HEAD_BYTES + next.bytes() > channel.size() || !isWhole(next)) {
        break;
      }
      found.add(next);
      end += HEAD_BYTES + next.bytes();
    }
    channel.truncate(end);
    return found;
  }

  private boolean isWhole(Block block) throws IOException {
    int checksum = read(channel, block.offset() + Integer.BYTES, Integer.BYTES).getInt();
    return checksum == checksum(read(block));
  }

  private static int checksum(byte[] block) {
    CRC32 checksum = new CRC32();
    checksum.update(block);
    return (int) checksum.getValue();
  }

  /** Forgets all blocks. */
  void clear() throws IOException {
    end = 0;
    channel.truncate(0);
  }

  /** True if a block fits behind the last one. */
  boolean hasRoomFor(int bytes) {
    return end + HEAD_BYTES + bytes <= maxBytes;
  }

  /** Appends a block, which must fit. */
  Block append(byte[] block) throws IOException {
    Block place = new Block(end, block.length);
    ByteBuffer all = ByteBuffer.allocate(HEAD_BYTES + block.length);
    all.putInt(block.length).putInt(checksum(block)).put(block).flip();
    while (all.hasRemaining()) {
      channel.write(all, end + all.position());
    }
    end += all.capacity();
    return place;
  }

  byte[] read(Block place) throws IOException {
    return read(channel, place.offset() + HEAD_BYTES, place.bytes()).array();
  }

  private ByteBuffer read(FileChannel from, long offset, int bytes) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(bytes);
    while (block.hasRemaining()) {
      if (from.read(block, offset + block.position()) < 0) {
        throw new EOFException(file + " was cut off at " + from.size() + " bytes");
      }
    }
    return block.flip();
  }

  /**
   * Forgets all blocks but some, in a new file that takes the place of this one.
   *
   * @param kept in the order in which they were appended
   * @return their new places, in the same order
   * @throws IOException if the disk has no room for both; then all blocks are where they were
   */
  List<Block> compact(Collection<Block> kept) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(next);
    FileChannel before = channel;
    long endBefore = end;
    List<Block> moved = new ArrayList<>(kept.size());
    channel = open(next);
    end = 0;
    try {
      for (Block place : kept) {
        moved.add(append(read(before, place.offset() + HEAD_BYTES, place.bytes()).array()));
      }
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      channel.close();
      channel = before;
      end = endBefore;
      Files.deleteIfExists(next);
      throw e;
    }
    before.close();
    return moved;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
  }
}
