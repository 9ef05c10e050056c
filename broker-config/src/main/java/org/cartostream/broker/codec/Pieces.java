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
 * magic {@code CRTP}, a random number that all pieces of a frame have, its own number from 0, the
 * frame's bytes; then its part of the frame. Pieces may come twice and in any order, also between
 * those of another frame: a full queue refuses single ones, which are sent again.
 *
 * <p>Owns the frames that are not whole yet with their pieces' receipts, and the numbers of the
 * last ones that need no more pieces. In all they have as many bytes as the largest frame or an
 * eighth of the heap, whichever is more; a sender's give way to another's where they are more than
 * a quarter of that, or get nothing new. Thread-safe.
 */
public final class Pieces {

  /** The largest message at the broker: RabbitMQ's {@code max_message_size}. */
  public static final int PIECE_BYTES = 1 << 16;

  static final int HEADER_BYTES = 20;

  /** A frame that gets nothing new for so long makes room for others. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int PART_BYTES = PIECE_BYTES - HEADER_BYTES;
  private static final int MAGIC = 'C' | 'R' << 8 | 'T' << 16 | 'P' << 24;
  private static final int HEAP_PARTS = 8;
  private static final int SENDERS_A_ROOM = 4;
  private static final int MAX_DONE = 1024;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A sender's frame, by the number that its pieces have. */
  private record Key(String sender, long id) {}

  /**
   * A frame all of whose pieces have come.
   *
   * @param pendingAcks gives the receipts of all pieces but the last
   */
  public record Whole(byte[] frame, Runnable pendingAcks) {}

  private static final class Incomplete {
    private final byte[] frame;

    /** Receipts of the pieces that have come. */
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

  /** The one that has got nothing new for longest comes first. */
  private final Map<Key, Incomplete> incomplete = new LinkedHashMap<>();

  private final Map<String, Long> bytesBySender = new HashMap<>();
  private long bytes;

  /** Whole, refused or given up: what comes of these is late. */
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
   * @param maxFrameBytes of a frame
   */
  public Pieces(int maxFrameBytes) {
    this(
        maxFrameBytes,
        Math.max(maxFrameBytes, Runtime.getRuntime().maxMemory() / HEAP_PARTS),
        System::nanoTime);
  }

  Pieces(int maxFrameBytes, long maxBytes, LongSupplier nanoTime) {
    this.maxFrameBytes = maxFrameBytes;
    this.maxBytes = maxBytes;
    this.nanoTime = nanoTime;
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

  /** True if a message from the broker is a piece of a frame, false if it is a frame. */
  public static boolean isPiece(byte[] message) {
    return message.length >= HEADER_BYTES
        && ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getInt() == MAGIC;
  }

  /**
   * Takes a piece.
   *
   * @param sender for which pieces are put together: the routing key
   * @param accepts decides by a frame's size whether it is taken; asked once, if there is room
   * @param receipt keeps the piece's receipt until what it returns is run; not called for the last
   *     piece of a frame
   * @return the frame that is whole now; empty if there is none
   * @throws RefusedMessageException if the piece makes no sense, or there is no room for its frame:
   *     {@code receipt} was not called
   */
  public synchronized Optional<Whole> take(
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
    if (its.pendingAcks[number] != null) { // After an outage the one from before is void.
      its.pendingAcks[number].run();
      its.pendingAcks[number] = receipt.get();
      return Optional.empty();
    }
    in.get(its.frame, number * PART_BYTES, in.remaining());
    its.missing--;
    if (its.missing == 0) {
      end(key);
      return Optional.of(new Whole(its.frame, its::giveReceipts));
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

  /** Null if the frame is not accepted. */
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
   * Makes room: what is idle gives way to its sender's next frame, and the rest only if it has to.
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

  /** After an outage: what had no receipt comes again, frames that were whole among it. */
  public synchronized void expectAgain() {
    done.clear();
  }
}
