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
 * <p>Owns the {@link Partition}, the {@link KeyFrameTimer}, and the key frame that comes next if it
 * is here already. A key frame goes through {@code IDLE → MATCHED → EXCHANGING → ENTERING → IDLE}.
 * If that is so much work that other robots would have to wait, another thread does it ({@link
 * KeyFrameOffload}). Particles from other tasks may come before the decision ({@link
 * IncomingParticles}). The next key frame is begun as soon as this task's own maps are done,
 * whatever the others do.
 *
 * <p>While the decision is waited for, the scan is entered into the maps, and when that is done the
 * next key frame is matched, as if every particle were to go on; in small pieces, so that the
 * decision is received at once. So a task that was fast with one key frame is ahead of the others,
 * by as much as a whole key frame, and may be slow with the next. The weights of that are sent only
 * after the decision: if the particles are resampled after all, their matching begins anew.
 *
 * @param <X> how weights and particles are exchanged with other tasks
 */
public final class PartitionWorker<X extends ParticleExchange> {

  /**
   * Ahead of the decision a task works for so long before it reads messages again: long beside what
   * a message to itself costs, short beside a key frame.
   */
  public static final long PIECE_NANOS = 250_000;

  /**
   * Outputs of a worker.
   *
   * @param continuations to this task itself
   */
  record Outputs(
      StreamOutput<Payload.Ready> ready,
      StreamOutput.Direct<Payload.ContinueWork> continuations,
      Saver saver,
      KeyFrameOffload.Offloader offloader) {}

  /** Saves the state of a run after a reading, then continues when the state may change again. */
  interface Saver {
    void save(Run run, long reading, Runnable then);
  }

  /**
   * State of a worker: it waits for a key frame, the decision, other tasks' particles, or enters
   * the scan.
   */
  private enum State {
    IDLE,
    MATCHED,
    EXCHANGING,
    ENTERING
  }

  /** No reading is to be saved. */
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

  /** The key frames after which its maps are to be counted. */
  private final Set<Long> toCount = new HashSet<>();

  private long done;

  /** The reading of the barrier that has come and is not reached. */
  private long marked = NONE;

  /** The key frame of the message to itself that may be on its way; 0 if none is. */
  private long underway;

  /**
   * @param active how many tasks are to hold particles, as this one knows; 0 for all
   * @param worksAhead false if it is to wait idly for decisions
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

  /** Goes on after the key frame of this number, which its particles have taken in. */
  void resumeAfter(long sequence) {
    done = sequence;
  }

  X exchange() {
    return exchange;
  }

  /** Number of the key frame with which it is done; 0 for none. */
  long done() {
    return done;
  }

  /** True if this key frame waits for something of other tasks. */
  boolean awaitsOthers(long sequence) {
    return awaitsDecision(sequence) || (state == State.EXCHANGING && step.sequence() == sequence);
  }

  /** True if the decision about this key frame is still to come. */
  boolean awaitsDecision(long sequence) {
    return state == State.MATCHED && step.sequence() == sequence;
  }

  /**
   * Matches a key frame, now or as soon as the one before is done; one that was seen is dropped.
   */
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
      ahead = next; // The dispatcher admits no further one before this one is begun.
      workAheadLater();
    }
  }

  /** Number of the latest key frame that it was given; 0 for none. */
  private long latestGiven() {
    if (ahead != null) {
      return ahead.sequence();
    }
    return step == null ? done : step.sequence();
  }

  /** Saves its state when it is done with all key frames up to a reading, and with none after. */
  void barrier(long reading) {
    marked = reading;
    if (state == State.IDLE) {
      saveAndBeginNext();
    }
  }

  /** Saves its state if the barrier is reached, before what comes next. */
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
      throw new FailedReadingException(step.sequence(), e); // The message may be of the one before.
    }
    keyFrameTimer.matched(); // To serialize the weights is work of this task, too.
    workAheadLater();
  }

  private void workAheadLater() {
    if (worksAhead && state == State.MATCHED) {
      scheduleContinuation();
    }
  }

  /** Goes on working when all messages have been read that have come. */
  private void scheduleContinuation() {
    if (underway != step.sequence()) {
      underway = step.sequence();
      outputs.continuations.emit(task, new Payload.ContinueWork(run, underway));
    }
  }

  /** Does a piece of what it would do with a key frame later, if the decision has not come. */
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
   * Works ahead while the decision is waited for: has particles take in the scan; when all have,
   * matches the next key frame.
   *
   * @return true if there is more to do
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

  /** Matches particles until a moment, one at least, or until all are. */
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

  /** Sends away what must go, and keeps what stays. */
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

  /** Takes in the particles that came, and has all take in the scan. */
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
