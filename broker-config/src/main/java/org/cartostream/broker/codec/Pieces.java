package org.cartostream.broker.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;

/**
 * Puts frames together that crossed the broker in pieces, for none there is larger than {@link
 * #PIECE_BYTES}. A piece is a header of {@link #HEADER_BYTES} bytes, little-endian: the magic
 * {@code CRTP}, a random number that all pieces of a frame have, its own number from 0, the frame's
 * bytes; then its part of the frame. Pieces may come twice and in any order, but for the first,
 * with which it is decided whether the frame is taken.
 *
 * <p>Owns the frames that are not whole yet: one for each sender, and in all as many bytes as the
 * largest frame or an eighth of the heap has. Thread-safe.
 */
public final class Pieces {

  /** The largest message at the broker: RabbitMQ's {@code max_message_size}. */
  public static final int PIECE_BYTES = 1 << 16;

  static final int HEADER_BYTES = 20;

  private static final int PART_BYTES = PIECE_BYTES - HEADER_BYTES;
  private static final int MAGIC = 'C' | 'R' << 8 | 'T' << 16 | 'P' << 24;
  private static final int HEAP_PARTS = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A frame of which nothing has come for so long makes room for others. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final class Incomplete {
    private final long id;
    private final byte[] frame;
    private final boolean[] has;
    private int missing;
    private long heardNanos;

    Incomplete(long id, int bytes) {
      this.id = id;
      frame = new byte[bytes];
      has = new boolean[count(bytes)];
      missing = has.length;
    }
  }

  private final int mostFrameBytes;
  private final long mostBytes;
  private final Map<String, Incomplete> bySender = new HashMap<>();
  private long bytes;

  /**
   * @param mostFrameBytes of a frame
   */
  public Pieces(int mostFrameBytes) {
    this(mostFrameBytes, Math.max(mostFrameBytes, Runtime.getRuntime().maxMemory() / HEAP_PARTS));
  }

  Pieces(int mostFrameBytes, long mostBytes) {
    this.mostFrameBytes = mostFrameBytes;
    this.mostBytes = mostBytes;
  }

  private static int count(int bytes) {
    return (int) (((long) bytes + PART_BYTES - 1) / PART_BYTES);
  }

  /** The messages as which a frame crosses the broker: itself, if it is small enough. */
  public static List<byte[]> of(byte[] frame) {
    if (frame.length <= PIECE_BYTES) {
      return List.of(frame);
    }
    long id = RANDOM.nextLong();
    List<byte[]> pieces = new ArrayList<>();
    for (int from = 0; from < frame.length; from += PART_BYTES) {
      int length = Math.min(PART_BYTES, frame.length - from);
      ByteBuffer piece = ByteBuffer.allocate(HEADER_BYTES + length).order(ByteOrder.LITTLE_ENDIAN);
      piece.putInt(MAGIC).putLong(id).putInt(pieces.size()).putInt(frame.length);
      pieces.add(piece.put(frame, from, length).array());
    }
    return pieces;
  }

  /**
   * Takes a message from the broker.
   *
   * @param sender for which pieces are put together: the routing key
   * @param accepts decides by a frame's size whether it is taken
   * @return the frame that is whole now; empty if there is none
   * @throws RefusedMessageException if it is a piece that makes no sense, or for which no room is
   */
  public synchronized Optional<byte[]> take(String sender, byte[] message, IntPredicate accepts) {
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    if (message.length < HEADER_BYTES || in.getInt() != MAGIC) {
      return accepts.test(message.length) ? Optional.of(message) : Optional.empty();
    }
    long id = in.getLong();
    int number = in.getInt();
    int size = in.getInt();
    if (size <= PIECE_BYTES || size > mostFrameBytes) {
      throw BrokerRefusal.TOO_LARGE.exception(
          "pieces of %d bytes, at least %d and at most %d"
              .formatted(size, PIECE_BYTES + 1, mostFrameBytes));
    }
    if (number < 0
        || number >= count(size)
        || in.remaining() != Math.min(PART_BYTES, size - number * PART_BYTES)) {
      throw BrokerRefusal.GARBAGE.exception(
          "piece %d of %d has %d bytes".formatted(number, count(size), in.remaining()));
    }
    Incomplete its = bySender.get(sender);
    if (number == 0 && (its == null || its.id != id) && accepts.test(size)) {
      drop(sender);
      its = begin(sender, id, size);
    }
    if (its == null || its.id != id || its.frame.length != size) {
      return Optional.empty();
    }
    its.heardNanos = System.nanoTime();
    if (!its.has[number]) {
      its.has[number] = true;
      its.missing--;
      in.get(its.frame, number * PART_BYTES, in.remaining());
    }
    if (its.missing > 0) {
      return Optional.empty();
    }
    drop(sender);
    return Optional.of(its.frame);
  }

  private Incomplete begin(String sender, long id, int size) {
    if (bytes + size > mostBytes) {
      long oldest = System.nanoTime() - PATIENCE_NANOS;
      List<String> given =
          bySender.entrySet().stream()
              .filter(each -> each.getValue().heardNanos - oldest < 0)
              .map(Map.Entry::getKey)
              .toList();
      given.forEach(this::drop);
    }
    if (bytes + size > mostBytes) {
      throw BrokerRefusal.NO_ROOM.exception(
          "%d bytes beside %d of others, %d at most".formatted(size, bytes, mostBytes));
    }
    Incomplete begun = new Incomplete(id, size);
    bySender.put(sender, begun);
    bytes += size;
    return begun;
  }

  private void drop(String sender) {
    Incomplete dropped = bySender.remove(sender);
    bytes -= dropped == null ? 0 : dropped.frame.length;
  }
}
