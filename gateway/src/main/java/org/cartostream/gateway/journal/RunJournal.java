package org.cartostream.gateway.journal;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.gateway.GatewayException;
import org.cartostream.slam.file.DiskName;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.Correction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with the readings of a run and their outcomes, so that a gateway whose process dies can go
 * on with the run: under the same number, behind the last reading that it has sent.
 *
 * <p>It begins with the run's number and identity, then has a block for each reading before it is
 * sent ({@link Keeps#READINGS}) and for each outcome. A block that was not written to its end is
 * cut off; a journal that is damaged elsewhere is refused. What is in a checkpoint is left out now
 * and then. Where it cannot be written it is deleted: the run goes on, and cannot be resumed. One
 * thread uses it.
 */
public final class RunJournal implements AutoCloseable {

  /** The file's name in the run's folder of checkpoints. */
  public static final String FILE = "run.journal";

  /** What a journal has of its run. */
  public enum Keeps {
    /** All outcomes: the readings are in a log. */
    OUTCOMES,
    /** The readings that are in no checkpoint yet, and their outcomes. */
    READINGS
  }

  private static final Logger LOG = LoggerFactory.getLogger(RunJournal.class);

  private static final int VERSION = 4;

  /** The file may be twice as long as what is left in it, and so much longer. */
  private static final long SPARE_BYTES = 1 << 20;

  private final Path path;
  private final Keeps keeps;
  private RunIdentity identity;
  private final NavigableMap<Long, JournalFile.Block> outcomes = new TreeMap<>();
  private final NavigableMap<Long, Envelope> readings = new TreeMap<>();
  private JournalFile file;
  private long run;

  /** Readings up to this one were answered and are left out. */
  private long base;

  private boolean ended;
  private boolean failed;

  private static OutcomeMessage outcome(JournalFile.Block block) {
    return (OutcomeMessage) block.message().body();
  }

  private RunJournal(Path path, Keeps keeps, Map<String, String> identity) {
    this.path = path;
    this.keeps = keeps;
    this.identity = RunIdentity.of(identity);
  }

  /**
   * Begins a journal; an older one there is lost.
   *
   * @param identity of the run: what must be the same where it goes on, key to value
   * @throws GatewayException if it cannot be written
   */
  public static RunJournal begin(Path path, Keeps keeps, Map<String, String> identity) {
    return begin(path, keeps, identity, RunBeginning.anew());
  }

  /** The same of a run that has its number already, and perhaps one before it. */
  public static RunJournal begin(
      Path path, Keeps keeps, Map<String, String> identity, RunBeginning beginning) {
    RunJournal journal = new RunJournal(path, keeps, identity);
    journal.base = beginning.before();
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      journal.open(path);
      journal.writeHead(beginning.run());
      return journal;
    } catch (IOException e) {
      journal.close();
      throw new GatewayException("the journal " + path + " cannot be written: " + e, e);
    }
  }

  /**
   * Goes on with a journal.
   *
   * @param identity of the run that is to go on
   * @throws GatewayException if there is none, or it is that of another run
   */
  public static RunJournal resume(Path path, Keeps keeps, Map<String, String> identity) {
    if (!Files.exists(path)) {
      throw new GatewayException(
          "there is nothing to resume: no run that did not end is in %s; without --resume the run"
                  .formatted(path.toAbsolutePath().getParent())
              + " begins anew");
    }
    RunJournal journal = new RunJournal(path, keeps, identity);
    try {
      journal.open(path);
      journal.read();
      return journal;
    } catch (IOException e) {
      journal.close();
      String why = e instanceof EOFException ? " is not whole: it has no beginning" : ": " + e;
      throw new GatewayException(path + why, e);
    } catch (GatewayException e) {
      journal.close();
      throw e;
    }
  }

  private void open(Path where) throws IOException {
    file = new JournalFile(where);
  }

  private void writeHead(long number) throws IOException {
    run = number;
    DataOutputStream out = file.begin();
    out.writeInt(VERSION);
    out.writeLong(run);
    out.writeLong(base);
    identity.write(out);
    file.force();
  }

  private void read() throws IOException {
    DataInputStream in = file.in();
    int version = in.readInt();
    if (version != VERSION) {
      throw new GatewayException(
          path + " has format " + version + "; this release reads format " + VERSION);
    }
    run = in.readLong();
    base = in.readLong();
    identity.requireSame(RunIdentity.read(in));
    for (Optional<JournalFile.Block> next = file.next(); next.isPresent(); next = file.next()) {
      take(next.get());
    }
  }

  private void take(JournalFile.Block block) {
    Envelope message = block.message();
    if (message.body() instanceof OutcomeMessage) {
      outcomes.putIfAbsent(message.sequence(), block);
    } else if (message.body() instanceof EndMessage) {
      ended = true;
    } else {
      // The latest counts: what was too large to be sent has given its number to another.
      readings.put(message.sequence(), message);
    }
  }

  /** The file for the map so far, beside this one; empty if the run keeps none. */
  public Optional<Path> mapFile() {
    return Optional.of(path.resolveSibling("map.state")).filter(any -> keeps == Keeps.READINGS);
  }

  // --- what it has -------------------------------------------------------------------------------

  /** The number of the run. */
  public long run() {
    return run;
  }

  /** Number of the reading behind which it begins, or what has been left out meanwhile ends. */
  public long before() {
    return base;
  }

  /** All readings up to this one have an outcome; 0 for none. */
  public long answered() {
    long answered = base;
    while (outcomes.containsKey(answered + 1)) {
      answered++;
    }
    return answered;
  }

  /** The service needs no reading up to this one again; 0 for none. */
  public long durable() {
    return outcomes.values().stream()
        .mapToLong(entry -> outcome(entry).durable())
        .reduce(base, Math::max);
  }

  /**
   * The readings that were sent and are in no checkpoint, and at least the last one, in their
   * order; once only.
   */
  public List<Envelope> takeReadings() {
    long first = readings.isEmpty() ? 0 : Math.min(durable() + 1, readings.lastKey());
    List<Envelope> all = List.copyOf(readings.tailMap(first, true).values());
    readings.clear();
    return all;
  }

  /** True if the run's end was sent: the service takes no more readings of it. */
  public boolean isEnded() {
    return ended;
  }

  /** False as long as a run that goes on behind an earlier one has sent nothing. */
  public boolean isBegun() {
    return base == 0 || ended || !readings.isEmpty();
  }

  /** The stamp of the last reading that was sent; empty before the first. */
  public OptionalLong lastStampNanos() {
    return readings.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(readings.lastEntry().getValue().stampNanos());
  }

  /** True if a reading has its outcome. */
  public boolean hasOutcome(long sequence) {
    return sequence <= base || outcomes.containsKey(sequence);
  }

  /**
   * The outcome of a reading that has one.
   *
   * @throws GatewayException if it is another reading's
   */
  public OutcomeMessage outcome(long sequence, Reading reading) {
    JournalFile.Block entry = outcomes.get(sequence);
    if (!Arrays.equals(entry.digest(), JournalFile.digest(reading))) {
      throw new GatewayException(
          "the run cannot go on: reading "
              + sequence
              + " of this log is another than that of the run; without --resume it begins anew");
    }
    return outcome(entry);
  }

  /** The correction of the newest pose among the outcomes; none if there is no pose. */
  public Correction correction() {
    return outcomes.descendingMap().values().stream()
        .map(entry -> outcome(entry).outcome())
        .filter(Outcome.Processed.class::isInstance)
        .map(processed -> ((Outcome.Processed) processed).correction())
        .findFirst()
        .orElse(Correction.NONE);
  }

  // --- writing -----------------------------------------------------------------------------------

  /** A reading, or the end, is about to be sent. It is on the disk when this returns. */
  public void sent(Envelope message) {
    if (keeps == Keeps.READINGS) {
      write(
          () -> {
            file.append(JournalFile.digest(message), message);
            file.force();
          });
    }
  }

  /** A reading has its outcome. */
  public void answered(Envelope reading, OutcomeMessage outcome) {
    JournalFile.Block entry =
        new JournalFile.Block(JournalFile.digest(reading), reading.answer(outcome));
    if (keeps == Keeps.READINGS) {
      outcomes.put(reading.sequence(), entry);
    }
    write(() -> file.append(entry.digest(), entry.message()));
  }

  /**
   * Leaves out what is older than the readings that are held, if that is most of the file.
   *
   * @param held at least one, in their order
   * @param heldBytes about how many bytes they take
   */
  public void compact(SortedMap<Long, Envelope> held, long heldBytes) {
    if (keeps == Keeps.READINGS) {
      outcomes.headMap(held.firstKey(), false).clear();
      write(
          () -> {
            if (file.length() > 2 * heldBytes + SPARE_BYTES) {
              rewrite(held);
            }
          });
    }
  }

  private void rewrite(SortedMap<Long, Envelope> held) throws IOException {
    base = held.firstKey() - 1;
    Path next = path.resolveSibling(FILE + ".new");
    file.close();
    open(next);
    writeHead(run);
    for (Envelope each : held.values()) {
      file.append(JournalFile.digest(each), each);
    }
    for (JournalFile.Block each : outcomes.values()) {
      file.append(each.digest(), each.message());
    }
    file.force();
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Another run begins.
   *
   * @param otherwise what is otherwise in its identity
   */
  public void beginAnew(long number, Map<String, String> otherwise) {
    identity = identity.with(otherwise);
    base = 0;
    outcomes.clear();
    write(() -> writeHead(number));
  }

  /** The run has come to its end: there is nothing to go on with. */
  public void delete() {
    if (keeps == Keeps.READINGS) {
      write(() -> Files.deleteIfExists(path));
      write(() -> Files.deleteIfExists(mapFile().orElseThrow()));
    }
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void write(Writing writing) {
    if (failed) {
      return;
    }
    try {
      writing.run();
    } catch (IOException e) {
      failed = true;
      LOG.warn(
          "the run cannot be resumed from now on, for {} on the disk {} cannot be written: {}",
          path,
          DiskName.of(path),
          e.getMessage());
      deleteWhatIsNotWhole();
    }
  }

  /** Else another process would go on with it, and count what it lacks once more. */
  private void deleteWhatIsNotWhole() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.warn("{} is of no use, and cannot be deleted", path, e);
    }
  }

  @Override
  public void close() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      LOG.warn("{} cannot be closed", path, e);
    }
  }
}
