package org.cartostream.topology.stream;

import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.timing.KeyFrameTiming;

/**
 * A message of the {@link Streams}. Each belongs to one run of one robot. Records of records,
 * arrays and numbers only, and nobody changes them: tasks of one JVM share the object itself.
 */
public sealed interface Payload {

  /** The robot's run that this is about. */
  Run run();

  /** Number of the reading whose processing this is a part of; 0 for none. */
  default long processed() {
    return 0;
  }

  /** A message of a robot. */
  sealed interface Arrival extends Payload {

    /** The reading's number; for the end the last reading's. */
    long sequence();

    /**
     * A reading.
     *
     * @param knownMap as {@link ReadingMessage} has it, as {@code initialPose}
     */
    record OfReading(
        Run run,
        long sequence,
        Reading reading,
        long heldMap,
        PackedMap knownMap,
        InitialPose initialPose)
        implements Arrival {

      /** Nanoseconds since 1970-01-01 UTC by the robot's clock. */
      public long stampNanos() {
        return reading.stampNanos();
      }

      /** Returns the memory of its ranges and its known map, bytes. */
      public long bytes() {
        long map = knownMap == null ? 0 : knownMap.deflated().length;
        return (long) Float.BYTES * reading.scan().beams() + map;
      }
    }

    /** Arrival of the end: nothing follows. */
    record OfEnd(Run run, long sequence, long stampNanos, long heldMap) implements Arrival {}

    /** Notice that a range of readings will never come, because the robot no longer has them. */
    record OfGone(Run run, long sequence, long last) implements Arrival {}
  }

  /**
   * A key frame for the particles.
   *
   * @param isCounted true if each task is to count what its maps take after it
   */
  record KeyFrame(Run run, Step step, boolean isCounted) implements Payload {

    @Override
    public long processed() {
      return step.sequence();
    }
  }

  /** One task's particles' weights after a key frame. */
  record TaskWeights(Run run, int task, WeightReport report) implements Payload {

    @Override
    public long processed() {
      return report.weights().sequence();
    }
  }

  /**
   * Decision about the particles after a key frame.
   *
   * @param owners task of each new particle
   * @param moves the particles that change tasks
   */
  record ResamplingDecision(Run run, Resampling resampling, int[] owners, ParticleMove[] moves)
      implements Payload {

    @Override
    public long processed() {
      return resampling.sequence();
    }
  }

  /**
   * Decision for the paths: with the weights of all particles.
   *
   * @param owners the task that weighed each particle
   * @param decideNanos how long it took to decide
   */
  record ResamplingResult(
      Run run, ParticleWeights all, int[] owners, Resampling resampling, long decideNanos)
      implements Payload {

    @Override
    public long processed() {
      return resampling.sequence();
    }
  }

  /** A particle on its way from one task to another. */
  record ParticleDelivery(Run run, ParticleTransfer transfer) implements Payload {

    @Override
    public long processed() {
      return transfer.sequence();
    }
  }

  /**
   * The result of a collective call, or the reason why there is none. A task sends it to itself, in
   * whatever thread the call ends, to go on in its own.
   *
   * @param sequence the key frame's number
   * @param blocks by task, what came from it; none if the call failed
   * @param failure for people; empty if all went well
   */
  record CollectiveResult(Run run, long sequence, byte[][] blocks, String failure)
      implements Payload {

    @Override
    public long processed() {
      return sequence;
    }
  }

  /**
   * A task's message to itself: it goes on with what it would do with a key frame later, if the
   * decision about it has not come meanwhile.
   */
  record ContinueWork(Run run, long sequence) implements Payload {

    @Override
    public long processed() {
      return sequence;
    }
  }

  /** A task is done with its part of a reading that is being processed. */
  sealed interface Done extends Payload {

    /** The reading's number. */
    long sequence();

    @Override
    default long processed() {
      return sequence();
    }
  }

  /**
   * Notice that one task's particles have taken in a key frame and are ready for the next.
   *
   * @param mapBytes what the task's maps of the run take in memory; 0 if it was not asked
   */
  record Ready(Run run, long sequence, KeyFrameTiming timing, long mapBytes) implements Done {}

  /**
   * The publisher has answered a reading of which it was to say so.
   *
   * @param isToCome true if it is still to come, and maps are held for it, see {@link PauseMaps}
   */
  record ResponseSent(Run run, long sequence, boolean isToCome) implements Done {}

  /**
   * Request to draw no map, because a reading comes that may crash a process. The publisher is to
   * say when no map is being drawn, of whichever robot, and begins none before it gets this again:
   * the reading would be blamed.
   *
   * @param sequence the reading's number; 0 if none is to be blamed any more
   */
  record PauseMaps(Run run, long sequence) implements Payload {}

  /**
   * A reading was admitted to the filter.
   *
   * @param heldMap version of the map that the robot's side held when it sent the reading
   * @param durable readings up to this number need never be sent again
   * @param isNoted true if the publisher is to say when it has answered it, by {@link ResponseSent}
   */
  record Admitted(Run run, Step step, long heldMap, long durable, boolean isNoted)
      implements Payload {

    @Override
    public long processed() {
      return step.sequence();
    }
  }

  /**
   * Every task is done with an admitted reading.
   *
   * @param admitted when it was admitted, by the dispatcher's {@link System#nanoTime}
   * @param serviceNanos nanoseconds since then, or since the reading before it was served
   * @param timings of all tasks; none if it was no key frame
   */
  record Served(Run run, long sequence, long admitted, long serviceNanos, KeyFrameTiming[] timings)
      implements Payload {

    @Override
    public long processed() {
      return sequence;
    }
  }

  /**
   * The run's map was drawn.
   *
   * @param sequence number of the latest reading in it
   * @param mapBytes what it takes in memory
   * @param scanBytes what scans of the run take there because no disk takes them
   */
  record MapMemoryUse(Run run, long sequence, long mapBytes, long scanBytes) implements Payload {}

  /**
   * A process runs out of memory; of whichever run.
   *
   * @param sentence for people
   */
  record MemoryPressure(Run run, String sentence) implements Payload {}

  /** A reading will not be used: its number, and the name and sentence of the refusal. */
  record ReadingRefused(Run run, long sequence, long stampNanos, String refusal, String sentence)
      implements Payload {}

  /** Notice that the outcome of a reading is not known. */
  record ReadingLost(Run run, long sequence, long stampNanos, String sentence) implements Payload {}

  /**
   * Request for these readings, and perhaps later ones, that have not come, though one after them
   * has.
   */
  record ResendRequest(Run run, long first, long last) implements Payload {}

  /** Notice that a reading came again after its outcome was decided. */
  record DuplicateReading(Run run, long sequence) implements Payload {}

  /**
   * The robot has sent that nothing follows, and all that it sent is dealt with. Comes again when
   * the robot sends it again.
   *
   * @param heldMap version of the map that the robot's side holds
   * @param recovery what the run's restores cost
   * @param failure why the run broke, for people; empty if it did not
   */
  record Ended(
      Run run,
      long sequence,
      long stampNanos,
      long heldMap,
      RecoveryReport recovery,
      String failure)
      implements Payload {}

  /** A task's message to itself: another thread has done with the run's state. */
  record OffloadDone(Run run) implements Payload {}

  /** Work in the background has ended for the run: its loops are closed, or its state is read. */
  record BackgroundDone(Run run) implements Payload {}

  /**
   * Notice that a component has failed at a run.
   *
   * @param component Storm's name for it
   * @param lost true if nothing is wrong with the run, but its state here or a message was lost
   * @param reading number of the reading at which it failed; 0 if that is not known, or at none
   * @param sentence for people: where and how
   */
  record Failed(Run run, String component, boolean lost, long reading, String sentence)
      implements Payload {

    /** Creates the failure of a loss that was not at a reading. */
    public static Failed ofLoss(Run run, Class<? extends Component> where, String sentence) {
      return new Failed(run, Component.nameOf(where), true, 0, sentence);
    }

    /**
     * A component has thrown something.
     *
     * @param reading that its message was about; 0 for none
     */
    public static Failed of(
        Run run, Class<? extends Component> where, long reading, Throwable how) {
      String component = Component.nameOf(where);
      boolean isOfAnother = how instanceof FailedReadingException;
      Throwable what = isOfAnother ? how.getCause() : how;
      if (what instanceof LostMessageException) {
        return ofLoss(run, where, what.getMessage());
      }
      long at = isOfAnother ? ((FailedReadingException) how).reading() : reading;
      if (what instanceof OutOfMemoryError) {
        at = 0; // Which reading comes when memory runs out is chance.
      }
      return new Failed(
          run, component, false, at, "The service failed (" + component + "): " + what);
    }
  }

  /**
   * Checkpoint barrier: each receiver saves its state of the run as it is after this reading.
   *
   * @param released true if matchers save nothing, for they have let go of a run that is refused
   */
  record CheckpointBarrier(Run run, long reading, boolean released) implements Payload {}

  /**
   * A part of a checkpoint is stored, or cannot be.
   *
   * @param reading the last one in it
   * @param part as the store names it; of length 0 if it could not be stored
   * @param beside shared parts with contents of that state
   * @param encodingNanos how long its task encoded it, and did nothing else
   * @param failure why it could not, for people; empty if it could
   */
  record Stored(
      Run run,
      long reading,
      CheckpointPart part,
      CheckpointPart[] beside,
      long encodingNanos,
      String failure)
      implements Payload {}

  /**
   * Start of a run, or its restore from a checkpoint: each receiver drops its state of the run, and
   * loads its part.
   *
   * @param run with the epoch that begins now
   * @param epoch of the checkpoint
   * @param reading the last one in it; 0 if the run begins with nothing
   * @param parts of the checkpoint; none if the run begins with nothing
   * @param recovery what the run's restores cost so far
   * @param failure why the run broke, for people, if it is only to be brought to its end; else
   *     empty
   * @param knownMap that the robot is to be found in; null if it makes one
   */
  record Restore(
      Run run,
      long epoch,
      long reading,
      CheckpointPart[] parts,
      RecoveryReport recovery,
      String failure,
      PackedMap knownMap)
      implements Payload {}

  /**
   * A component has its state, or has met a later epoch of the robot, behind which the run has to
   * go on; or the dispatcher has found the run's checkpoint.
   *
   * @param part name of the component's part
   * @param found what the dispatcher found; of a component the latest epoch that it has met
   * @param state the dispatcher's own part; empty if there is no checkpoint
   * @param incarnation of the component's task: another number after it was started again
   * @param failure why it has not, for people; else empty
   */
  record Restored(
      Run run, String part, Restore found, byte[] state, long incarnation, String failure)
      implements Payload {}

  /** Sign of life of an idle run: the dispatcher still has it. */
  record RunKeepAlive(Run run) implements Payload {}

  /**
   * The run is over, and whoever holds something of it lets go; or it is refused from now on, and
   * matchers let go of its particles, which are in a checkpoint.
   *
   * @param ended false if it is only refused
   * @param answered true if the robot will not ask any more: the publisher lets go, too
   */
  record RunClosed(Run run, boolean ended, boolean answered) implements Payload {}
}
