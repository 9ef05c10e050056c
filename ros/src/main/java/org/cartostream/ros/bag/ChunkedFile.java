package org.cartostream.ros.bag;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A file of records, of which some are chunks with messages, read from front to back. Where it is
 * damaged, reading goes on at the next chunk; the format says where that is.
 *
 * <p>Owns the open file and the list of its damages. Memory does not grow with the file's length.
 */
abstract class ChunkedFile<M extends MessageFile.RecordedMessage> implements MessageFile {

  /** Maximum number of topics; robots have far fewer. */
  static final int MAX_DESCRIBED = 4096;

  final Path file;
  final SeekableFile in;
  final DamageLog damages = new DamageLog();

  /** True while messages of a chunk are read. */
  boolean isInChunk;

  /** Number of messages of topics that the file does not describe. */
  long orphans;

  /** Name of a chunk's compression that is not supported; empty if none. */
  String unknownCompression = "";

  private long read;
  private boolean finished;
  private boolean isTooMuchDescribed;

  /** Number of bytes that were read again inside of damaged records. */
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

  /** Reads the next record of the file; null if it is no message, or the file is at its end. */
  abstract M nextOfFile() throws IOException;

  /** Returns the chunk's next message; null at its end, or at damage. */
  abstract M nextOfChunk() throws IOException;

  /** Returns the position of the first chunk in [from, to); -1 if there is none. */
  abstract long nextChunk(long from, long to) throws IOException;

  /** Notes a description to which messages refer by a number. */
  final <T> void describe(Map<Integer, T> all, int number, T what) {
    if (all.size() < MAX_DESCRIBED || all.containsKey(number)) {
      all.put(number, what);
    } else if (!isTooMuchDescribed) {
      isTooMuchDescribed = true;
      damages.add("it describes more than " + MAX_DESCRIBED + " topics; the others are left out");
    }
  }

  /** Returns the number of messages that {@link #next} has returned. */
  final long read() {
    return read;
  }

  /**
   * Continues at the next record after a position without a valid record.
   *
   * @param next position of the next record; -1 to go to the end of the file
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
   * Continues after a damaged record, whose length may be wrong: at the first chunk inside of it,
   * if there seems to be one. The total of bytes that are read again is bounded by the file's size,
   * because a malicious file may nest chunks deeply.
   *
   * @param from position of the content of the damaged record
   * @param unread unread bytes of the record, by its length
   */
  final void goOnInside(long from, long unread) throws IOException {
    long end = in.position();
    long next = rereadBytes < in.size() ? nextChunk(from, end) : -1;
    boolean isInside = next >= 0;
    rereadBytes += isInside ? end - next : 0;
    in.seek(isInside ? next : end);
    damages.unread(isInside ? Math.max(0, unread - (end - next)) : unread);
  }

  /** Reports a record that is cut off by the end of the file, and goes there. */
  final void cutOff(long start) {
    damages.add(start, "the file ends inside a record");
    damages.unread(in.size() - start);
    in.seek(in.size());
  }

  /**
   * Reports the last damages when the file was read to its end.
   *
   * @param describers plural name of the records that describe topics, for messages
   * @param compressions names of the supported compressions, for messages
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
