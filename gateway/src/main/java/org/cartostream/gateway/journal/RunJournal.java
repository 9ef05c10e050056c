package org.cartostream.gateway.journal;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.gateway.GatewayException;
import org.cartostream.settings.file.RegularFile;
import org.cartostream.slam.file.DiskName;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.Correction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal of a run: the readings that were sent and are in no checkpoint of the service yet
 * (the service may ask for them again), and the outcomes of answered readings. The journal is a
 * {@link BlockLog}, so that after a gateway's death another process can continue the run: under the
 * same number, behind the last reading that was sent. The journal of a run that cannot be resumed
 * is in memory only.
 *
 * <p>The file begins with the run's number and identity, then has a block for each reading before
 * it is sent ({@link Keeps#READINGS}) and for each outcome. A file that is damaged is refused.
 * Readings that are in a checkpoint are removed now and then. If a file with readings cannot be
 * written, it is deleted: a process that resumed from an incomplete file would give the numbers of
 * the missing readings to others. A file of outcomes stays, because the log has the readings. The
 * file is written anew when the disk has room. One thread uses it.
 */
public final class RunJournal implements AutoCloseable {

  /** The file's name in the run's folder of checkpoints. */
  public static final String FILE = "run.journal";

  /** Content that the file has of its run. */
  public enum Keeps {
    /** All outcomes: the readings are in a log. */
    OUTCOMES,
    /** The readings that are in no checkpoint yet, and their outcomes. */
    READINGS
  }

  private static final Logger LOG = LoggerFactory.getLogger(RunJournal.class);

  private static final int VERSION = 6;

  /** Bytes by which the file may exceed twice its readings' length before it is compacted. */
  private static final long SPARE_BYTES = 1 << 20;

  /** Time between two attempts to write the file anew after a failure, nanoseconds. */
  static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Offset of the message in a block, bytes; the checksum of its reading stands before. */
  private static final int MESSAGE_AT = Integer.BYTES;

  private static final Codec CODEC = new Codec(BlockLog.MAX_BLOCK_BYTES);

  /** The journal's file; null if the journal is in memory only. */
  private final Path path;

  private final Keeps keeps;
  private RunIdentity identity;
  private BlockLog log;

  /** Blocks of the readings by the number of the reading. */
  private final NavigableMap<Long, BlockLog.Block> readings = new TreeMap<>();

  private final NavigableMap<Long, BlockLog.Block> outcomes = new TreeMap<>();

  private long heldBytes;
  private long run;

  /**
   * Number of the last reading that was removed: it is in a checkpoint, or the journal was too
   * long.
   */
  private long base;

  /** Number of the last reading that is in a checkpoint. */
  private long durable;

  private long lastStampNanos = Long.MIN_VALUE;
  private Correction correction = Correction.NONE;
  private boolean ended;

  /**
   * Least length of the file before compaction is tried again after a failure, bytes; 0 without a
   * failure.
   */
  private long minBytes;

  /** True while the file is deleted or incomplete because it could not be written. */
  private boolean isLost;

  /** Time of the latest failure, {@link System#nanoTime}. */
  private long failedAtNanos;

  private final LongSupplier nanoTime;

  private RunJournal(Path path, Keeps keeps, Map<String, String> identity, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.path = path;
    this.keeps = keeps;
    this.identity = RunIdentity.of(identity);
  }

  /** Returns a journal without a file, for a run that cannot be resumed. */
  public static RunJournal inMemory() {
    RunJournal journal = new RunJournal(null, Keeps.OUTCOMES, Map.of(), System::nanoTime);
    journal.run = Envelope.newRun();
    return journal;
  }

  /**
   * Begins the journal of a new run; replaces an older journal at the path.
   *
   * @param identity settings that must be the same when the run is resumed, by key
   * @throws GatewayException if the journal cannot be written
   */
  public static RunJournal begin(
      Path path, Keeps keeps, Map<String, String> identity, RunBeginning beginning) {
    return begin(path, keeps, identity, beginning, System::nanoTime);
  }

  /** Begins the journal of a run, with a given clock in place of {@link System#nanoTime}. */
  static RunJournal begin(
      Path path,
      Keeps keeps,
      Map<String, String> identity,
      RunBeginning beginning,
      LongSupplier nanoTime) {
    RunJournal journal = new RunJournal(path, keeps, identity, nanoTime);
    journal.run = beginning.run();
    journal.base = beginning.before();
    journal.durable = journal.base;
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      RegularFile.requireNoFolder(path, GatewayException::new);
      if (!Files.isRegularFile(path, NOFOLLOW_LINKS)) {
        Files.deleteIfExists(path); // A link, and not what it leads to; or a pipe.
      }
      journal.open();
      journal.writeAll();
      return journal;
    } catch (IOException e) {
      journal.close();
      String why = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
      throw new GatewayException(
          "the journal %s on the disk %s cannot be written: %s; make room there, or go without it by --set checkpoint.everySeconds=0"
              .formatted(path, DiskName.of(path), why),
          e);
    }
  }

  /**
   * Opens the journal of a run that is to be resumed.
   *
   * @param identity settings of the resumed run, by key
   * @throws GatewayException if there is no journal, or it is the journal of another run
   */
  public static RunJournal resume(Path path, Keeps keeps, Map<String, String> identity) {
    if (!Files.exists(path)) {
      throw new GatewayException(
          "there is nothing to resume: no run that did not end is in %s; without --resume the run"
                  .formatted(path.toAbsolutePath().getParent())
              + " begins anew");
    }
    RunJournal journal = new RunJournal(path, keeps, identity, System::nanoTime);
    try {
      journal.open();
      journal.read();
      return journal;
    } catch (GatewayException e) {
      journal.close();
      throw e;
    } catch (EOFException | UTFDataFormatException | RuntimeException e) {
      journal.close();
      throw new DamagedJournalException(
          "%s is not what a run wrote (%s); without --resume the run begins anew"
              .formatted(path, e.getMessage()),
          e);
    } catch (IOException e) { // The disk's, and the content may be whole.
      journal.close();
      throw new GatewayException("the journal " + path + " cannot be read: " + e, e);
    }
  }

  private void open() throws IOException {
    log = new BlockLog(path, "the run cannot be resumed until it can");
  }

  private void read() throws IOException {
    List<BlockLog.Block> blocks = log.recover(BlockLog.OnDamage.REFUSE);
    if (blocks.isEmpty()) {
      throw new DamagedJournalException(path + " is not whole: it has no beginning");
    }
    readHead(log.read(blocks.get(0)));
    for (BlockLog.Block each : blocks.subList(1, blocks.size())) {
      take(each);
    }
    compact(Long.MAX_VALUE);
  }

  private byte[] head() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(VERSION);
    out.writeLong(run);
    out.writeLong(base);
    out.writeBoolean(ended);
    identity.write(out);
    return bytes.toByteArray();
  }

  private void readHead(byte[] head) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(head));
    int version = in.readInt();
    if (version != VERSION) {
      throw new GatewayException(
          path + " has format " + version + "; this release reads format " + VERSION);
    }
    run = in.readLong();
    base = in.readLong();
    durable = base;
    ended = in.readBoolean();
    identity.requireSame(RunIdentity.read(in));
  }

  private void take(BlockLog.Block block) throws IOException {
    Envelope message = message(block);
    if (message.body() instanceof OutcomeMessage outcome) {
      if (outcomes.putIfAbsent(message.sequence(), block) == null) {
        note(outcome);
      }
    } else if (message.body() instanceof ReadingMessage || message.body() instanceof EndMessage) {
      note(message, block);
    } else {
      throw new GatewayException(
          "%s has a %s; there are readings, outcomes and an end in a journal"
              .formatted(path, message.body().getClass().getSimpleName()));
    }
  }

  private void note(OutcomeMessage outcome) {
    durable = Math.max(durable, outcome.durable());
    if (outcome.outcome() instanceof Outcome.Processed processed
        && processed.pose().correction().number() >= correction.number()) {
      correction = processed.pose().correction();
    }
  }

  private void note(Envelope sent, BlockLog.Block block) {
    if (sent.body() instanceof EndMessage) {
      ended = true;
      return;
    }
    // The latest counts: a reading that was too large to be sent has lost its number to the next.
    BlockLog.Block before = readings.put(sent.sequence(), block);
    heldBytes += block.bytes() - (before == null ? 0 : before.bytes());
    lastStampNanos = sent.stampNanos();
  }

  // --- blocks ------------------------------------------------------------------------------------

  /** Returns a block: the checksum of the reading (0 for none), then the encoded message. */
  private static byte[] block(int checksum, Envelope message) {
    byte[] encoded = CODEC.encode(message);
    return ByteBuffer.allocate(MESSAGE_AT + encoded.length).putInt(checksum).put(encoded).array();
  }

  private byte[] bytes(BlockLog.Block block) throws IOException {
    return log == null ? block.held() : log.read(block);
  }

  private Envelope message(BlockLog.Block block) throws IOException {
    byte[] bytes = bytes(block);
    return CODEC.decode(Arrays.copyOfRange(bytes, MESSAGE_AT, bytes.length));
  }

  /** Returns the checksum of a reading's message, without the map version that is sent with it. */
  private static int checksum(Reading reading) {
    return BlockLog.checksum(
        CODEC.encode(
            new Envelope("journal", 1, 1, reading.stampNanos(), new ReadingMessage(reading))));
  }

  // --- content -----------------------------------------------------------------------------------

  /** Returns the file in the journal's folder for the map so far; empty if the run keeps no map. */
  public Optional<Path> mapFile() {
    return keeps == Keeps.READINGS
        ? Optional.of(path.resolveSibling("map.state"))
        : Optional.empty();
  }

  /** True if another process can go on with the run: the journal is in a file. */
  public boolean isResumable() {
    return path != null;
  }

  /** The number of the run. */
  public long run() {
    return run;
  }

  /** Returns the number of the last reading before the first that the journal may have. */
  public long before() {
    return base;
  }

  /** Number of the last reading that the service is known to have in a checkpoint. */
  public long durable() {
    return durable;
  }

  /** Returns the number of the last reading up to which all have an outcome; 0 for none. */
  public long answered() {
    long answered = base;
    while (outcomes.containsKey(answered + 1)) {
      answered++;
    }
    return answered;
  }

  /**
   * Returns the readings with numbers from {@code from} to {@code to} that were sent and are still
   * in the journal, in order. The last reading of the run is always in the journal.
   */
  public List<Envelope> held(long from, long to) {
    List<Envelope> all = new ArrayList<>();
    for (BlockLog.Block each : readings.subMap(from, true, to, true).values()) {
      try {
        all.add(message(each));
      } catch (IOException e) {
        LOG.warn("a reading cannot be sent again, for {} cannot be read", path, e);
      }
    }
    return all;
  }

  /** Returns the number of the first reading in the journal; 1 if there is none. */
  public long firstHeld() {
    return readings.isEmpty() ? 1 : readings.firstKey();
  }

  /** True if the run's end was sent: the service takes no more readings of it. */
  public boolean isEnded() {
    return ended;
  }

  /** False if the run continues an earlier one and has sent nothing yet. */
  public boolean isBegun() {
    return base == 0 || ended || !readings.isEmpty();
  }

  /** The stamp of the last reading that was sent; {@link Long#MIN_VALUE} before the first. */
  public long lastStampNanos() {
    return lastStampNanos;
  }

  /**
   * True if a reading has an outcome or was removed from the journal, so it is not to be sent
   * again.
   */
  public boolean hasOutcome(long sequence) {
    return sequence <= base || outcomes.containsKey(sequence);
  }

  /**
   * Returns the outcome of a reading that {@linkplain #hasOutcome has one}.
   *
   * @throws GatewayException if the outcome is that of a different reading, or cannot be read
   */
  public OutcomeMessage outcome(long sequence, Reading reading) {
    BlockLog.Block block = outcomes.get(sequence);
    try {
      if (ByteBuffer.wrap(bytes(block)).getInt() != checksum(reading)) {
        throw new GatewayException(
            "the run cannot go on: reading "
                + sequence
                + " of this log is another than that of the run; without --resume it begins anew");
      }
      return (OutcomeMessage) message(block).body();
    } catch (IOException e) {
      throw new GatewayException("the journal " + path + " cannot be read: " + e, e);
    }
  }

  /** The correction of the newest pose among the outcomes; none if there is no pose. */
  public Correction correction() {
    return correction;
  }

  // --- writing -----------------------------------------------------------------------------------

  /**
   * Notes a reading or the run's end before it is sent. If the journal has a file of readings, the
   * message is on the disk when this returns.
   */
  public void sent(Envelope message) {
    byte[] block = block(0, message);
    note(message, keeps == Keeps.READINGS ? write(block, true) : BlockLog.Block.inMemory(block));
  }

  /** Notes the outcome of a reading. */
  public void answered(Envelope reading, OutcomeMessage outcome) {
    note(outcome);
    if (path != null) {
      int checksum = checksum(((ReadingMessage) reading.body()).reading());
      outcomes.put(reading.sequence(), write(block(checksum, reading.answer(outcome)), false));
    }
  }

  /**
   * Appends a block to the file, or keeps it in memory if it cannot be written, and returns its
   * place.
   */
  private BlockLog.Block write(byte[] block, boolean isForced) {
    if (!isLost) {
      try {
        return log.append(block, isForced);
      } catch (IOException e) {
        lose(keeps == Keeps.READINGS);
      }
    }
    return BlockLog.Block.inMemory(block);
  }

  /**
   * Removes the readings that are in a checkpoint, and the oldest ones as long as all have more
   * than {@code maxBytes}; the last reading stays. Writes the file anew if it is too long, or if it
   * was lost at least a second ago, and the disk has room. If that fails, the old file stays in
   * use.
   */
  public void compact(long maxBytes) {
    boolean isLive = keeps == Keeps.READINGS;
    while (readings.size() > 1 && (readings.firstKey() <= durable || heldBytes > maxBytes)) {
      heldBytes -= readings.pollFirstEntry().getValue().bytes();
    }
    if (isLive && !readings.isEmpty()) {
      base = readings.firstKey() - 1;
      outcomes.headMap(base, true).clear();
    }
    long max = Math.max(2 * heldBytes + SPARE_BYTES, minBytes);
    boolean isDue =
        isLost ? nanoTime.getAsLong() - failedAtNanos >= RETRY_NANOS : isLive && log.length() > max;
    if (isDue && log.hasDiskRoomFor(isLive ? heldBytes : log.length())) {
      try {
        writeAll();
      } catch (IOException e) {
        minBytes = log.length() + SPARE_BYTES;
        failedAtNanos = nanoTime.getAsLong();
      }
    }
  }

  /**
   * Replaces the journal by that of another run.
   *
   * @param otherwise the settings in which its identity differs, by key
   */
  public void beginAnew(long number, Map<String, String> otherwise) {
    run = number;
    identity = identity.with(otherwise);
    base = 0;
    durable = 0;
    correction = Correction.NONE;
    ended = false;
    readings.clear();
    outcomes.clear();
    heldBytes = 0;
    if (path != null) {
      try {
        writeAll();
      } catch (IOException e) {
        lose(true); // It is another run's.
      }
    }
  }

  private void writeAll() throws IOException {
    List<NavigableMap<Long, BlockLog.Block>> written =
        keeps == Keeps.READINGS ? List.of(readings, outcomes) : List.of(outcomes);
    List<BlockLog.Block> all = new ArrayList<>();
    all.add(BlockLog.Block.inMemory(head()));
    written.forEach(each -> all.addAll(each.values()));
    Iterator<BlockLog.Block> moved = log.rewrite(all, true).iterator();
    moved.next();
    written.forEach(each -> each.replaceAll((number, block) -> moved.next()));
    minBytes = 0;
    isLost = false;
  }

  private void lose(boolean isToGo) {
    isLost = true;
    failedAtNanos = nanoTime.getAsLong();
    if (isToGo) {
      delete(path);
    }
  }

  /** Deletes the files of a run that is over, unless they hold outcomes only. */
  public void delete() {
    if (keeps == Keeps.READINGS) {
      isLost = false;
      delete(path);
      delete(mapFile().orElseThrow());
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("{} is of no use, and cannot be deleted", file, e);
    }
  }

  @Override
  public void close() {
    try {
      if (log != null) {
        log.close();
      }
    } catch (IOException e) {
      LOG.warn("{} cannot be closed", path, e);
    }
  }
}
