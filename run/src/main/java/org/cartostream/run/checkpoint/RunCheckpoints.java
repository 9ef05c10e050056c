package org.cartostream.run.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.cartostream.broker.Version;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointPace;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.DirectoryStore;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.RunState;
import org.cartostream.checkpoint.SharedParts;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.gateway.journal.DamagedJournalException;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.response.ResponseSender;
import org.cartostream.topology.run.Run;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints of one run in its output folder: writes the run's state from time to time, and finds
 * the latest checkpoint.
 *
 * <p>The caller's thread encodes a state, because the state changes later; another thread writes
 * the bytes. While a checkpoint is being written, no other one is due. If a checkpoint cannot be
 * written, the run goes on, and a notice says so once.
 */
public final class RunCheckpoints implements AutoCloseable {

  /** Name of the checkpoints' folder in the run's output folder. */
  public static final String FOLDER = "checkpoint";

  private static final Logger LOG = LoggerFactory.getLogger(RunCheckpoints.class);

  /** Regular expression of the run's number that a service appends to the robot's id. */
  public static final String OF_A_SERVICE = "-[0-9a-f]+";

  private static final String FROM_BEGINNING =
      "no checkpoint can be gone on from, so the run begins anew, with the log's first reading";

  /** Name of the only part of a serial engine's checkpoint. */
  public static final String PART = "filter";

  private final CheckpointUse use;
  private final CheckpointStore store;
  private final SharedParts sharedParts;
  private final Path folder;
  private final String run;
  private final Map<String, String> identity;
  private final CheckpointPace pace;
  private final LongSupplier nanoClock;
  private final Consumer<String> notices;
  private final ExecutorService writer =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "checkpoint-writer");
            thread.setDaemon(true);
            return thread;
          });

  private CompletableFuture<Void> writing = CompletableFuture.completedFuture(null);
  private long epoch;
  private boolean failed;

  /**
   * A saved state with which a run resumes.
   *
   * @param reading number of the last reading in the state
   */
  public record Resumed<T>(long reading, T state) {}

  /**
   * @param output output folder of the run
   * @param run name of the run: the robot's id
   * @param identity settings that must not change when the run is resumed, key to value
   * @param notices receives sentences that the user should see
   */
  public RunCheckpoints(
      CheckpointUse use,
      CheckpointSettings settings,
      Path output,
      String run,
      Map<String, String> identity,
      LongSupplier nanoClock,
      Consumer<String> notices) {
    this.use = use;
    this.folder = output.resolve(FOLDER);
    this.store = new DirectoryStore(folder);
    this.sharedParts = new SharedParts(store);
    this.run = run;
    this.identity = Map.copyOf(identity);
    this.pace = new CheckpointPace(settings);
    pace.begin(nanoClock.getAsLong());
    this.nanoClock = nanoClock;
    this.notices = notices;
  }

  /** Returns the checkpoints of a run that writes none. */
  public static RunCheckpoints none() {
    return new RunCheckpoints(
        CheckpointUse.OFF,
        CheckpointSettings.every(0),
        Path.of(""),
        "none",
        Map.of(),
        System::nanoTime,
        notice -> {});
  }

  /**
   * Reads the latest state, if the run is to be resumed; returns empty if the run begins anew, or
   * all checkpoints are damaged.
   *
   * @param type class of the state
   * @throws CheckpointException if there is no checkpoint, or its run had other settings
   */
  public <T> Optional<Resumed<T>> latest(Class<T> type) throws IOException {
    if (use != CheckpointUse.RESUME) {
      return Optional.empty();
    }
    List<String> unusable = new ArrayList<>();
    Optional<Manifest> latest = newest(store, run, unusable);
    if (latest.isEmpty() && unusable.isEmpty()) {
      throw nothingToResume();
    }
    if (latest.isEmpty()) {
      notices.accept(FROM_BEGINNING);
      return Optional.empty();
    }
    Manifest manifest = latest.get();
    manifest.checkIdentity(identity);
    epoch = manifest.id().epoch() + 1;
    T state = SharedParts.read(store, manifest, PART, type);
    return Optional.of(new Resumed<>(manifest.id().reading(), state));
  }

  /**
   * Checks that this run may continue from the state of an earlier run.
   *
   * @throws CheckpointException if the earlier run had other settings
   */
  public void checkIdentity(RunState earlier) throws CheckpointException {
    earlier.manifest().checkIdentity(identity);
  }

  /**
   * Begins the journal of a replay through a service, which writes the checkpoints; returns empty
   * if no checkpoints are wanted.
   *
   * @param beginning numbers at which the run begins
   */
  public Optional<RunJournal> journal(RunBeginning beginning) {
    if (use == CheckpointUse.OFF || !pace.isOn()) {
      begin(); // There is nothing to resume from now on.
      return Optional.empty();
    }
    deleteEarlier(""); // Only the serial engine's. The service may have stored this run's first.
    return Optional.of(
        RunJournal.begin(journalFile(), RunJournal.Keeps.OUTCOMES, identity, beginning));
  }

  /**
   * Opens the journal of the run that is resumed; returns empty if the run must begin anew, because
   * the journal or the checkpoints are damaged.
   *
   * @param location place of the service's checkpoints
   * @param isHere false if the checkpoints may be on another host
   * @throws org.cartostream.gateway.GatewayException if there is no journal, or its run had other
   *     settings
   */
  public Optional<RunJournal> resumedJournal(String location, boolean isHere) throws IOException {
    if (!pace.isOn()) {
      return Optional.empty();
    }
    RunJournal journal;
    try {
      journal = RunJournal.resume(journalFile(), RunJournal.Keeps.OUTCOMES, identity);
    } catch (DamagedJournalException e) {
      notices.accept(e.getMessage());
      notices.accept(FROM_BEGINNING);
      return Optional.empty();
    }
    CheckpointStore its = CheckpointStore.at(location);
    String name = TaskCheckpoints.name(new Run(run, journal.run(), 0));
    if (isHere || its.runs().contains(name)) {
      List<String> unusable = new ArrayList<>();
      Optional<Manifest> latest = newest(its, name, unusable);
      // The journal no longer has the readings that the service has stored.
      long stored = latest.map(each -> each.id().reading()).orElse(0L);
      boolean isDamaged = latest.isEmpty() && !unusable.isEmpty();
      // As after a full disk: the service sends older answers no more.
      boolean isBehind = stored - journal.answered() > ResponseSender.ANSWERED_AGAIN;
      if (isDamaged || isBehind || stored < journal.durable()) {
        journal.close();
        notices.accept(FROM_BEGINNING);
        return Optional.empty();
      }
    }
    return Optional.of(journal);
  }

  /**
   * Returns the newest intact checkpoint; reports damaged ones as notices and adds them to {@code
   * unusable}.
   */
  private Optional<Manifest> newest(CheckpointStore in, String name, List<String> unusable)
      throws IOException {
    in.sweep(name);
    Optional<Manifest> newest = in.latest(name, unusable::add);
    unusable.forEach(notices);
    return newest;
  }

  /**
   * Returns true if the latest run in a folder went through a service, as its journal shows; the
   * serial engine deletes the journal.
   *
   * @param output output folder of the run
   */
  public static boolean areOfAService(Path output) {
    return Files.exists(output.resolve(FOLDER).resolve(RunJournal.FILE));
  }

  private Path journalFile() {
    return folder.resolve(RunJournal.FILE);
  }

  private CheckpointException nothingToResume() {
    return new CheckpointException(
        "there is nothing to resume: no checkpoint of '%s' is in %s; without".formatted(run, folder)
            + " --resume the run begins anew");
  }

  /**
   * Deletes the journal and checkpoints that an older run of any engine has left, because this run
   * begins anew.
   */
  public void begin() {
    if (use == CheckpointUse.OFF) {
      return;
    }
    try {
      Files.deleteIfExists(journalFile());
    } catch (IOException e) {
      failed(new CheckpointId(run, epoch, 0), e);
    }
    deleteEarlier("(" + OF_A_SERVICE + ")?");
  }

  /**
   * Returns the names of a robot's runs in a store.
   *
   * @param number regular expression of the text after the robot's id
   */
  private static List<String> runs(CheckpointStore in, String robot, String number)
      throws IOException {
    String names = Pattern.quote(robot) + number;
    return in.runs().stream().filter(each -> each.matches(names)).toList();
  }

  private void deleteEarlier(String number) {
    try {
      for (String each : runs(store, run, number)) {
        store.delete(each);
      }
    } catch (IOException e) {
      failed(new CheckpointId(run, epoch, 0), e);
    }
  }

  /** Returns true if it is time for a checkpoint. */
  public boolean isDue() {
    return use != CheckpointUse.OFF && pace.isDue(nanoClock.getAsLong()) && writing.isDone();
  }

  /** Writes a checkpoint; returns when the state may change again. */
  public void save(long reading, Object state) {
    save(reading, state, false);
  }

  private void save(long reading, Object state, boolean isEnd) {
    long start = nanoClock.getAsLong();
    pace.begin(start);
    CheckpointId id = new CheckpointId(run, epoch, reading);
    StateCodec.Encoded encoded;
    try {
      encoded = StateCodec.encode(state);
    } catch (RuntimeException | OutOfMemoryError e) {
      failed(id, e); // A large state needs as much memory once more.
      return;
    }
    pace.encoded(nanoClock.getAsLong() - start);
    writing = CompletableFuture.runAsync(() -> write(id, encoded, isEnd), writer);
  }

  private void write(CheckpointId id, StateCodec.Encoded encoded, boolean isEnd) {
    try {
      List<CheckpointPart> parts =
          new ArrayList<>(sharedParts.write(run, PART, encoded.contents()));
      parts.add(store.write(id, PART, encoded.blocks()));
      Manifest manifest = new Manifest(id, Version.current(), new TreeMap<>(identity), parts);
      store.commit(isEnd ? manifest.ofEnded(id.reading()) : manifest);
      store.deleteBefore(manifest.id());
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      failed(id, e);
    }
  }

  private synchronized void failed(CheckpointId id, Throwable why) {
    if (!failed) {
      failed = true;
      notices.accept(
          "no checkpoint could be written at reading %d, and the run could not go on from there: %s"
              .formatted(id.reading(), why instanceof IOException ? why.getMessage() : why));
    }
    LOG.warn("{} cannot be written", id, why);
  }

  /** Writes the last checkpoint of a run and waits for it. */
  public void finish(long reading, Object state) {
    if (use == CheckpointUse.OFF || !pace.isOn()) {
      return;
    }
    save(reading, state, true);
    await();
  }

  /**
   * Saves the last checkpoint of a finished run beside its results. It has the state before the
   * path's loops were closed, so that another run can continue from it.
   *
   * @param checkpoints place of the run's or its service's checkpoints; if the run has none there,
   *     as with a service elsewhere, nothing is written
   * @param robot id of the run's robot
   * @param number {@link #OF_A_SERVICE} if a service wrote the checkpoints, else empty
   * @param output folder for {@link RunState#FILE}
   * @param lastReading number of the run's last reading
   * @param refused reason for people why the service refused readings; empty if it took all
   * @return reason for people why the state of the run's end could not be saved, and what to do;
   *     empty if it was saved
   */
  public static Optional<String> keepState(
      String checkpoints,
      String robot,
      String number,
      Path output,
      long lastReading,
      Optional<String> refused) {
    String why = "no checkpoint of it could be stored";
    CheckpointStore store = CheckpointStore.at(checkpoints);
    try {
      for (String run : runs(store, robot, number)) {
        Optional<Manifest> last = store.latest(run, LOG::warn);
        if (last.isPresent()) {
          Manifest manifest = last.get().ofEnded(lastReading);
          AtomicFile.write(
              output.resolve(RunState.FILE), out -> RunState.write(out, store, manifest));
          if (manifest.hasAll()) {
            return Optional.empty();
          }
          why = "it is of " + manifest.place() + ": no later checkpoint was stored";
        }
      }
      why += "; " + refused.orElse("make room in %s and run it again".formatted(checkpoints));
    } catch (IOException e) {
      why = e.getMessage() + "; make room there and run it again";
    }
    LOG.warn("{}: {}", output.resolve(RunState.FILE), why);
    return Optional.of(why);
  }

  private void await() {
    try {
      writing.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a checkpoint's writer failed", e.getCause());
    }
  }

  @Override
  public void close() {
    writer.shutdown();
  }
}
