package org.cartostream.topology.failure;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.run.Run;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detector of a poison reading: one that crashes a process of the service each time it is
 * processed, so that no handler can catch the failure. The process may be the dispatcher's own, so
 * crashes are counted in the store, in a file of the run beside its checkpoints:
 *
 * <ol>
 *   <li>A dispatcher that takes over a run from a dead one first notes the checkpoint from which it
 *       continues. A dispatcher that survives the crash of another process counts the crash in the
 *       same way, but in memory.
 *   <li>From the second time on that the run continues from the same checkpoint, the readings are
 *       admitted one at a time. The number of each reading is written to the file (noted) before,
 *       and removed when the reading is done: processed by the matchers and answered by the
 *       publisher. This lasts until there is a later checkpoint, which contains the suspected
 *       reading if there is one. Without such repetition nothing is written unless a dispatcher
 *       dies.
 *   <li>A reading that was noted and not done when two processes died is refused from then on. The
 *       refusal is noted before the robot is told, so that it also holds after any other failure;
 *       this also applies to other refusals of readings at which the service fails. If the store
 *       fails or is silent, the robot is told without a note.
 * </ol>
 *
 * <p>The run does not wait for a note that cannot be written; the write is tried again while the
 * run continues.
 *
 * <p>Another robot's reading, map or checkpoint could be what crashes the process. So the detectors
 * of all runs share an {@link AdmissionLock}, which lets nothing else begin while a noted reading
 * is processed.
 *
 * <p>Owns the {@link CrashHistory}. The dispatcher's thread calls all methods except {@link
 * #takeOver}.
 */
public final class PoisonReadingDetector {

  private static final Logger LOG = LoggerFactory.getLogger(PoisonReadingDetector.class);

  /**
   * Number of restores from the same checkpoint, after processes died, from which readings are
   * noted.
   */
  private static final int MAX_RESTORES = 2;

  /** Nanoseconds without an answer from the store after which the run goes on without notes. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * Time for which other runs wait while the run of a noted reading is restored, or a noted reading
   * waits for a map being drawn, nanoseconds.
   */
  private static final long RESTORE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Nanoseconds after which a note that could not be written is tried again. */
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Reason for which a reading is refused, for people. */
  public static final String SENTENCE = "the service's process ended at it, twice";

  private enum State {
    /** No reading is noted. */
    IDLE,
    /** Another run has its turn. */
    QUEUED,
    /** The run has its turn, and waits until no map is drawn. */
    HOLDING,
    /** A reading is being noted. */
    MARKING,
    /** The reading is noted, and may be admitted. */
    MARKED,
    /** The reading is being processed. */
    ADMITTED,
    /** A component has failed. Whether a process ended is known when the run is restored. */
    FAILED,
    /** The note that the reading is done is being written. */
    UNMARKING
  }

  /** Callback after a note is written or could not be, in the thread that wrote it. */
  public interface Written {
    void written(Run run, long reading);
  }

  private final CrashHistoryFile file;
  private final Written written;
  private final AdmissionLock admissionLock;
  private final boolean isRedelivered;

  /**
   * History of crashes; the thread of {@link #takeOver} sets it before the dispatcher learns of the
   * checkpoint.
   */
  private volatile CrashHistory note = CrashHistory.NOTHING;

  private State state = State.IDLE;
  private Run run;
  private long reading;
  private long now;

  /** The time at which the state began, by the dispatcher's clock. */
  private long since;

  /**
   * Numbers of writes: the one that the state waits for, the latest one, and the latest one of a
   * refusal.
   */
  private long writing;

  private long latestWriting;
  private long refusalWriting;

  /** Time at which the latest refusal was given to the writer. */
  private long refusedAt;

  /** Time at which the latest note was given to the writer. */
  private long triedAt;

  /** Number of the newest task's incarnation when the reading was admitted. */
  private long admittedAt;

  /**
   * @param run the run, in any epoch
   * @param store store of the checkpoints; if empty, no poison reading is found
   * @param writer executor for work that waits for the store
   * @param written called after each write of a note
   * @param isRedelivered true if the broker had delivered some of the run's readings before, as a
   *     rule to a dispatcher that died
   */
  public PoisonReadingDetector(
      Run run,
      Optional<CheckpointStore> store,
      Executor writer,
      Written written,
      AdmissionLock admissionLock,
      boolean isRedelivered) {
    this.run = run;
    this.file = new CrashHistoryFile(TaskCheckpoints.name(run), store.orElse(null), writer);
    this.written = written;
    this.admissionLock = admissionLock;
    this.isRedelivered = isRedelivered;
  }

  /**
   * Takes over the run at a new dispatcher, which goes on from a checkpoint. Reads the crash
   * history, and counts and notes a death if an earlier dispatcher died. Waits for the store.
   *
   * @param cut number of the last reading in the checkpoint; 0 if there is none
   */
  public void takeOver(long cut) {
    if (!file.exists() || cut == 0 && !isRedelivered) {
      return;
    }
    try {
      CrashHistory before = file.read();
      boolean isOld = before.cut() != cut;
      note = isRedelivered ? before.resumeFrom(cut) : isOld ? before.durable(cut) : before;
      if (isRedelivered) {
        file.writeNow(note);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: that a process has ended is not noted: {}", run, e.toString());
    }
    logIfOn();
  }

  private void logIfOn() {
    if (isOn()) {
      LOG.warn(
          "{}: processes ended after reading {}; its readings are admitted one at a time",
          run,
          note.cut());
    }
  }

  /**
   * Notes that the run goes on from a checkpoint after a failure, with the same dispatcher.
   *
   * @param current the run in its new epoch
   * @param cut number of the last reading in the checkpoint
   * @param tasks incarnations of all other tasks of the run
   * @param started incarnations of the tasks that were started since the failure
   * @param time the time by the dispatcher's clock, nanoseconds
   * @return number of a reading that is refused from now on; empty if there is none
   */
  public OptionalLong restored(
      Run current, long cut, Collection<Long> tasks, Set<Long> started, long time) {
    run = current;
    boolean isToBlame = state == State.FAILED && admissionLock.isLaterThan(admittedAt, started);
    tasks.forEach(admissionLock::met);
    CrashHistory before = isToBlame ? note : note.trying(0);
    boolean isDeath = file.exists() && !started.isEmpty();
    note = isDeath ? before.resumeFrom(cut) : before;
    if (isDeath) {
      logIfOn();
    }
    boolean isRefusing = isDeath && note.refused().containsKey(before.trying());
    if (isRefusing) {
      writeRefusal(time);
    } else {
      writeIfChanged();
    }
    if (state == State.FAILED && admissionLock.isGivenUp()) {
      close();
    } else if (state == State.FAILED) {
      // Until the file is rewritten, the reading would be blamed for a later crash.
      enter(State.UNMARKING, time);
      writing = latestWriting;
      written();
    }
    return isRefusing ? OptionalLong.of(before.trying()) : OptionalLong.empty();
  }

  /**
   * Notes that a reading is refused from now on, because a component has repeatedly thrown an
   * exception at it.
   */
  public void refuse(long number, String why, long time) {
    note = note.refusing(number, why);
    if (file.exists()) {
      writeRefusal(time);
    }
  }

  private void writeRefusal(long time) {
    refusedAt = time;
    refusalWriting = write(reading);
  }

  /**
   * Returns false while a refusal is being noted, which must be durable before the robot is told.
   */
  public boolean mayTellRefusals(long time) {
    return file.hasEnded(refusalWriting) || time - refusedAt > PATIENCE_NANOS;
  }

  /**
   * Returns the reasons for which readings are refused whenever they come, for people, by the
   * readings' numbers.
   */
  public Map<Long, String> refusals() {
    return note.refused();
  }

  private boolean isOn() {
    boolean isSuspicious = note.restores() >= MAX_RESTORES || note.suspect() != 0;
    return isSuspicious && !admissionLock.isGivenUp();
  }

  /**
   * Returns true if a reading may be admitted now. If not, the detector asks for a turn and notes
   * the reading; {@link Written} is called when that is done.
   */
  public boolean mayAdmit(Run current, long number, long time) {
    if (state == State.IDLE && !isOn() && admissionLock.mayAdmitFreely(this)) {
      return true;
    }
    if (state == State.MARKED && number == reading) {
      state = State.ADMITTED;
      admittedAt = admissionLock.latestMet();
      return true;
    }
    if (state == State.IDLE) {
      run = current;
      reading = number;
      enter(State.QUEUED, time);
      admissionLock.ask(this);
    }
    return false;
  }

  /** Returns true if the reading that was admitted last is noted. */
  public boolean isNoted() {
    return state == State.ADMITTED;
  }

  private void enter(State next, long time) {
    state = next;
    since = time;
    now = time;
  }

  /** Takes the turn: asks for a pause of drawing maps, after which the reading is noted. */
  void takeTurn() {
    enter(State.HOLDING, now);
    admissionLock.pauseMaps(run, reading);
  }

  /** Notes that no map is drawn until a reading is answered. */
  public void mapsArePaused(long number) {
    if (state == State.HOLDING && number == reading) {
      noteAdmission();
    }
  }

  private void noteAdmission() {
    enter(State.MARKING, now);
    if (admissionLock.isGivenUp()) {
      writing = 0;
      written.written(run, reading);
      return;
    }
    noteThatItIsTried(reading);
  }

  /** Notes that all admitted readings of the run are done. */
  public void done(long time) {
    if (state != State.ADMITTED) {
      admissionLock.done(this);
    } else if (admissionLock.isGivenUp()) {
      note = note.trying(0);
      writeIfChanged();
      close();
    } else {
      enter(State.UNMARKING, time);
      noteThatItIsTried(0);
    }
  }

  private void noteThatItIsTried(long number) {
    note = note.trying(number);
    writing = write(reading);
  }

  /**
   * Writes the history if it has changed, without waiting for the write. Later writes come after it
   * in any case.
   */
  private void writeIfChanged() {
    if (file.isToBeChangedTo(note)) {
      write(reading);
    }
  }

  private long write(long of) {
    Run current = run;
    triedAt = now;
    latestWriting =
        file.write(
            note,
            failure -> {
              if (failure.isEmpty()) {
                admissionLock.tryAgain();
              } else {
                giveUp(current, failure);
              }
              written.written(current, of);
            });
    return latestWriting;
  }

  private void giveUp(Run of, String why) {
    if (!admissionLock.isGivenUp()) {
      LOG.warn("{}: its readings, and other robots', are admitted without notes: {}", of, why);
    }
    admissionLock.giveUp();
  }

  /** Goes on if the write that the state waits for has succeeded or failed. */
  public void written() {
    if (file.hasEnded(writing)) {
      noted();
    }
  }

  private void noted() {
    if (state == State.MARKING) {
      state = State.MARKED;
    } else if (state == State.UNMARKING) {
      state = State.IDLE;
      admissionLock.leave(this);
    }
  }

  /** Checks time-outs, so that a store that does not answer does not hold up readings for long. */
  public void watch(long time) {
    now = time;
    if (state == State.FAILED && time - since > RESTORE_NANOS) {
      admissionLock.leave(this);
    }
    if (file.isToBeTriedAgain() && time - triedAt > AGAIN_NANOS) {
      write(reading);
    }
    boolean isLate = time - since > PATIENCE_NANOS;
    boolean isNoteLate = isLate && (state == State.MARKING || state == State.UNMARKING);
    if (isNoteLate) {
      giveUp(run, "the store of checkpoints does not answer");
      noted();
    } else if (state == State.QUEUED) {
      admissionLock.watch(this, time, PATIENCE_NANOS);
    } else if (state == State.HOLDING && time - since > RESTORE_NANOS) {
      noteAdmission();
    } else if (state == State.HOLDING) {
      admissionLock.pauseMaps(run, reading); // The first request may have been lost.
    }
  }

  /** Begins an epoch: no reading is being processed. */
  public void beginEpoch() {
    if (state == State.ADMITTED) {
      enter(State.FAILED, now); // Keeps the turn until it is known whether a process ended.
      return;
    }
    if (state == State.MARKING || state == State.MARKED) {
      note = note.trying(0); // The reading was not admitted.
      writeIfChanged();
    }
    if (state != State.FAILED) {
      close();
    }
  }

  /** Ends admissions of this run's readings, and leaves the lock. */
  public void close() {
    state = State.IDLE;
    admissionLock.leave(this);
  }

  /**
   * Notes a later checkpoint.
   *
   * @param cut number of the last reading in it
   */
  public void durable(long cut) {
    note = note.durable(cut);
  }
}
