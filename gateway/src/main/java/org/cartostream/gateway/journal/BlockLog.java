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
 * <p>Before each block are its length, that with all bits turned, and a checksum (CRC-32C). What a
 * kill or a power cut has left of a block that was not written to its end is no block, and what is
 * appended next comes in its place: any pages of it may be missing, so whatever is behind the last
 * whole block counts as that, unless another block begins there. Says once when its disk takes
 * nothing more, and once when it does again. Owns the file. Not for several threads.
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
   * @param offset where its head begins in the file
   * @param held what is in it; null if it is in the file
   */
  public record Block(long offset, int bytes, byte[] held) {

    /** One that is in no file. */
    public static Block inMemory(byte[] held) {
      return new Block(-1, held.length, held);
    }
  }

  private final Path path;
  private final String whenUnwritable;
  private FileChannel channel;
  private long end;

  /** True if it could not be written last time. */
  private boolean isUnwritable;

  /**
   * Opens a file, or makes an empty one. What is in it is {@link #recover}ed or {@link #rewrite
   * rewritten} first.
   *
   * @param whenUnwritable what it means for people that it cannot be written
   */
  public BlockLog(Path path, String whenUnwritable) throws IOException {
    this.path = path;
    this.whenUnwritable = whenUnwritable;
    channel = open(path);
  }

  /** A folder may be a stranger's: what a link leads to is not written, and a device has no end. */
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
   * The blocks that an earlier process left, in their order; what is appended comes behind them.
   *
   * @throws GatewayException if one is not what was written and that is refused
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

  /** Null if it was not written to its end. */
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

  /** True if another block begins at a byte or behind it. */
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
   * @param isForced whether it is on the disk when this returns
   * @throws IOException if it cannot be written; another process may find it all the same, until
   *     the next one is appended
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

  /** True if so many bytes can be written beside the file, as far as its disk knows. */
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
   * Writes some blocks, and no others, to a new file that takes the place of this one. This one may
   * have been deleted meanwhile.
   *
   * @param kept in the order in which they shall lie there
   * @param isForced whether they are on the disk before it does
   * @return the same blocks in the new file
   * @throws IOException if the disk has no room for both; then all blocks are where they were
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

  /** Goes on in the file that has taken the place of this one, whatever fails here. */
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
