package org.cartostream.broker.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;

/**
 * Fragmentation of frames larger than {@link #PIECE_BYTES}, which cross the broker in pieces and
 * are put together again. A piece is a header of {@link #HEADER_BYTES} bytes, little-endian: the
 * magic {@code CRTP}, a random id that all pieces of a frame share, the piece's number from 0, the
 * frame's size in bytes; then a part of the frame. Pieces may come twice and in any order, also
 * between those of another frame: a full queue rejects single pieces, which are sent again.
 *
 * <p>Owns the incomplete frames with the receipts of their pieces, and the ids of the latest frames
 * that need no more pieces. All incomplete frames together have at most as many bytes as the
 * largest frame or an eighth of the heap, whichever is more. Where a new frame finds no room,
 * frames are given up that have got no piece for {@link #PATIENCE_NANOS}, or whose sender has more
 * than a quarter of the bytes allowed. Thread-safe.
 */
public final class FrameFragmentation {

  /** Size of the largest message at the broker, RabbitMQ's {@code max_message_size}. */
  public static final int PIECE_BYTES = 1 << 16;

  static final int HEADER_BYTES = 20;

  private static final int NUMBER_AT = 12;

  /** Time without a new piece after which a frame makes room for others. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int PART_BYTES = PIECE_BYTES - HEADER_BYTES;
  private static final int MAGIC = 'C' | 'R' << 8 | 'T' << 16 | 'P' << 24;
  private static final int HEAP_PARTS = 8;
  private static final int SENDERS_A_ROOM = 4;
  private static final int MAX_DONE = 1024;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Key of a frame: its sender, and the id that its pieces share. */
  private record Key(String sender, long id) {}

  /**
   * Complete frame.
   *
   * @param pendingAcks acknowledges all pieces but the last
   */
  public record Reassembled(byte[] frame, Runnable pendingAcks) {}

  private static final class Incomplete {
    private final byte[] frame;

    /** Receipts of the pieces that have come, by number. */
    private final Runnable[] pendingAcks;

    private int missing;
    private long progressNanos;

    Incomplete(int bytes) {
      frame = new byte[bytes];
      pendingAcks = new Runnable[count(bytes)];
      missing = pendingAcks.length;
    }

    void giveReceipts() {
      Arrays.stream(pendingAcks).filter(Objects::nonNull).forEach(Runnable::run);
    }
  }

  private final int maxFrameBytes;
  private final long maxBytes;
  private final LongSupplier nanoTime;

  /** Incomplete frames; the one that has waited longest for a piece comes first. */
  private final Map<Key, Incomplete> incomplete = new LinkedHashMap<>();

  private final Map<String, Long> bytesBySender = new HashMap<>();
  private long bytes;

  /** Latest frames that are complete, refused or given up, whose further pieces come too late. */
  private final Set<Key> done =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, Boolean> eldest) {
              return size() > MAX_DONE;
            }
          });

  /**
   * @param maxFrameBytes size of the largest frame
   */
  public FrameFragmentation(int maxFrameBytes) {
    this(
        maxFrameBytes,
        Math.max(maxFrameBytes, Runtime.getRuntime().maxMemory() / HEAP_PARTS),
        System::nanoTime);
  }

  FrameFragmentation(int maxFrameBytes, long maxBytes, LongSupplier nanoTime) {
    this.maxFrameBytes = maxFrameBytes;
    this.maxBytes = maxBytes;
    this.nanoTime = nanoTime;
  }

  private static int count(int bytes) {
    return (int) (((long) bytes + PART_BYTES - 1) / PART_BYTES);
  }

  /**
   * Returns the messages by which a frame crosses the broker: the frame itself, if it is small
   * enough.
   */
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

  /** Returns true if a message from the broker is a piece of a frame, false if it is a frame. */
  public static boolean isPiece(byte[] message) {
    return message.length >= HEADER_BYTES
        && ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getInt() == MAGIC;
  }

  /**
   * Returns the beginning of the frame that a message from the broker belongs to; nothing if the
   * message is a later piece.
   */
  public static byte[] beginning(byte[] message) {
    if (!isPiece(message)) {
      return message;
    }
    int number = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getInt(NUMBER_AT);
    return Arrays.copyOfRange(message, number == 0 ? HEADER_BYTES : message.length, message.length);
  }

  /**
   * Takes a piece.
   *
   * @param sender routing key of the piece; only pieces of one sender make a frame
   * @param accepts decides by the size of a frame, in bytes, whether it is taken; asked once, if
   *     there is room
   * @param receipt keeps the receipt of the piece, and returns the action that gives it; not called
   *     for the last piece of a frame
   * @return the frame if it is complete now
   * @throws RefusedMessageException if the piece is malformed, or there is no room for its frame:
   *     {@code receipt} was not called
   */
  public synchronized Optional<Reassembled> take(
      String sender, byte[] piece, IntPredicate accepts, Supplier<Runnable> receipt) {
    ByteBuffer in = ByteBuffer.wrap(piece).order(ByteOrder.LITTLE_ENDIAN);
    in.getInt(); // The magic.
    Key key = new Key(sender, in.getLong());
    int number = in.getInt();
    int size = in.getInt();
    check(number, size, in.remaining());
    Incomplete its = incomplete.get(key);
    if (its == null && !done.contains(key)) {
      its = begin(key, size, accepts);
    }
    if (its == null || its.frame.length != size) {
      receipt.get().run();
      return Optional.empty();
    }
    if (its.pendingAcks[number] != null) { // A copy; the first receipt may be void.
      its.pendingAcks[number].run();
      its.pendingAcks[number] = receipt.get();
      return Optional.empty();
    }
    in.get(its.frame, number * PART_BYTES, in.remaining());
    its.missing--;
    if (its.missing == 0) {
      end(key);
      return Optional.of(new Reassembled(its.frame, its::giveReceipts));
    }
    its.pendingAcks[number] = receipt.get();
    its.progressNanos = nanoTime.getAsLong();
    incomplete.remove(key);
    incomplete.put(key, its);
    return Optional.empty();
  }

  private void check(int number, int size, int partBytes) {
    if (size <= PIECE_BYTES || size > maxFrameBytes) {
      throw BrokerRefusal.TOO_LARGE.exception(
          "pieces of %d bytes, at least %d and at most %d"
              .formatted(size, PIECE_BYTES + 1, maxFrameBytes));
    }
    if (number < 0
        || number >= count(size)
        || partBytes != Math.min(PART_BYTES, size - number * PART_BYTES)) {
      throw BrokerRefusal.GARBAGE.exception(
          "piece %d of %d has %d bytes".formatted(number, count(size), partBytes));
    }
  }

  /** Begins a frame; returns null if it is not accepted. */
  private Incomplete begin(Key key, int size, IntPredicate accepts) {
    makeRoom(key.sender, size);
    if (bytes + size > maxBytes) {
      done.add(key);
      throw BrokerRefusal.NO_ROOM.exception(
          "%d bytes beside %d of others, %d at most".formatted(size, bytes, maxBytes));
    }
    if (!accepts.test(size)) {
      done.add(key);
      return null;
    }
    Incomplete begun = new Incomplete(size);
    incomplete.put(key, begun);
    count(key.sender, size);
    return begun;
  }

  /**
   * Makes room for a sender's frame: gives up the sender's own idle frames, and other frames only
   * if necessary.
   */
  private void makeRoom(String sender, int size) {
    long now = nanoTime.getAsLong();
    for (Map.Entry<Key, Incomplete> each : List.copyOf(incomplete.entrySet())) {
      String its = each.getKey().sender;
      boolean isOwn = its.equals(sender);
      boolean isIdle = now - each.getValue().progressNanos > PATIENCE_NANOS;
      boolean isTooMuch = bytesBySender.get(its) + (isOwn ? size : 0) > maxBytes / SENDERS_A_ROOM;
      if ((isOwn && isIdle) || (bytes + size > maxBytes && (isIdle || isTooMuch))) {
        end(each.getKey());
        each.getValue().giveReceipts();
      }
    }
  }

  private void count(String sender, int size) {
    bytes += size;
    bytesBySender.merge(sender, (long) size, (had, more) -> had + more == 0 ? null : had + more);
  }

  private void end(Key key) {
    count(key.sender, -incomplete.remove(key).frame.length);
    done.add(key);
  }

  /**
   * Forgets which frames are complete: after an outage all pieces without receipt are delivered
   * again.
   */
  public synchronized void expectAgain() {
    done.clear();
  }
}
