package org.cartostream.gateway.replay;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.sensor.Reading;

/**
 * A file with the outcomes of a replay's readings, so that a replay whose process dies can go on:
 * under the same number of the run, from the first reading that has no outcome.
 *
 * <p>It begins with a line of text (whose run it is and with what settings), then has a block per
 * outcome: its length, a digest of the reading, and the outcome as it came. A block that was not
 * written to its end is cut off. Owns the file; one thread uses it.
 */
public final class ReplayJournal implements AutoCloseable {

  /** The file's name in the run's folder of checkpoints. */
  public static final String FILE = "outcomes.journal";

  private static final int VERSION = 1;
  private static final int DIGEST_BYTES = 16;
  private static final int MOST_BLOCK_BYTES = 1 << 20;

  private final RandomAccessFile file;
  private final DataOutputStream out;
  private final Codec codec;
  private final String identity;
  private final long run;
  private final SortedMap<Long, Entry> entries;

  /** A reading's digest, and its outcome. */
  private record Entry(byte[] digest, OutcomeMessage outcome) {}

  private ReplayJournal(
      RandomAccessFile file,
      Codec codec,
      String identity,
      long run,
      SortedMap<Long, Entry> entries) {
    this.file = file;
    this.out = new DataOutputStream(Channels.newOutputStream(file.getChannel()));
    this.codec = codec;
    this.identity = identity;
    this.run = run;
    this.entries = entries;
  }

  /**
   * Begins a journal; an older one there is lost.
   *
   * @param identity of the run, see {@link #identity}
   */
  public static ReplayJournal begin(Path path, Codec codec, String identity) throws IOException {
    Files.createDirectories(path.toAbsolutePath().getParent());
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      file.setLength(0);
      ReplayJournal journal =
          new ReplayJournal(file, codec, identity, Envelope.newRun(), new TreeMap<>());
      journal.out.writeInt(VERSION);
      journal.out.writeLong(journal.run);
      journal.out.writeUTF(identity);
      return journal;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Goes on with a journal.
   *
   * @throws IOException if it cannot be read, or is none
   */
  public static ReplayJournal resume(Path path, Codec codec) throws IOException {
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      DataInputStream in = new DataInputStream(Channels.newInputStream(file.getChannel()));
      int version = in.readInt();
      if (version != VERSION) {
        throw new IOException(
            path + " has format " + version + "; this release reads format " + VERSION);
      }
      long run = in.readLong();
      String identity = in.readUTF();
      TreeMap<Long, Entry> entries = new TreeMap<>();
      long whole = file.getFilePointer();
      while (readBlock(in, codec, entries)) {
        whole = file.getFilePointer();
      }
      file.setLength(whole);
      file.seek(whole);
      return new ReplayJournal(file, codec, identity, run, entries);
    } catch (EOFException e) {
      file.close();
      throw new IOException(path + " is not whole: it has not even a beginning", e);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /** False if there is no further one, or it was not written to its end. */
  private static boolean readBlock(DataInputStream in, Codec codec, TreeMap<Long, Entry> entries)
      throws IOException {
    try {
      int length = in.readInt();
      if (length < 0 || length > MOST_BLOCK_BYTES) {
        return false;
      }
      byte[] digest = in.readNBytes(DIGEST_BYTES);
      byte[] block = in.readNBytes(length);
      if (block.length < length) {
        return false;
      }
      Envelope envelope = codec.decode(block);
      entries.putIfAbsent(envelope.sequence(), new Entry(digest, (OutcomeMessage) envelope.body()));
      return true;
    } catch (EOFException | RefusedMessageException e) {
      return false;
    }
  }

  /** What must be the same where the replay goes on: its settings, as text. */
  public String identity() {
    return identity;
  }

  /** The number of the run. */
  long run() {
    return run;
  }

  /** All readings up to this one have an outcome; 0 for none. */
  public long answered() {
    long answered = 0;
    for (long sequence : entries.keySet()) {
      if (sequence != answered + 1) {
        return answered;
      }
      answered = sequence;
    }
    return answered;
  }

  /** The service needs no reading up to this one again; 0 for none. */
  long durable() {
    return entries.values().stream().mapToLong(entry -> entry.outcome().durable()).max().orElse(0);
  }

  /**
   * The outcome of a reading that has one.
   *
   * @throws IOException if it is another reading's
   */
  OutcomeMessage outcome(long sequence, Reading reading) throws IOException {
    Entry entry = entries.get(sequence);
    if (!Arrays.equals(entry.digest(), digest(reading))) {
      throw new IOException(
          "the run cannot go on: reading "
              + sequence
              + " of this log is another than that of the run; without --resume it begins anew");
    }
    return entry.outcome();
  }

  /** A reading has its outcome. */
  void add(Envelope answered, OutcomeMessage outcome) throws IOException {
    byte[] block =
        codec.encode(
            new Envelope(
                answered.robot(),
                answered.run(),
                answered.sequence(),
                answered.stampNanos(),
                outcome));
    out.writeInt(block.length);
    out.write(digest(((ReadingMessage) answered.body()).reading()));
    out.write(block);
  }

  /** Of the reading as it is sent, whatever map is held. */
  private byte[] digest(Reading reading) {
    byte[] message =
        codec.encode(
            new Envelope("journal", 1, 1, reading.stampNanos(), new ReadingMessage(reading)));
    try {
      byte[] all = MessageDigest.getInstance("SHA-256").digest(message);
      return Arrays.copyOf(all, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
