package org.cartostream.gateway.journal;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.cartostream.gateway.GatewayException;
import org.cartostream.settings.file.RegularFile;
import org.cartostream.slam.file.DiskName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A write-ahead log: a file to which blocks of bytes are appended, so that another process finds
 * them if this one dies. Whoever appends a block keeps the place where it lies; {@link #rewrite}
 * leaves out the blocks that it is not given.
 *
 * <p>Each block has a head: its length, the bitwise complement of the length, and a checksum
 * (CRC-32C). A kill or a power cut may leave an incomplete block, of which any pages may be
 * missing. So the bytes behind the last whole block count as an incomplete block, which the next
 * block overwrites; but if another block begins behind them, the file is damaged. Logs once when
 * the disk can no longer be written, and once when it can be written again. Owns the file. Not for
 * several threads.
 */
public final class BlockLog implements Closeable {

  /** Size of what {@link #append} adds to a block, bytes. */
  public static final int HEAD_BYTES = 3 * Integer.BYTES;

  /** Maximum length of a block, bytes: no message is longer. */
  public static final int MAX_BLOCK_BYTES = 1 << 27;

  private static final Logger LOG = LoggerFactory.getLogger(BlockLog.class);

  /** Treatment of a file with a damaged block. */
  public enum OnDamage {
    REFUSE,
    /** The damaged block, and all behind it, count as not written. */
    CUT_OFF
  }

  /**
   * A block, in the file or in memory.
   *
   * @param offset position of the block's head in the file
   * @param held the block's content; null if the content is only in the file
   */
  public record Block(long offset, int bytes, byte[] held) {

    /** Returns a block that is only in memory. */
    public static Block inMemory(byte[] held) {
      return new Block(-1, held.length, held);
    }
  }

  private final Path path;
  private final String whenUnwritable;
  private FileChannel channel;
  private long end;

  /** True if the last attempt to write the file failed. */
  private boolean isUnwritable;

  /**
   * Opens a file, or makes an empty one. Next call {@link #recover} to keep its blocks, or {@link
   * #rewrite} to replace them.
   *
   * @param whenUnwritable clause for the log: the consequence of a file that cannot be written
   */
  public BlockLog(Path path, String whenUnwritable) throws IOException {
    this.path = path;
    this.whenUnwritable = whenUnwritable;
    channel = open(path);
  }

  /**
   * Opens a regular file only. Others may write into the folder: a link could lead to any file, and
   * a device may never end.
   */
  private static FileChannel open(Path path) throws IOException {
    RegularFile.requireNoLink(path, DamagedJournalException::new);
    return FileChannel.open(
        path,
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        NOFOLLOW_LINKS);
  }

  /**
   * Reads the blocks that an earlier process left, in the order of the file. New blocks are
   * appended behind them.
   *
   * @throws GatewayException if a block is damaged and {@code onDamage} refuses that
   */
  public List<Block> recover(OnDamage onDamage) throws IOException {
    List<Block> found = new ArrayList<>();
    end = 0;
    try {
      for (Block next = wholeAt(0); next != null; next = wholeAt(end)) {
        end += HEAD_BYTES + next.bytes();
        found.add(next);
      }
    } catch (GatewayException e) {
      if (onDamage == OnDamage.REFUSE) {
        throw new DamagedJournalException(
            e.getMessage() + "; without --resume the run begins anew");
      }
      LOG.warn("{}; what comes behind is lost", e.getMessage());
    }
    return found;
  }

  /** Reads the block at a position; null if the block is incomplete. */
  private Block wholeAt(long start) throws IOException {
    try {
      ByteBuffer head = read(start, HEAD_BYTES);
      int length = head.getInt();
      boolean isLength = isLength(length, head.getInt());
      if (isLength && start + HEAD_BYTES + length > channel.size()) {
        return null;
      }
      Block block = new Block(start, length, null);
      if (isLength && head.getInt() == checksum(read(block))) {
        return block;
      }
      if (hasHead(isLength ? start + HEAD_BYTES + length : start + 1)) {
        throw new GatewayException(
            "%s is damaged at byte %d: a block is not what was written".formatted(path, start));
      }
      return null;
    } catch (EOFException e) {
      return null;
    }
  }

  private static boolean isLength(int length, int turned) {
    return turned == ~length && length > 0 && length <= MAX_BLOCK_BYTES;
  }

  /** True if a block seems to begin at position {@code from} or behind it. */
  private boolean hasHead(long from) throws IOException {
    InputStream rest = Channels.newInputStream(channel.position(from));
    byte[] chunk = new byte[1 << 16]; // Not byte by byte: a file may be sparse, and of gigabytes.
    long left = channel.size() - from;
    long last = -1;
    for (int bytes = rest.read(chunk); bytes >= 0; bytes = rest.read(chunk)) {
      for (int i = 0; i < bytes; i++) {
        last = last << Byte.SIZE | Byte.toUnsignedInt(chunk[i]);
        left--;
        int length = (int) (last >>> Integer.SIZE);
        if (isLength(length, (int) last) && length + Integer.BYTES <= left) {
          return true;
        }
      }
    }
    return false;
  }

  static int checksum(byte[] block) {
    CRC32C checksum = new CRC32C();
    checksum.update(block);
    return (int) checksum.getValue();
  }

  /** Length of all blocks in the file with their heads, bytes. */
  public long length() {
    return end;
  }

  /**
   * Appends a block.
   *
   * @param isForced true to return only when the block is on the disk
   * @throws IOException if the block cannot be written; another process may find the block all the
   *     same, until the next append
   */
  public Block append(byte[] bytes, boolean isForced) throws IOException {
    return trying(
        () -> {
          channel.truncate(end); // Else what was not written to its end would lie behind this one.
          Block block = write(channel, end, bytes);
          if (isForced) {
            channel.force(true);
          }
          end += HEAD_BYTES + bytes.length;
          return block;
        });
  }

  private static Block write(FileChannel to, long offset, byte[] bytes) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(HEAD_BYTES + bytes.length);
    all.putInt(bytes.length).putInt(~bytes.length).putInt(checksum(bytes)).put(bytes).flip();
    while (all.hasRemaining()) {
      to.write(all, offset + all.position());
    }
    return new Block(offset, bytes.length, null);
  }

  private interface Writing<T> {
    T run() throws IOException;
  }

  private <T> T trying(Writing<T> writing) throws IOException {
    try {
      T written = writing.run();
      if (isUnwritable) {
        LOG.info("{} can be written again", path);
      }
      isUnwritable = false;
      return written;
    } catch (IOException e) {
      if (!isUnwritable) {
        LOG.warn(
            "{} on the disk {} cannot be written ({}): {}; make room there",
            path,
            DiskName.of(path),
            e.getMessage(),
            whenUnwritable);
      }
      isUnwritable = true;
      throw e;
    }
  }

  /** True if the file's disk reports more than this number of usable bytes. */
  public boolean hasDiskRoomFor(long bytes) {
    try {
      return Files.getFileStore(path.toAbsolutePath().getParent()).getUsableSpace() > bytes;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the content of a block. */
  public byte[] read(Block block) throws IOException {
    return block.held() == null
        ? read(block.offset() + HEAD_BYTES, block.bytes()).array()
        : block.held();
  }

  private ByteBuffer read(long offset, int bytes) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(bytes);
    while (block.hasRemaining()) {
      if (channel.read(block, offset + block.position()) < 0) {
        throw new EOFException(path + " was cut off at " + channel.size() + " bytes");
      }
    }
    return block.flip();
  }

  /**
   * Replaces the file by a new one that has the given blocks only. The old file may have been
   * deleted meanwhile.
   *
   * @param kept the blocks of the new file, in its order
   * @param isForced true to have the blocks on the disk before the file is replaced
   * @return the same blocks in the new file
   * @throws IOException if the new file cannot be written; then the old file and its blocks are
   *     unchanged
   */
  public List<Block> rewrite(List<Block> kept, boolean isForced) throws IOException {
    return trying(
        () -> {
          Path next = path.resolveSibling(path.getFileName() + ".new");
          Files.deleteIfExists(next);
          FileChannel to = open(next);
          List<Block> moved;
          long length;
          try {
            moved = copy(kept, to);
            length = to.size();
            if (isForced) {
              to.force(true);
            }
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
          } catch (IOException e) {
            to.close();
            Files.deleteIfExists(next);
            throw e;
          }
          goOnIn(to, length, isForced);
          return moved;
        });
  }

  private List<Block> copy(List<Block> kept, FileChannel to) throws IOException {
    List<Block> moved = new ArrayList<>(kept.size());
    long length = 0;
    for (Block each : kept) {
      moved.add(write(to, length, read(each)));
      length += HEAD_BYTES + each.bytes();
    }
    return moved;
  }

  /**
   * Switches to the new file, which has replaced the old one. A failure to force the folder to the
   * disk is only logged.
   */
  private void goOnIn(FileChannel next, long length, boolean isForced) {
    FileChannel before = channel;
    channel = next;
    end = length;
    Path folder = path.toAbsolutePath().getParent();
    try (before;
        FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
      if (isForced) {
        entries.force(true);
      }
    } catch (IOException e) {
      LOG.warn("a power cut may bring back {} as it was before", path, e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
