package org.cartostream.ros.bag;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A file of records, of which some are chunks with messages, read from front to back. Where it is
 * damaged, reading goes on at the next chunk; the format says where that is.
 *
 * <p>Owns the open file, and what is wrong with it. Memory does not grow with the file's length.
 */
abstract class ChunkedFile<M extends MessageFile.RecordedMessage> implements MessageFile {

  /** Maximum number of topics; no robot has as many. */
  static final int MAX_DESCRIBED = 4096;

  final Path file;
  final SeekableFile in;
  final DamageLog damages = new DamageLog();

  /** True while messages of a chunk come. */
  boolean isInChunk;

  /** Messages of topics that the file does not describe. */
  long orphans;

  /** Name of a chunk's compression, if that is not known here. */
  String unknownCompression = "";

  private long read;
  private boolean finished;
  private boolean isTooMuchDescribed;

  /** Bytes inside of damaged records that are read again. */
  private long rereadBytes;

  ChunkedFile(Path file) throws IOException {
    this.file = file;
    this.in = new SeekableFile(file);
  }

  @Override
  public final ReadCoverage coverage() {
    return damages.coverage(in.size());
  }

  @Override
  public final M next() throws IOException {
    while (!finished) {
      M message = isInChunk ? nextOfChunk() : nextOfFile();
      if (message != null) {
        read++;
        return message;
      }
    }
    return null;
  }

  /** Takes the next record of the file; null if it is no message, or the file is at its end. */
  abstract M nextOfFile() throws IOException;

  /** The chunk's next message; null at its end, which damage may bring early. */
  abstract M nextOfChunk() throws IOException;

  /** Returns where a chunk begins next, from a position on and before another; -1 if nowhere. */
  abstract long nextChunk(long from, long to) throws IOException;

  /** Takes note of something that messages refer to by a number. */
  final <T> void describe(Map<Integer, T> all, int number, T what) {
    if (all.size() < MAX_DESCRIBED || all.containsKey(number)) {
      all.put(number, what);
    } else if (!isTooMuchDescribed) {
      isTooMuchDescribed = true;
      damages.add("it describes more than " + MAX_DESCRIBED + " topics; the others are left out");
    }
  }

  /** Number of messages that {@link #next} has given. */
  final long read() {
    return read;
  }

  /**
   * Goes on at the next record after a position at which none stands.
   *
   * @param next its position; -1 if there is none, and the file is at its end
   */
  final void goOnAfter(long start, String what, long next, String nextOne) {
    long end = next < 0 ? in.size() : next;
    damages.add(
        start,
        next < 0
            ? "the last %d bytes are %s".formatted(end - start, what)
            : "%d bytes are %s; the next %s is read".formatted(end - start, what, nextOne));
    damages.unread(end - start);
    in.seek(end);
  }

  /**
   * A record before the position reached is damaged, and so may be its length: goes on at the next
   * chunk that it seems to hold, if it does. Nothing is looked for there once as many bytes as the
   * file has were read again: chunks within chunks within chunks are no accident.
   *
   * @param from where its content begins
   * @param unread bytes of it up to its end, as its length has it
   */
  final void goOnInside(long from, long unread) throws IOException {
    long end = in.position();
    long next = rereadBytes < in.size() ? nextChunk(from, end) : -1;
    boolean isInside = next >= 0;
    rereadBytes += isInside ? end - next : 0;
    in.seek(isInside ? next : end);
    damages.unread(isInside ? Math.max(0, unread - (end - next)) : unread);
  }

  /** The record at a position has no end. */
  final void cutOff(long start) {
    damages.add(start, "the file ends inside a record");
    damages.unread(in.size() - start);
    in.seek(in.size());
  }

  /**
   * All is read.
   *
   * @param describers what describes the messages' topics
   * @param compressions how chunks may be packed
   * @throws BagFormatException if no chunk could be unpacked
   */
  final void finish(String describers, String compressions) throws BagFormatException {
    finished = true;
    if (orphans > 0) {
      damages.add(orphans + " messages are of " + describers + " that it does not describe");
    }
    if (read == 0 && !unknownCompression.isEmpty()) {
      throw new BagFormatException(
          "%s is packed by '%s'; %s can be read".formatted(file, unknownCompression, compressions));
    }
  }

  @Override
  public final void close() throws IOException {
    in.close();
  }
}
