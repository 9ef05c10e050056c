package org.cartostream.topology.failure;

import org.cartostream.topology.run.Run;

/**
 * A run's place in the {@link AdmissionTurns} with its checkpoints: none is begun while a reading
 * is being processed that was noted, of whichever robot. Else what a checkpoint takes, memory above
 * all, could end a process, and the reading would be blamed.
 *
 * <p>Is {@link State#NONE} while no checkpoint is wanted, {@link State#WAITED} for, and {@link
 * State#TAKEN} until the checkpoint is stored, or is not to be any more. The dispatcher's thread
 * calls all.
 */
public final class CheckpointTurn {

  private enum State {
    NONE,
    WAITED,
    TAKEN
  }

  private final AdmissionTurns turns;
  private final FatalReadingSearch.Written written;
  private State state = State.NONE;

  /** In the epoch in which it began to wait. */
  private Run run;

  /**
   * @param written takes that a checkpoint that had to wait may be begun
   */
  public CheckpointTurn(AdmissionTurns turns, FatalReadingSearch.Written written) {
    this.turns = turns;
    this.written = written;
  }

  /** True if a checkpoint may be begun now; else its turn is waited for. */
  public boolean take(Run current) {
    if (state == State.NONE) {
      run = current;
      state = turns.mayStore(this) ? State.TAKEN : State.WAITED;
    }
    return state == State.TAKEN;
  }

  /** What was waited for has come. */
  void begin() {
    state = State.TAKEN;
    written.written(run, 0);
  }

  /** True if a checkpoint is wanted, and may not be begun yet. */
  public boolean isWaited() {
    return state == State.WAITED;
  }

  /** True if a checkpoint is being stored, or may be begun. */
  public boolean isTaken() {
    return state == State.TAKEN;
  }

  /** No checkpoint is wanted. One that was begun may keep tasks busy until the run is restored. */
  public void leaveUnlessTaken() {
    if (state == State.WAITED) {
      end();
    }
  }

  /** No checkpoint is being stored, or to be begun. */
  public void end() {
    if (state != State.NONE) {
      state = State.NONE;
      turns.stored(this);
    }
  }
}
