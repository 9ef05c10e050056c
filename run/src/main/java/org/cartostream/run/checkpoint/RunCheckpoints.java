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
 * Checkpoints of one run in its output folder: writes its state from time to time, and finds the
 * latest.
 *
 * <p>A state is encoded by the caller's thread, for it goes on changing, and written by another.
 * While one is being written no other is due. Where it cannot be written the run goes on, and says
 * so once.
 */
public final class RunCheckpoints implements AutoCloseable {

  /** The folder in the run's output folder. */
  public static final String FOLDER = "checkpoint";

  private static final Logger LOG = LoggerFactory.getLogger(RunCheckpoints.class);

  /** A run's number, as a service writes it behind the robot's id. */
  public static final String OF_A_SERVICE = "-[0-9a-f]+";

  private static final String FROM_BEGINNING =
      "no checkpoint can be gone on from, so the run begins anew, with the log's first reading";

  /** A run without Storm has one component. */
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
   * @param reading number of the last reading in it
   */
  public record Resumed<T>(long reading, T state) {}

  /**
   * @param output the run's folder
   * @param run names the run: the robot's id
   * @param identity what must be the same where the run goes on, key to value
   * @param notices told what the user should know
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
   * The latest state, if the run is to go on; empty if it begins anew, also as all that there is is
   * damaged.
   *
   * @param type of the state
   * @throws CheckpointException if there is none, or it is that of another run
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
   * Checks that this run may go on from the state of an earlier one.
   *
   * @throws CheckpointException if that had other settings
   */
  public void checkIdentity(RunState earlier) throws CheckpointException {
    earlier.manifest().checkIdentity(identity);
  }

  /**
   * A new journal of a replay through a service, whose checkpoints the service writes; empty if
   * there are to be none.
   *
   * @param beginning of the run, if it goes on with an earlier one
   */
  public Optional<RunJournal> journal(RunBeginning beginning) {
    if (use == CheckpointUse.OFF || !pace.isOn()) {
      begin(); // There is nothing to resume from now on.
      return Optional.empty();
    }
    deleteEarlier(""); // Of one thread. The service deletes its own, and has this run's already.
    return Optional.of(
        RunJournal.begin(journalFile(), RunJournal.Keeps.OUTCOMES, identity, beginning));
  }

  /**
   * The journal of the run that this one goes on with; empty if it begins anew, as journal or
   * checkpoints are damaged.
   *
   * @param location of the service's checkpoints
   * @param isHere false if they may be on another host
   * @throws org.cartostream.gateway.GatewayException if there is none, or it is that of another run
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
      // What the service had stored, the journal has no readings of any more.
      long stored = latest.map(each -> each.id().reading()).orElse(0L);
      boolean isDamaged = latest.isEmpty() && !unusable.isEmpty();
      // Where the journal's disk was full: the service tells no older answers again.
      boolean isBehind = stored - journal.answered() > ResponseSender.ANSWERED_AGAIN;
      if (isDamaged || isBehind || stored < journal.durable()) {
        journal.close();
        notices.accept(FROM_BEGINNING);
        return Optional.empty();
      }
    }
    return Optional.of(journal);
  }

  /** The newest that is whole; what is not is told, and added to {@code unusable}. */
  private Optional<Manifest> newest(CheckpointStore in, String name, List<String> unusable)
      throws IOException {
    in.sweep(name);
    Optional<Manifest> newest = in.latest(name, unusable::add);
    unusable.forEach(notices);
    return newest;
  }

  /**
   * True if the latest run in a folder went through a service: each engine deletes what the other
   * has left.
   *
   * @param output the run's folder
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

  /** This run begins anew: deletes what an older one has left, of either engine. */
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
   * A robot's runs in a store.
   *
   * @param number what is behind the robot's id, as a regular expression
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

  /** True if it is time for a checkpoint. */
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
   * Keeps the last checkpoint of a finished run beside its results. It is of before the path's
   * loops were closed, and the run could go on from it.
   *
   * @param checkpoints the location where the run, or its service, has them; with none of the run
   *     there, as those of a service elsewhere, nothing is written
   * @param robot whose run it is
   * @param number what a service writes behind the robot's id: {@link #OF_A_SERVICE}, else empty
   * @param output for {@link RunState#FILE}
   * @param lastReading number of the run's last reading
   * @param refused why the service took no more of it, for people; empty if it took all
   * @return why there is none of the run's end, and what to do, for people; empty if there is
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
