package org.cartostream.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.transfer.ParticleMove;
import org.cartostream.slam.transfer.ParticleTransfer;
import org.cartostream.topology.publish.AnswerSender;
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

  /** A message of a robot. */
  sealed interface Arrival extends Payload {

    /** The reading's number; for the end the last reading's. */
    long sequence();

    /** Nanoseconds since 1970-01-01 UTC by the robot's clock. */
    long stampNanos();

    /** Version of the map that the robot's side holds; 0 for none. */
    long heldMap();

    /** A reading. */
    record OfReading(Run run, long sequence, Reading reading, long heldMap) implements Arrival {
      @Override
      public long stampNanos() {
        return reading.stampNanos();
      }
    }

    /** Nothing follows. */
    record OfEnd(Run run, long sequence, long stampNanos, long heldMap) implements Arrival {}
  }

  /** A key frame for the particles. */
  record KeyFrame(Run run, Step step) implements Payload {}

  /**
   * One task's particles' weights after a key frame.
   *
   * @param born the round of the {@link Rebirth} since which the task has these particles; 0 if it
   *     has had them from the run's beginning
   * @param first true for the robot's first key frame
   */
  record TaskWeights(Run run, int task, long born, boolean first, WeightReport report)
      implements Payload {}

  /**
   * What becomes of the particles after a key frame.
   *
   * @param owners task of each new particle
   * @param moves the particles that change tasks
   */
  record ResamplingDecision(Run run, Resampling resampling, int[] owners, ParticleMove[] moves)
      implements Payload {}

  /**
   * The same for the paths: with the weights of all particles.
   *
   * @param decideNanos how long it took to decide
   */
  record ResamplingResult(Run run, ParticleWeights all, Resampling resampling, long decideNanos)
      implements Payload {}

  /** A particle on its way from one task to another. */
  record ParticleDelivery(Run run, ParticleTransfer transfer) implements Payload {}

  /**
   * The result of a collective call, or the reason why there is none. A task sends it to itself, in
   * whatever thread the call ends, to go on in its own.
   *
   * @param sequence the key frame's number
   * @param blocks by task, what came from it; none if the call failed
   * @param failure for people; empty if all went well
   */
  record CollectiveResult(Run run, long sequence, byte[][] blocks, String failure)
      implements Payload {}

  /**
   * A task's message to itself: if the decision about this key frame has not come meanwhile, it
   * goes on with what it would do later.
   */
  record ContinueWork(Run run, long sequence) implements Payload {}

  /** One task's particles have taken in a key frame; they can have the next. */
  record Ready(Run run, long sequence, KeyFrameTiming timing) implements Payload {}

  /**
   * A reading was admitted to the filter.
   *
   * @param heldMap version of the map that the robot's side held when it sent the reading
   * @param generation how often the run has begun again
   */
  record Admitted(Run run, Step step, long heldMap, int generation) implements Payload {}

  /**
   * Every task is done with an admitted reading.
   *
   * @param admitted when it was admitted, by the dispatcher's {@link System#nanoTime}
   * @param serviceNanos nanoseconds since then, or since the reading before it was served
   * @param timings of all tasks; none if it was no key frame
   */
  record Served(Run run, long sequence, long admitted, long serviceNanos, KeyFrameTiming[] timings)
      implements Payload {}

  /** A reading will not be used: its number, and the name and sentence of the refusal. */
  record ReadingRefused(Run run, long sequence, long stampNanos, String refusal, String sentence)
      implements Payload {}

  /** The outcome of a reading is not known. */
  record ReadingLost(Run run, long sequence, long stampNanos, String sentence) implements Payload {}

  /** A reading came again after it was dealt with. */
  record ReadingRepeated(Run run, long sequence, long stampNanos) implements Payload {}

  /**
   * The robot has sent that nothing follows, and all that it sent is dealt with. Comes again when
   * the robot sends it again.
   *
   * @param heldMap version of the map that the robot's side holds
   * @param failure why the run broke, for people; empty if it did not
   */
  record Ended(Run run, long sequence, long stampNanos, long heldMap, String failure)
      implements Payload {}

  /**
   * A task has failed at something of the run, which therefore cannot go on.
   *
   * @param sentence for people: where and how
   */
  record Failed(Run run, String sentence) implements Payload {

    static Failed of(Run run, Class<? extends Component> where, Throwable how) {
      return new Failed(run, "The service failed (" + Component.nameOf(where) + "): " + how);
    }
  }

  /**
   * A reading takes long: every task is to say what it has of the run.
   *
   * @param round of questions; answers name it
   * @param open the key frames that are to be ended without those who are gone; none if it is only
   *     asked who is there
   */
  record RollCall(Run run, long round, Step[] open) implements Payload {}

  /**
   * A task's answer.
   *
   * @param holds false if it has nothing of the run
   * @param given number of the latest key frame that it was given; 0 for none
   * @param doneBefore number of the key frame with which it was done last when it was asked; 0 for
   *     none
   * @param done the same when it answers
   * @param particles the numbers of those that it holds
   * @param unjudged what its particles believe about those of the open key frames on which there
   *     was no decision, by number
   */
  record Present(
      Run run,
      long round,
      int task,
      boolean holds,
      long given,
      long doneBefore,
      long done,
      int[] particles,
      ParticleWeights[] unjudged)
      implements Payload {}

  /**
   * Comes behind all that its writer said before to the same reader.
   *
   * @param round of questions that it belongs to
   * @param task its writer's number
   */
  record Mark(Run run, long round, int task) implements Payload {}

  /** What a task needed of the others in a key frame has not come, and will not. */
  record ExchangeFailed(Run run, long sequence) implements Payload {}

  /**
   * Particles were lost; the run goes on with copies of those that are left.
   *
   * @param round of questions after which that is so: no two rebirths of a run have the same, for a
   *     dispatcher that goes on for one that died has later ones
   * @param generation how often the run has begun again, this time included; a second dispatcher
   *     may begin again what the first has not brought to its end
   * @param last the latest key frame, which is in the maps of all that are left
   * @param parents for each particle the one that it is a copy of; itself if it was not lost
   * @param before task of each particle that was not lost
   * @param owners task of each particle from now on
   */
  record Rebirth(
      Run run, long round, int generation, Step last, int[] parents, int[] before, int[] owners)
      implements Payload {

    /** What the copies on a task are called, by the particles that they are copies of. */
    SortedMap<Integer, int[]> copiesOn(int task) {
      SortedMap<Integer, List<Integer>> copies = new TreeMap<>();
      for (int copy = 0; copy < parents.length; copy++) {
        if (owners[copy] == task) {
          copies.computeIfAbsent(parents[copy], parent -> new ArrayList<>()).add(copy);
        }
      }
      SortedMap<Integer, int[]> all = new TreeMap<>();
      copies.forEach((parent, each) -> all.put(parent, each.stream().mapToInt(i -> i).toArray()));
      return all;
    }

    /** True if particles that were not lost are on a task. */
    boolean hasLeftOn(int task) {
      return IntStream.of(before).anyMatch(each -> each == task);
    }

    /** How many particles were lost. */
    int lost() {
      return (int) IntStream.range(0, parents.length).filter(each -> parents[each] != each).count();
    }
  }

  /**
   * A task is told again that the run goes on, and still lacks a particle that was left.
   *
   * @param round of the rebirth
   * @param task that lacks it
   * @param copies what its copies there are called
   */
  record Wanted(Run run, long round, int task, int parent, int[] copies) implements Payload {}

  /** A particle that was left, for a task that is to have copies of it by the rebirth so named. */
  record Survivor(Run run, long round, ParticleTransfer parcel) implements Payload {}

  /** A task has all its particles of the rebirth so named. */
  record Reborn(Run run, long round, int task) implements Payload {}

  /**
   * The dispatcher has died, and the robot goes on with a run that its successor does not know:
   * whoever does is to say what.
   *
   * @param run as the robot names it
   */
  record Recall(Run run) implements Payload {}

  /**
   * What a matcher knows of it.
   *
   * @param run in its place; as the robot names it if nothing is known
   * @param done number of the key frame with which this task is done; 0 for none
   * @param steps the latest key frames that it was given
   * @param generation how often the run has begun again
   * @param settled whether its particles take in no more key frames until the run begins again
   */
  record Recalled(Run run, int task, long done, Step[] steps, int generation, boolean settled)
      implements Payload {}

  /**
   * What a publisher knows of it.
   *
   * @param run in its place; as the robot names it if nothing is known
   * @param another whether it knows another run of the robot instead: a publisher keeps the latest
   *     that has begun, so that one has begun since, or this one has not begun at all
   * @param ended numbers of runs of the robot that were over before the one that it knows
   * @param follows whether it has the paths
   * @param settled the greatest number that it has heard of
   * @param unjudged numbers of the key frames on which it has heard no decision
   * @param hasPath whether a key frame is on the path
   */
  record Remembered(
      Run run,
      int publisher,
      boolean another,
      long[] ended,
      boolean follows,
      long settled,
      long[] unjudged,
      boolean hasPath)
      implements Payload {}

  /**
   * The new dispatcher knows the run again: what it does not name as open is served.
   *
   * @param settled what was admitted after this number reached no task; it will be admitted again
   * @param open numbers of the key frames that are being processed
   */
  record Resumed(Run run, long settled, long[] open) implements Payload {}

  /**
   * A publisher hears of the run.
   *
   * @param speaks whether it speaks to the robot
   * @param lost why it has not the paths, or not any more, for people; empty if it has them, so
   *     that it could speak
   */
  record Following(Run run, int publisher, boolean speaks, String lost) implements Payload {}

  /** What publishers say to each other and themselves; it shows nobody that the run goes on. */
  sealed interface AmongPublishers extends Payload {

    /**
     * A publisher has the run's paths, and tells its story to whichever publisher has not.
     *
     * @param silence so many ticks ago somebody else has spoken of the run
     */
    record Offer(Run run, int publisher, long silence) implements AmongPublishers {}

    /** A publisher that has not the paths asks one that has. */
    record Request(Run run, int publisher) implements AmongPublishers {}

    /**
     * All that a publisher knows of a run that goes on.
     *
     * @param generation how often the run has begun again
     * @param reborn the round of the latest {@link Rebirth}; 0 for none
     */
    record Story(
        Run run,
        int generation,
        long reborn,
        ParticleTrajectories.Snapshot paths,
        PendingReadings.Snapshot docket,
        AnswerSender.Answer[] answers,
        RunStatistics.Snapshot tally)
        implements AmongPublishers {}

    /**
     * The closing of the run's path is done. A publisher says it to itself, in the thread that did
     * it, to go on in its own.
     */
    record LoopClosureDone(Run run) implements AmongPublishers {}
  }

  /** The publisher that speaks to the robot from now on; the others keep silent. */
  record Speaker(Run run, int publisher) implements Payload {}

  /** The dispatcher has the run still, though there may be nothing to do. */
  record RunKeepAlive(Run run) implements Payload {}

  /** The run is over: whoever holds something of it lets go. */
  record RunReleased(Run run) implements Payload {}
}
