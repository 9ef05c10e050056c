package org.cartostream.topology.match;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.FailedReadingException;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.WeightReport;
import org.cartostream.topology.timing.KeyFrameTimer;
import org.cartostream.topology.timing.KeyFrameTiming;

/**
 * One task's partition of one run's particles, and the state machine of its current key frame.
 *
 * <p>Owns the {@link Partition}, the {@link KeyFrameTimer}, and the next key frame if it has come
 * already. A key frame goes through {@code IDLE → MATCHED → EXCHANGING → ENTERING → IDLE}. If a key
 * frame is so much work that other robots would have to wait, another thread does it ({@link
 * KeyFrameOffload}). Particles from other tasks may come before the decision ({@link
 * IncomingParticles}). The next key frame is begun as soon as this task's own maps are done,
 * without waiting for other tasks.
 *
 * <p>While it waits for the decision, the worker works ahead as if no particle were resampled: it
 * enters the scan into the maps, and then matches the next key frame. It does so in small pieces,
 * so that it receives the decision at once. So a task can be ahead of the others by up to a whole
 * key frame, and may be slow with the next one. The next key frame's weights are sent only after
 * the decision: if the particles are resampled, their matching begins anew.
 *
 * @param <X> type of the exchange of weights and particles with other tasks
 */
public final class PartitionWorker<X extends ParticleExchange> {

  /**
   * Time for which a task works ahead before it reads messages again, nanoseconds: long compared to
   * a message to itself, short compared to a key frame.
   */
  public static final long PIECE_NANOS = 250_000;

  /**
   * Outputs of a worker.
   *
   * @param ready reports that a key frame is done
   * @param continuations messages to this task itself, to continue working ahead
   * @param saver saves the run's state at a barrier
   * @param offloader runs large work in another thread
   */
  record Outputs(
      StreamOutput<Payload.Ready> ready,
      StreamOutput.Direct<Payload.ContinueWork> continuations,
      Saver saver,
      KeyFrameOffload.Offloader offloader) {}

  /**
   * Saver of the state of a run after a reading; runs {@code then} when the state may change again.
   */
  interface Saver {
    void save(Run run, long reading, Runnable then);
  }

  /**
   * States of a worker, in this order: it waits for a key frame, waits for the decision, waits for
   * other tasks' particles, or enters the scan into the maps.
   */
  private enum State {
    IDLE,
    MATCHED,
    EXCHANGING,
    ENTERING
  }

  /** Value of {@code marked} while there is no barrier. */
  private static final long NONE = -1;

  private final Run run;
  private final int task;
  private final Partition<?> partition;
  private final X exchange;
  private final IntSupplier active;
  private final boolean worksAhead;
  private final Outputs outputs;
  private final IncomingParticles expected = new IncomingParticles();
  private final KeyFrameOffload offload;
  private final KeyFrameTimer keyFrameTimer;

  private State state = State.IDLE;

  private Step step;
  private Step ahead;

  /** Numbers of the key frames after which the size of the maps is to be counted. */
  private final Set<Long> toCount = new HashSet<>();

  private long done;

  /** Reading of the checkpoint barrier that has come and is not reached yet. */
  private long marked = NONE;

  /**
   * Key frame of the continuation message that may be on its way to this task; 0 if there is none.
   */
  private long underway;

  /**
   * @param active number of tasks that are to hold particles, as far as this task knows; 0 for all
   * @param worksAhead false if the worker is to wait idly for decisions
   */
  PartitionWorker(
      Run run,
      KeyFrameTimer keyFrameTimer,
      Partition<?> partition,
      X exchange,
      IntSupplier active,
      boolean worksAhead,
      Outputs outputs) {
    this.active = active;
    this.worksAhead = worksAhead;
    this.run = run;
    this.task = keyFrameTimer.task();
    this.partition = partition;
    this.exchange = exchange;
    this.outputs = outputs;
    this.offload = new KeyFrameOffload(run, outputs.offloader);
    this.keyFrameTimer = keyFrameTimer;
  }

  /**
   * Resumes after a checkpoint.
   *
   * @param sequence number of the latest key frame that is entered into the particles' maps
   */
  void resumeAfter(long sequence) {
    done = sequence;
  }

  X exchange() {
    return exchange;
  }

  /** Returns the number of the latest key frame that this worker has completed; 0 for none. */
  long done() {
    return done;
  }

  /** Returns true if a key frame waits for the decision or for other tasks' particles. */
  boolean awaitsOthers(long sequence) {
    return awaitsDecision(sequence) || (state == State.EXCHANGING && step.sequence() == sequence);
  }

  /** Returns true if a key frame waits for the decision. */
  boolean awaitsDecision(long sequence) {
    return state == State.MATCHED && step.sequence() == sequence;
  }

  /** Matches a key frame, now or as soon as the previous one is done; a repeated one is ignored. */
  void take(Payload.KeyFrame keyFrame) {
    Step next = keyFrame.step();
    if (next.sequence() <= latestGiven()) {
      return;
    }
    if (keyFrame.isCounted()) {
      toCount.add(next.sequence());
    }
    if (state == State.IDLE) {
      begin(next);
    } else {
      ahead = next; // The dispatcher admits no third one before this one is begun.
      workAheadLater();
    }
  }

  /** Returns the number of the latest key frame that this worker was given; 0 for none. */
  private long latestGiven() {
    if (ahead != null) {
      return ahead.sequence();
    }
    return step == null ? done : step.sequence();
  }

  /**
   * Saves the state when all key frames up to a reading are done, and before any later one is
   * begun.
   */
  void barrier(long reading) {
    marked = reading;
    if (state == State.IDLE) {
      saveAndBeginNext();
    }
  }

  /** Saves the state if the barrier is reached, then begins the next key frame. */
  private void saveAndBeginNext() {
    long reached = marked;
    if (reached != NONE && (ahead == null || ahead.sequence() > reached)) {
      marked = NONE;
      outputs.saver.save(run, reached, this::beginNext);
    } else {
      beginNext();
    }
  }

  Partition<?> partition() {
    return partition;
  }

  private void begin(Step next) {
    step = next;
    if (isLarge(next)) {
      offload.work(true, next, () -> match(next, Long.MAX_VALUE), more -> match());
    } else {
      match();
    }
  }

  private boolean isLarge(Step which) {
    return which != null && offload.isLarge(which, partition.size());
  }

  /** Matches the rest of the current key frame at once, and sends the weights. */
  private void match() {
    keyFrameTimer.begin();
    try {
      ParticleWeights particleWeights = partition.match(step);
      state = State.MATCHED;
      long took = keyFrameTimer.nanos();
      exchange.sendWeights(new WeightReport(particleWeights, took, active.getAsInt()));
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      // The message being handled may be about the previous reading.
      throw new FailedReadingException(step.sequence(), e);
    }
    keyFrameTimer.matched(); // Includes the time for serializing the weights.
    workAheadLater();
  }

  private void workAheadLater() {
    if (worksAhead && state == State.MATCHED) {
      scheduleContinuation();
    }
  }

  /** Sends this task a message to work ahead, after all messages that have come. */
  private void scheduleContinuation() {
    if (underway != step.sequence()) {
      underway = step.sequence();
      outputs.continuations.emit(task, new Payload.ContinueWork(run, underway));
    }
  }

  /** Works ahead for one piece, if the decision about a key frame has not come. */
  void continueWork(long sequence) {
    if (underway != sequence || step.sequence() != sequence) {
      return;
    }
    underway = 0;
    if (state == State.MATCHED) {
      offload.work(
          isLarge(step) || isLarge(ahead),
          step,
          this::workAhead,
          more -> {
            if (more) {
              scheduleContinuation();
            }
          });
    }
  }

  /**
   * Works ahead for one piece: enters the scan into particles' maps or, when that is done, matches
   * the next key frame.
   *
   * @return true if there is more work
   */
  private boolean workAhead() {
    long start = keyFrameTimer.now();
    boolean more = true;
    long now = start;
    while (more && now - start < PIECE_NANOS) {
      more = partition.updateMapsAhead();
      now = keyFrameTimer.now();
    }
    keyFrameTimer.enteredAhead(now - start);
    if (!more && ahead != null) {
      more = !partition.expectsResampling() && match(ahead, start + PIECE_NANOS);
    }
    return more;
  }

  /**
   * Matches particles, at least one, until the time {@code until}; returns true if some are left.
   */
  private boolean match(Step which, long until) {
    boolean more;
    long start = keyFrameTimer.now();
    long now;
    do {
      more = matchOne(which);
      now = keyFrameTimer.now();
    } while (more && now < until);
    keyFrameTimer.matchedAhead(start, now - start);
    return more;
  }

  private boolean matchOne(Step which) {
    return FailedReadingException.naming(
        which.sequence(),
        () -> which == ahead ? partition.matchAhead(which) : partition.matchOne(which));
  }

  /**
   * Applies a resampling decision: sends the particles that leave this task, and keeps the others.
   */
  void applyDecision(Resampling resampling, int[] owners, ParticleMove[] particleMoves) {
    if (!awaitsDecision(resampling.sequence())) {
      return;
    }
    keyFrameTimer.decided(resampling.resampled());
    offload.work(
        isLarge(step),
        step,
        () -> {
          List<ParticleTransfer> leaving =
              Arrays.stream(particleMoves)
                  .filter(particleMove -> particleMove.from() == task)
                  .map(partition::send)
                  .toList();
          partition.resample(resampling, owners);
          return leaving;
        },
        leaving -> send(particleMoves, leaving));
  }

  private void send(ParticleMove[] particleMoves, List<ParticleTransfer> leaving) {
    Iterator<ParticleTransfer> next = leaving.iterator();
    for (ParticleMove particleMove : particleMoves) {
      if (particleMove.from() == task) {
        ParticleTransfer particleTransfer = next.next();
        keyFrameTimer.sends(particleTransfer.bytes());
        exchange.send(particleMove, particleTransfer);
      }
      if (particleMove.to() == task) {
        expected.expect(particleMove);
      }
    }
    exchange.allSent(step.sequence(), particleMoves);
    keyFrameTimer.sent();
    state = State.EXCHANGING;
    finishIfComplete();
  }

  /** Takes a particle that another task sent. */
  void receive(ParticleTransfer particleTransfer) {
    if (awaitsOthers(particleTransfer.sequence())) {
      expected.add(particleTransfer);
      if (state == State.EXCHANGING) {
        finishIfComplete();
      }
    }
  }

  private void finishIfComplete() {
    if (expected.areThere()) {
      keyFrameTimer.arrived(expected.areSome());
      state = State.ENTERING;
      offload.work(isLarge(step), step, this::enter, this::entered);
    }
  }

  /** Adds the particles that have come, and enters the scan into the maps of all particles. */
  private Payload.Ready enter() {
    partition.receive(expected.take());
    keyFrameTimer.complete();
    long start = keyFrameTimer.now();
    partition.updateMap();
    keyFrameTimer.entered(keyFrameTimer.now() - start);
    KeyFrameTiming keyFrameTiming = keyFrameTimer.end(partition.size());
    boolean isCounted = toCount.remove(step.sequence());
    long mapBytes = isCounted ? partition.bytes() : 0;
    if (isCounted) {
      offload.counted(mapBytes);
    }
    return new Payload.Ready(run, step.sequence(), keyFrameTiming, mapBytes);
  }

  private void entered(Payload.Ready ready) {
    done = ready.sequence();
    state = State.IDLE;
    outputs.ready.emit(ready);
    saveAndBeginNext();
  }

  private void beginNext() {
    Step next = ahead;
    ahead = null;
    if (next != null) {
      begin(next);
    }
  }
}
