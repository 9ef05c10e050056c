package org.cartostream.topology.arrival;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload;

/**
 * A fair queue of robots' messages: one queue per robot, drained in turns, so that a robot waits
 * for only a few messages of each other robot, however many that sends. A robot's messages go on at
 * {@code topology.robotMessagesPerSecond}. What is more than its share is to be dropped: messages
 * that wait, and runs that it begins within a minute. A reading of many beams counts for several
 * messages. What the broker delivers again to a dispatcher that takes another's place comes all at
 * once, and was taken before: of that a robot may have so many bytes waiting, {@code
 * topology.prefetchMessages} bounding their number.
 *
 * <p>Owns, for each robot, its messages that wait, how many are on their way to the dispatcher, and
 * how many messages may go on, and runs begin, now. Thread-safe.
 */
final class FairQueue {

  /**
   * Messages of a robot that are on their way at a time, at most: as many as the filter takes in.
   */
  private static final int MAX_IN_FLIGHT = 2;

  /** One robot may have this part of the messages that are taken ahead of all. */
  private static final int ROBOTS_A_PREFETCH = 4;

  /** Number of bursts a second: as many messages come at once as in a tenth of one. */
  private static final double BURSTS_A_SECOND = 10;

  /** A reading counts once more for so many beams: what it takes in memory and time grows so. */
  private static final int BEAMS_A_MESSAGE = 1000;

  /** Part of the heap, 1 / this, that one robot's redelivered readings may take. */
  private static final int HEAP_PARTS = 32;

  private static final double MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The decision on a message. */
  enum Decision {
    TAKEN,
    /**
     * The message is larger than a reading that is taken, and so were too many bytes just before.
     */
    TOO_LARGE,
    /** The robot has begun too many runs. */
    TOO_MANY_RUNS,
    /**
     * Too many messages of the robot wait. Unlike a refusal of this name it has no outcome; one
     * metric counts it together with readings that the dispatcher drops.
     */
    TOO_MANY_WAITING
  }

  /** An amount that is used up, and fills again with time. */
  private static final class Budget {
    private final double max;
    private final double perNano;
    private double left;
    private long filledAt;

    Budget(double max, double perNano, long now) {
      this.max = Math.max(1, max);
      this.perNano = perNano;
      this.left = this.max;
      this.filledAt = now;
    }

    private double left(long now) {
      left = Math.min(max, left + (now - filledAt) * perNano);
      filledAt = now;
      return left;
    }

    boolean isFull(long now) {
      return left(now) >= max;
    }

    /**
     * Takes an amount; false if the budget has less. An amount above the maximum is granted at a
     * full budget; the next taker then waits until the excess is filled up.
     */
    boolean take(long count, long now) {
      boolean enough = left(now) >= Math.min(count, max);
      left -= enough ? count : 0;
      return enough;
    }
  }

  private final class Robot {
    private final Deque<Payload.Arrival> waiting = new ArrayDeque<>();
    private final Budget runs;
    private final Budget large;
    private final Budget messages;
    private int onTheWay;

    /** The sum of the weights of the messages that wait. */
    private long waitingWeight;

    /** Bytes of memory that the waiting readings take. */
    private long waitingBytes;

    /** The number of the run that it began last; null before. */
    private Long latestRun;

    private long dropped;

    /** Number of dropped messages among those that the broker delivered again. */
    private long droppedAgain;

    Robot(long now) {
      runs = new Budget(runsAMinute, runsAMinute / MINUTE_NANOS, now);
      large = new Budget(maxMessageBytes, maxMessageBytes * (runsAMinute / MINUTE_NANOS), now);
      messages = new Budget(messagesASecond / BURSTS_A_SECOND, messagesASecond / SECOND_NANOS, now);
    }

    /** True if a message begins no other run than it may. */
    boolean mayBegin(Payload.Arrival arrival, long now) {
      Long number = arrival.run().number();
      if (!ArrivalReceiver.isFirst(arrival) || number.equals(latestRun)) {
        return true;
      }
      boolean may = runs.take(1, now);
      latestRun = may ? number : latestRun;
      return may;
    }

    /** The next that may go to the dispatcher; null if none may. */
    Payload.Arrival next(long now) {
      if (onTheWay >= MAX_IN_FLIGHT
          || waiting.isEmpty()
          || !messages.take(weight(waiting.element()), now)) {
        return null;
      }
      onTheWay++;
      waitingWeight -= weight(waiting.element());
      waitingBytes -= bytes(waiting.element());
      return waiting.remove();
    }

    void await(Payload.Arrival arrival) {
      waiting.add(arrival);
      waitingWeight += weight(arrival);
      waitingBytes += bytes(arrival);
    }

    void clearWaiting() {
      waiting.clear();
      waitingWeight = 0;
      waitingBytes = 0;
    }

    boolean isIdle(long now) {
      boolean isQuiet = waiting.isEmpty() && onTheWay == 0 && dropped + droppedAgain == 0;
      return isQuiet && runs.isFull(now) && large.isFull(now) && messages.isFull(now);
    }
  }

  private final int runsAMinute;
  private final int messagesASecond;
  private final int maxWaiting;
  private final int maxMessageBytes;
  private final long maxBytesAgain;
  private final Map<String, Robot> robots = new HashMap<>();

  /**
   * @param maxMessageBytes of a message
   */
  FairQueue(TopologySettings settings, int maxMessageBytes) {
    this(settings, maxMessageBytes, Runtime.getRuntime().maxMemory() / HEAP_PARTS);
  }

  /**
   * @param maxBytesAgain while so many of a robot wait, no reading is taken that was delivered
   *     before
   */
  FairQueue(TopologySettings settings, int maxMessageBytes, long maxBytesAgain) {
    this.maxMessageBytes = maxMessageBytes;
    this.maxBytesAgain = maxBytesAgain;
    runsAMinute = settings.robotRunsPerMinute();
    messagesASecond = settings.robotMessagesPerSecond();
    maxWaiting = Math.max(1, settings.prefetchMessages() / ROBOTS_A_PREFETCH);
  }

  /** The number of messages that one counts for. */
  private static long weight(Payload.Arrival arrival) {
    return arrival instanceof Payload.Arrival.OfReading reading
        ? 1 + reading.reading().scan().beams() / BEAMS_A_MESSAGE
        : 1;
  }

  private static long bytes(Payload.Arrival arrival) {
    return arrival instanceof Payload.Arrival.OfReading reading ? reading.bytes() : 0;
  }

  /**
   * A message has come; if it is taken it waits for its turn.
   *
   * @param again true if it was delivered before: then it may be one of those that were taken
   * @param now by {@link System#nanoTime}
   * @param keep keeps its receipt if it is taken: before another thread can send it on
   */
  synchronized Decision receive(Payload.Arrival arrival, boolean again, long now, Runnable keep) {
    Robot robot = robots.computeIfAbsent(arrival.run().robot(), unknown -> new Robot(now));
    Decision decision = decision(robot, arrival, again, now);
    if (decision == Decision.TAKEN) {
      keep.run();
      robot.await(arrival);
    } else {
      robot.dropped += again ? 0 : 1;
      robot.droppedAgain += again ? 1 : 0;
    }
    return decision;
  }

  private Decision decision(Robot robot, Payload.Arrival arrival, boolean again, long now) {
    boolean isTooMuch =
        again
            ? bytes(arrival) > 0 && robot.waitingBytes >= maxBytesAgain
            : robot.waitingWeight >= maxWaiting;
    if (isTooMuch) {
      return Decision.TOO_MANY_WAITING;
    }
    return again || robot.mayBegin(arrival, now) ? Decision.TAKEN : Decision.TOO_MANY_RUNS;
  }

  /**
   * True if a message may be decoded that is larger than any reading that is taken. A run's first
   * message has the map that its robot is to be found in: so the largest may come as often as runs
   * may begin, one at once. Instead of one such message, as many bytes of readings with too many
   * beams are decoded, each of which is answered.
   */
  synchronized boolean takesLarge(String robot, int bytes, long now) {
    Robot its = robots.computeIfAbsent(robot, unknown -> new Robot(now));
    boolean takes = its.large.take(bytes, now);
    its.dropped += takes ? 0 : 1;
    return takes;
  }

  /** The robot's message that goes to the dispatcher now; null if none does. */
  synchronized Payload.Arrival next(Run run, long now) {
    Robot robot = robots.get(run.robot());
    return robot == null ? null : robot.next(now);
  }

  /** One message of each robot that has one which may go to the dispatcher now. */
  synchronized List<Payload.Arrival> due(long now) {
    return robots.values().stream().map(robot -> robot.next(now)).filter(Objects::nonNull).toList();
  }

  /** One of a robot's messages has come to the dispatcher. */
  synchronized void arrived(Run run) {
    Robot robot = robots.get(run.robot());
    if (robot != null && robot.onTheWay > 0) {
      robot.onTheWay--;
    }
  }

  /** Clears what waits, which will be delivered again. */
  synchronized void clearWaiting() {
    robots.values().forEach(Robot::clearWaiting);
  }

  /** Forgets robots that send nothing now. */
  synchronized void forgetIdle(long now) {
    robots.values().removeIf(robot -> robot.isIdle(now));
  }

  /** Returns sentences about the robots whose messages were dropped since the last call. */
  synchronized List<String> troubles() {
    List<String> troubles = new ArrayList<>();
    robots.forEach(
        (name, robot) -> {
          if (robot.dropped > 0) {
            troubles.add(
                "robot %s sends more than its share, and %d of its messages were dropped"
                    .formatted(name, robot.dropped));
            robot.dropped = 0;
          }
          if (robot.droppedAgain > 0) {
            troubles.add(
                "%d readings of robot %s that the broker delivered again were too much at once; it is asked for them"
                    .formatted(robot.droppedAgain, name));
            robot.droppedAgain = 0;
          }
        });
    return troubles;
  }
}
