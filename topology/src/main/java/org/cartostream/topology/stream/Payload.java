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
 * A message of the {@link Streams}, about one run of one robot. Payloads are records of records,
 * arrays and numbers only, and must never be changed: tasks of one JVM share the same object.
 */
public sealed interface Payload {

  /** Returns the robot's run that the message is about. */
  Run run();

  /** Returns the number of the reading whose processing the message is a part of; 0 for none. */
  default long processed() {
    return 0;
  }

  /** A message of a robot. */
  sealed interface Arrival extends Payload {

    /** Returns the number of the reading; for the run's end, that of the last reading. */
    long sequence();

    /**
     * Arrival of a reading.
     *
     * @param heldMap version of the map that the robot's gateway holds
     * @param knownMap map in which the robot is localised, as in {@link ReadingMessage}; null for
     *     none
     * @param initialPose where the robot is, as in {@link ReadingMessage}; null for none
     */
    record OfReading(
        Run run,
        long sequence,
        Reading reading,
        long heldMap,
        PackedMap knownMap,
        InitialPose initialPose)
        implements Arrival {

      /**
       * Returns the stamp of the reading, nanoseconds since 1970-01-01 UTC by the robot's clock.
       */
      public long stampNanos() {
        return reading.stampNanos();
      }

      /** Returns the memory of the reading's ranges and known map, bytes. */
      public long bytes() {
        long map = knownMap == null ? 0 : knownMap.deflated().length;
        return (long) Float.BYTES * reading.scan().beams() + map;
      }
    }

    /**
     * Arrival of the message that the run has ended.
     *
     * @param sequence number of the last reading
     */
    record OfEnd(Run run, long sequence, long stampNanos, long heldMap) implements Arrival {}

    /**
     * Notice that readings will never come, because the robot no longer has them.
     *
     * @param sequence number of the first of these readings
     * @param last number of the last of these readings
     */
    record OfGone(Run run, long sequence, long last) implements Arrival {}
  }

  /**
   * A key frame for the tasks that hold particles.
   *
   * @param isCounted true if each task is to count the memory of its maps after the key frame
   */
  record KeyFrame(Run run, Step step, boolean isCounted) implements Payload {

    @Override
    public long processed() {
      return step.sequence();
    }
  }

  /** The weights of one task's particles after a key frame. */
  record TaskWeights(Run run, int task, WeightReport report) implements Payload {

    @Override
    public long processed() {
      return report.weights().sequence();
    }
  }

  /**
   * Resampling decision after a key frame, for the tasks that hold particles.
   *
   * @param owners task of each new particle
   * @param moves particles that change tasks
   */
  record ResamplingDecision(Run run, Resampling resampling, int[] owners, ParticleMove[] moves)
      implements Payload {

    @Override
    public long processed() {
      return resampling.sequence();
    }
  }

  /**
   * Resampling decision after a key frame, for the publisher, with the weights of all particles.
   *
   * @param owners task that weighed each particle
   * @param decideNanos time that the decision took, nanoseconds
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
   * The result of a collective call, or the reason of its failure. A task sends this message to
   * itself, from whatever thread the call ends in, to continue in its own thread.
   *
   * @param sequence number of the key frame
   * @param blocks bytes that came from each task; empty if the call failed
   * @param failure reason of the failure, for people; empty if the call ended well
   */
  record CollectiveResult(Run run, long sequence, byte[][] blocks, String failure)
      implements Payload {

    @Override
    public long processed() {
      return sequence;
    }
  }

  /**
   * A task's message to itself to go on working ahead on a key frame, if the decision about the key
   * frame has not come meanwhile.
   */
  record ContinueWork(Run run, long sequence) implements Payload {

    @Override
    public long processed() {
      return sequence;
    }
  }

  /** Notice that a task is done with its part of a reading. */
  sealed interface Done extends Payload {

    /** Returns the number of the reading. */
    long sequence();

    @Override
    default long processed() {
      return sequence();
    }
  }

  /**
   * Notice that a task has entered a key frame into its particles' maps, and is ready for the next.
   *
   * @param mapBytes memory of the task's maps of the run, bytes; 0 if the task was not asked to
   *     count it
   */
  record Ready(Run run, long sequence, KeyFrameTiming timing, long mapBytes) implements Done {}

  /**
   * Notice that the publisher has answered a reading that is noted as a suspect of crashes.
   *
   * @param isToCome true if the reading is still to come, and the drawing of maps is paused for it,
   *     see {@link PauseMaps}
   */
  record ResponseSent(Run run, long sequence, boolean isToCome) implements Done {}

  /**
   * Request to pause the drawing of maps, because a reading comes that may crash a process, and
   * would be blamed for a crash that a map causes. The publisher answers when no map of any robot
   * is being drawn, and begins none until the request that ends the pause.
   *
   * @param sequence number of the reading; 0 ends the pause
   */
  record PauseMaps(Run run, long sequence) implements Payload {}

  /**
   * Notice that a reading was admitted to the filter.
   *
   * @param heldMap version of the map that the robot's gateway held when it sent the reading
   * @param durable number up to which readings need never be sent again
   * @param isNoted true if the reading is noted as a suspect of crashes, so that the publisher must
   *     report its answer by {@link ResponseSent}
   */
  record Admitted(Run run, Step step, long heldMap, long durable, boolean isNoted)
      implements Payload {

    @Override
    public long processed() {
      return step.sequence();
    }
  }

  /**
   * Notice that every task is done with an admitted reading.
   *
   * @param admitted time at which the reading was admitted, by the dispatcher's {@link
   *     System#nanoTime}
   * @param serviceNanos time since then, or since the previous reading was served if that was
   *     later, nanoseconds
   * @param timings timings of all tasks; empty if the reading was no key frame
   */
  record Served(Run run, long sequence, long admitted, long serviceNanos, KeyFrameTiming[] timings)
      implements Payload {

    @Override
    public long processed() {
      return sequence;
    }
  }

  /**
   * Notice that the run's map was drawn, with its size.
   *
   * @param sequence number of the latest reading in the map
   * @param mapBytes memory of the map, bytes
   * @param scanBytes memory of the run's scans that could not be written to disk, bytes
   */
  record MapMemoryUse(Run run, long sequence, long mapBytes, long scanBytes) implements Payload {}

  /**
   * Notice that a process runs out of memory, whatever run causes it.
   *
   * @param run any run of the process
   * @param sentence description, for people
   */
  record MemoryPressure(Run run, String sentence) implements Payload {}

  /**
   * Notice that a reading will not be used.
   *
   * @param refusal name of the refusal
   * @param sentence reason, for people
   */
  record ReadingRefused(Run run, long sequence, long stampNanos, String refusal, String sentence)
      implements Payload {}

  /** Notice that the outcome of a reading is not known. */
  record ReadingLost(Run run, long sequence, long stampNanos, String sentence) implements Payload {}

  /**
   * Request to the gateway to send readings again that have not come although a later one has;
   * others after them may be missing, too.
   *
   * @param first number of the first missing reading
   * @param last number of the last one that is asked for
   */
  record ResendRequest(Run run, long first, long last) implements Payload {}

  /** Notice that a reading came again after its outcome was decided. */
  record DuplicateReading(Run run, long sequence) implements Payload {}

  /**
   * Notice that the run has ended: the robot has said so, and all of its readings have their
   * outcomes. Sent again when the robot repeats its message.
   *
   * @param sequence number of the last reading
   * @param heldMap version of the map that the robot's gateway holds
   * @param recovery report on the run's restores
   * @param failure reason for which the run failed, for people; empty if it did not fail
   */
  record Ended(
      Run run,
      long sequence,
      long stampNanos,
      long heldMap,
      RecoveryReport recovery,
      String failure)
      implements Payload {}

  /** A task's message to itself that another thread has finished its work on the run's state. */
  record OffloadDone(Run run) implements Payload {}

  /**
   * The publisher's message to itself that background work for the run has ended: a search for
   * loops, the closing of its loops, or the reading of its state.
   */
  record BackgroundDone(Run run) implements Payload {}

  /**
   * Notice that a component has failed at a run.
   *
   * @param component Storm's name of the component
   * @param lost true if the run itself is sound, but the component's state or a message was lost
   * @param reading number of the reading at which the component failed; 0 if unknown or at no
   *     reading
   * @param sentence place and reason of the failure, for people
   */
  record Failed(Run run, String component, boolean lost, long reading, String sentence)
      implements Payload {

    /** Returns the notice of a lost state or message. */
    public static Failed ofLoss(Run run, Class<? extends Component> where, String sentence) {
      return new Failed(run, Component.nameOf(where), true, 0, sentence);
    }

    /**
     * Returns the notice of an exception in a component.
     *
     * @param reading number of the reading that the handled message was about; 0 for none
     * @param how the exception
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
        at = 0; // It is chance which reading is being handled when memory runs out.
      }
      return new Failed(
          run, component, false, at, "The service failed (" + component + "): " + what);
    }
  }

  /**
   * Checkpoint barrier: each receiver saves its state of the run as it is after a reading.
   *
   * @param reading number of the reading
   * @param released true if matchers save nothing, as they have released the particles of a refused
   *     run
   */
  record CheckpointBarrier(Run run, long reading, boolean released) implements Payload {}

  /**
   * Notice that a part of a checkpoint is stored, or could not be.
   *
   * @param reading number of the last reading in the checkpoint
   * @param part the part; with length 0 if it could not be stored
   * @param beside shared parts with contents of the part's state
   * @param encodingNanos time for which the task encoded the state and did nothing else for the
   *     run, nanoseconds
   * @param failure reason for which it could not be stored, for people; else empty
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
   * @param run the run, in the epoch that begins now
   * @param epoch epoch of the checkpoint
   * @param reading number of the last reading in the checkpoint; 0 if the run begins with nothing
   * @param parts parts of the checkpoint; empty if the run begins with nothing
   * @param recovery report on the run's restores so far
   * @param failure reason for which the run failed, for people, if it is only restored to be ended;
   *     else empty
   * @param knownMap map in which the robot is localised; null if the robot makes its map
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
   * Notice that a component has its state, or that it has seen a later epoch of the robot, which
   * the run's epoch must exceed. The dispatcher also sends itself this message when its search for
   * the run's checkpoint is over.
   *
   * @param part name of the component's part
   * @param found the checkpoint that the dispatcher found; from a component, it only has the latest
   *     epoch that the component has seen
   * @param state the dispatcher's own part, encoded; empty if there is no checkpoint
   * @param incarnation random number of this start of the component's task
   * @param failure reason for which there is no state, for people; else empty
   */
  record Restored(
      Run run, String part, Restore found, byte[] state, long incarnation, String failure)
      implements Payload {}

  /** Notice that the dispatcher still has an idle run. */
  record RunKeepAlive(Run run) implements Payload {}

  /**
   * Notice that the run has ended, so that components forget it; or that it is refused from now on,
   * so that matchers release its particles, which are in a checkpoint.
   *
   * @param ended false if the run is only refused
   * @param answered true if the robot will not ask for the result any more, so that the publisher
   *     forgets the run, too
   */
  record RunClosed(Run run, boolean ended, boolean answered) implements Payload {}
}
