package org.cartostream.topology.failure;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.run.Run;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the reading of a run that ends a process of the service each time it is processed, so that
 * no handler can catch what it does. It may be the dispatcher's own, and then nobody is left who
 * counts. So what is counted stands in the store, in a file of the run beside its checkpoints:
 *
 * <ol>
 *   <li>Each dispatcher that takes a dead one's place in the run notes from which checkpoint it
 *       goes on, before it does. One that lives on, while a process with other tasks has ended,
 *       counts in the same way, in memory.
 *   <li>From the second time on that the run goes on from the same checkpoint, the readings are
 *       admitted one at a time, and the number of each is noted before, and that it is done. So it
 *       is until there is a later checkpoint. Before that, nothing is written unless a dispatcher
 *       dies.
 *   <li>A reading that was noted, and not done with, when two processes died is refused from then
 *       on. That is noted, too, so that it is the same after any other failure, unless the
 *       dispatcher dies before it is written.
 * </ol>
 *
 * <p>Another robot's reading may be the one that ends the process. Hence readings take {@link
 * AdmissionTurns} while one is noted: one at a time of all robots.
 *
 * <p>Owns the {@link Note}. The dispatcher's thread calls all but {@link #goOnFrom}.
 */
public final class FatalReadingSearch {

  private static final Logger LOG = LoggerFactory.getLogger(FatalReadingSearch.class);

  /** So often the run goes on from one checkpoint, after deaths, before readings are noted. */
  private static final int MOST_RESTORES = 2;

  /** So many processes end while the same reading is noted; then it is refused. */
  private static final int MOST_DEATHS = 2;

  /** Without an answer from the store for so long, the run goes on without notes. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** For so long others wait while the run of a noted reading is restored. */
  private static final long RESTORE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final String FILE = "attempts.json";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What a refused reading was refused for, for people. */
  public static final String SENTENCE = "the service's process ended at it, twice";

  private enum State {
    /** No reading is noted. */
    IDLE,
    /** Another run has its turn. */
    QUEUED,
    /** A reading is being noted. */
    MARKING,
    /** It is noted, and may be admitted. */
    MARKED,
    /** It is being processed. */
    ADMITTED,
    /**
     * Something has failed meanwhile. Whether a process ended is known when the run is restored.
     */
    FAILED,
    /** That it is done is being noted. */
    UNMARKING
  }

  /**
   * What is known of the run's deaths.
   *
   * @param cut the last reading in the checkpoint from which the run went on
   * @param restores how often the run went on from it because a process had ended
   * @param trying the reading that is being processed alone; 0 for none
   * @param suspect the one that was at the latest death; 0 for none
   * @param deaths how many processes have ended at that one
   * @param refused readings after the cut that are refused
   */
  record Note(long cut, int restores, long trying, long suspect, int deaths, long[] refused) {

    static final Note NOTHING = new Note(0, 0, 0, 0, 0, new long[0]);

    /** A process has ended, and the run goes on from a checkpoint. */
    Note goOnFrom(long newCut) {
      long[] still = Arrays.stream(refused).filter(each -> each > newCut).toArray();
      if (newCut != cut) {
        return new Note(newCut, 1, 0, 0, 0, still);
      }
      if (trying == 0) {
        return new Note(cut, restores + 1, 0, suspect, deaths, still);
      }
      int again = trying == suspect ? deaths + 1 : 1;
      if (again < MOST_DEATHS) {
        return new Note(cut, restores + 1, 0, trying, again, still);
      }
      LongStream all = LongStream.concat(Arrays.stream(still), LongStream.of(trying));
      return new Note(cut, 0, 0, 0, 0, all.toArray());
    }

    Note trying(long reading) {
      return new Note(cut, restores, reading, suspect, deaths, refused);
    }

    /** There is a later checkpoint: what happened since the one before counts no more. */
    Note durable(long newCut) {
      return new Note(newCut, 0, 0, 0, 0, refused);
    }
  }

  /** Takes that a note is written, in whatever thread wrote it. */
  public interface Written {
    void written(Run run, long reading);
  }

  private final String name;
  private final CheckpointStore store;
  private final Executor writer;
  private final Written written;
  private final AdmissionTurns turns;
  private final boolean hasPredecessor;

  /** Written by the thread of {@link #goOnFrom}, before the dispatcher is told what it found. */
  private volatile Note note = Note.NOTHING;

  private State state = State.IDLE;
  private Run run;
  private long reading;
  private long now;

  /** When the state began, by the dispatcher's clock. */
  private long since;

  /** Which task had been met latest when the reading was admitted. */
  private long admittedAt;

  /**
   * @param run of any epoch
   * @param store empty for none: then nothing is found
   * @param writer runs what waits for the store
   * @param hasPredecessor true if a dispatcher had some of the run's readings, and died
   */
  public FatalReadingSearch(
      Run run,
      Optional<CheckpointStore> store,
      Executor writer,
      Written written,
      AdmissionTurns turns,
      boolean hasPredecessor) {
    this.run = run;
    this.name = TaskCheckpoints.name(run);
    this.store = store.orElse(null);
    this.writer = writer;
    this.written = written;
    this.turns = turns;
    this.hasPredecessor = hasPredecessor;
  }

  /**
   * The run goes on from a checkpoint: notes so. It waits for the store.
   *
   * @param cut the last reading in it; 0 if there is none
   */
  public void goOnFrom(long cut) {
    if (store == null || cut == 0 && !hasPredecessor) {
      return;
    }
    try {
      byte[] bytes = store.readBeside(name, FILE).orElse(null);
      Note before = bytes == null ? Note.NOTHING : JSON.readValue(bytes, Note.class);
      boolean isOld = before.cut() != cut;
      Note next = hasPredecessor ? before.goOnFrom(cut) : isOld ? before.durable(cut) : before;
      if (hasPredecessor) {
        write(next);
      }
      note = next;
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: that a process has ended is not noted: {}", run, e.toString());
    }
    sayIfOn();
  }

  private void sayIfOn() {
    if (isOn()) {
      LOG.warn(
          "{}: {} processes ended after reading {}; its readings are admitted one at a time",
          run,
          note.restores(),
          note.cut());
    }
  }

  /**
   * The run goes on from a checkpoint after a failure, with the same dispatcher.
   *
   * @param tasks incarnations of all other tasks of the run
   * @param started those of them that were started since it failed
   * @return a reading that is refused from now on; empty if there is none
   */
  public OptionalLong goOn(long cut, Collection<Long> tasks, Set<Long> started) {
    boolean isToBlame = state == State.FAILED && turns.isLaterThan(admittedAt, started);
    tasks.forEach(turns::met);
    Note before = isToBlame ? note : note.trying(0);
    if (state == State.FAILED) {
      close();
    }
    if (store == null || started.isEmpty()) {
      note = before;
      return OptionalLong.empty();
    }
    note = before.goOnFrom(cut);
    sayIfOn();
    if (before.trying() == 0 || !isRefused(before.trying())) {
      return OptionalLong.empty();
    }
    writeLater(
        e -> LOG.warn("{}: that reading {} is refused is not noted: {}", run, before.trying(), e),
        () -> {});
    return OptionalLong.of(before.trying());
  }

  private void write(Note next) throws IOException {
    store.writeBeside(name, FILE, ByteBuffer.wrap(JSON.writeValueAsBytes(next)));
  }

  /** Readings that are refused whenever they come. */
  public long[] refused() {
    return note.refused().clone();
  }

  /** True if this one is refused whenever it comes. */
  public boolean isRefused(long number) {
    return Arrays.stream(note.refused()).anyMatch(each -> each == number);
  }

  private boolean isOn() {
    return note.restores() >= MOST_RESTORES && !turns.isGivenUp();
  }

  /**
   * True if a reading may be admitted now. If not, the store's answer is awaited; {@link Written}
   * tells of it.
   */
  public boolean mayAdmit(Run current, long number, long time) {
    if (state == State.IDLE && !isOn() && turns.mayAdmitFreely(this)) {
      return true;
    }
    if (state == State.MARKED && number == reading) {
      state = State.ADMITTED;
      admittedAt = turns.latestMet();
      return true;
    }
    if (state == State.IDLE) {
      run = current;
      reading = number;
      enter(State.QUEUED, time);
      turns.ask(this);
    }
    return false;
  }

  private void enter(State next, long time) {
    state = next;
    since = time;
    now = time;
  }

  /** It has its turn. */
  void mark() {
    enter(State.MARKING, now);
    if (turns.isGivenUp()) {
      written.written(run, reading);
      return;
    }
    noteThatItIsTried(reading);
  }

  /** Nothing is being processed: whatever was admitted is done. */
  public void done(long time) {
    if (state != State.ADMITTED) {
      turns.done(this);
    } else if (turns.isGivenUp()) {
      note = note.trying(0);
      close();
    } else {
      enter(State.UNMARKING, time);
      noteThatItIsTried(0);
    }
  }

  private void noteThatItIsTried(long number) {
    note = note.trying(number);
    Run of = run;
    long noted = reading;
    writeLater(e -> giveUp(of, e.toString()), () -> written.written(of, noted));
  }

  /**
   * Writes the note in the thread that waits for the store.
   *
   * @param failed takes why it is not written
   * @param then is done in any case
   */
  private void writeLater(Consumer<Exception> failed, Runnable then) {
    Note next = note;
    writer.execute(
        () -> {
          try {
            write(next);
          } catch (IOException | RuntimeException e) {
            failed.accept(e);
          }
          then.run();
        });
  }

  private void giveUp(Run of, String why) {
    turns.giveUp();
    LOG.warn("{}: its readings, and other robots', are admitted without notes: {}", of, why);
  }

  /** The note is written, or cannot be. */
  public void written() {
    if (state == State.MARKING) {
      state = State.MARKED;
    } else if (state == State.UNMARKING) {
      state = State.IDLE;
      turns.leave(this);
    }
  }

  /**
   * Looks at the time.
   *
   * @return true if a reading may be admitted because the store does not answer
   */
  public boolean watch(long time) {
    now = time;
    if (state == State.FAILED && time - since > RESTORE_NANOS) {
      turns.leave(this);
    }
    boolean isLate =
        (state == State.MARKING || state == State.UNMARKING) && time - since > PATIENCE_NANOS;
    if (isLate) {
      giveUp(run, "the store of checkpoints does not answer");
      written();
    }
    return isLate;
  }

  /** An epoch begins: nothing is being processed. */
  public void reset() {
    if (state == State.ADMITTED) {
      enter(State.FAILED, now); // Others have turns when it is known whether a process ended.
      return;
    }
    if (state == State.MARKING || state == State.MARKED) {
      note = note.trying(0); // It was not admitted.
    }
    if (state != State.FAILED) {
      close();
    }
  }

  /** No reading is admitted any more. */
  public void close() {
    state = State.IDLE;
    turns.leave(this);
  }

  /** There is a later checkpoint. */
  public void durable(long cut) {
    note = note.durable(cut);
  }
}
