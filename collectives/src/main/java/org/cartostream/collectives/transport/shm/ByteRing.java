package org.cartostream.collectives.transport.shm;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A ring of bytes in a mapped file, from one writer to one reader, which may be two processes. What
 * is free in it is the writer's credit, so no writer takes another's place, and one that dies in
 * the middle of a message leaves no other waiting.
 *
 * <p>The file has the number of bytes ever written (8 bytes), the number ever read (8), a flag each
 * of a reader and of a writer that waits to be woken (8), on cache lines of their own, and the
 * bytes. Each side keeps its own number, and checks that the other's lies within the ring. Each of
 * the two objects is guarded by its owner.
 */
final class ByteRing {

  /** Size of the largest ring, bytes: one of 1 MB fits into a processor's cache. */
  private static final int MAX_CAPACITY = 1 << 20;

  private static final int MIN_CAPACITY = 1 << 16;

  /** Size of all rings of a group, bytes, where the smallest rings allow it. */
  private static final long MAX_TOTAL = 64 << 20;

  private static final int WRITTEN = 0;
  private static final int READ = 64;
  private static final int READER_WAITS = 128;
  private static final int WRITER_WAITS = 192;
  private static final int DATA = 256;
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final int capacity;
  private final ByteBuffer map;
  private final ByteBuf bytes;

  /** Number of bytes that this side has ever written, or read. */
  private long own;

  private ByteRing(FileChannel file, int capacity) throws IOException {
    this.capacity = capacity;
    this.map = file.map(FileChannel.MapMode.READ_WRITE, 0, DATA + capacity);
    this.bytes = Unpooled.wrappedBuffer(map.slice(DATA, capacity));
  }

  /** Returns the number of bytes of a ring in a group that has one for each pair of members. */
  private static int capacity(int size) {
    long share = MAX_TOTAL / Math.max(1, size * (size - 1L));
    return (int) Math.max(MIN_CAPACITY, Math.min(MAX_CAPACITY, Long.highestOneBit(share)));
  }

  /**
   * Makes the file of a ring.
   *
   * @param size number of members of the group
   * @throws IOException if it is there already, or there is no room for all of it
   */
  static ByteRing create(Path path, int size) throws IOException {
    int capacity = capacity(size);
    try (FileChannel file =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      // Written, not just made long: where there is no room, a mapped page would end the process.
      ByteBuffer zeros = ByteBuffer.allocate(DATA + capacity);
      while (zeros.hasRemaining()) {
        file.write(zeros);
      }
      return new ByteRing(file, capacity);
    }
  }

  /**
   * Opens a ring that another process has made.
   *
   * @param size number of members of the group
   * @throws IOException if it is not there, is a link, or has another size
   */
  static ByteRing open(Path path, int size) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      int capacity = capacity(size);
      if (file.size() != DATA + capacity) {
        throw new IOException(
            "%s has %d bytes, not %d".formatted(path, file.size(), DATA + capacity));
      }
      return new ByteRing(file, capacity);
    }
  }

  private int used(long written, long read) {
    long used = written - read;
    if (used < 0 || used > capacity) {
      throw new IllegalStateException("a ring of %d bytes holds %d".formatted(capacity, used));
    }
    return (int) used;
  }

  private int free() {
    return capacity - used(own, (long) LONG.getAcquire(map, READ));
  }

  private int come() {
    return used((long) LONG.getAcquire(map, WRITTEN), own);
  }

  private ByteBuf part(int length) {
    int at = (int) (own % capacity);
    int first = Math.min(length, capacity - at);
    return first == length
        ? bytes.slice(at, length)
        : Unpooled.wrappedBuffer(bytes.slice(at, first), bytes.slice(0, length - first));
  }

  /** Returns room to write so many bytes, to be {@linkplain #commit committed}; else null. */
  ByteBuf room(int length) {
    return free() < length ? null : part(length).clear();
  }

  /** Hands so many bytes, which were written into the {@link #room}, to the reader. */
  void commit(int length) {
    own += length;
    LONG.setRelease(map, WRITTEN, own);
  }

  /** Writes as many bytes as there is room for. */
  void write(ByteBuf from) {
    int length = Math.min(free(), from.readableBytes());
    part(length).clear().writeBytes(from, length);
    commit(length);
  }

  /** Returns all bytes that have come and are not {@linkplain #consume consumed}. */
  ByteBuf readable() {
    return part(come());
  }

  /** Gives the room of so many bytes, which were read, back to the writer. */
  void consume(int length) {
    own += length;
    LONG.setRelease(map, READ, own);
  }

  /**
   * Says that the reader is about to wait.
   *
   * @param seen number of bytes that it has left in the ring
   * @return false if more have come
   */
  boolean readerWaits(int seen) {
    LONG.setVolatile(map, READER_WAITS, 1L);
    VarHandle.fullFence();
    return come() == seen;
  }

  /** Says that the writer is about to wait; returns false if there is room. */
  boolean writerWaits() {
    LONG.setVolatile(map, WRITER_WAITS, 1L);
    VarHandle.fullFence();
    return free() == 0;
  }

  /** Returns true if the reader must be woken; once for each time that it waits. */
  boolean mustWakeReader() {
    return mustWake(READER_WAITS);
  }

  /** Returns true if the writer must be woken; once for each time that it waits. */
  boolean mustWakeWriter() {
    return mustWake(WRITER_WAITS);
  }

  private boolean mustWake(int flag) {
    VarHandle.fullFence();
    return LONG.compareAndSet(map, flag, 1L, 0L);
  }
}
