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
 * A fair queue of robots' messages: one queue for each robot, with turns among robots, so that a
 * robot waits for only a few messages of each other robot, however many that robot sends. A robot's
 * messages go on at {@code topology.robotMessagesPerSecond} at most. The queue decides which
 * messages to drop, because too many of the robot's messages wait, or it has begun too many runs
 * within a minute. A reading with many beams counts as several messages.
 *
 * <p>When a dispatcher takes another's place, the broker delivers again, all at once, messages that
 * had been accepted before. For these only the waiting bytes of each robot are limited here; {@code
 * topology.prefetchMessages} limits their number.
 *
 * <p>Owns, for each robot, its waiting messages, the number of its messages on the way to the
 * dispatcher, and its {@link Budget}s of messages and runs. Thread-safe.
 */
final class FairQueue {

  /**
   * Maximum number of a robot's messages on the way to the dispatcher: as many as its filter
   * processes at a time.
   */
  private static final int MAX_IN_FLIGHT = 2;

  /**
   * Ratio of {@code topology.prefetchMessages} to the number of messages of one robot that may
   * wait.
   */
  private static final int ROBOTS_A_PREFETCH = 4;

  /**
   * Number of bursts in a second: a burst, which goes on at once, may have a tenth of a second's
   * messages.
   */
  private static final double BURSTS_A_SECOND = 10;

  /**
   * Number of beams for which a reading counts as one more message, as its memory and time grow
   * with them.
   */
  private static final int BEAMS_A_MESSAGE = 1000;

  /** Ratio of the heap to the bytes that one robot's waiting redelivered readings may take. */
  private static final int HEAP_PARTS = 32;

  private static final double MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final double SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The decision on a message: taken, or the reason for which it is dropped. */
  enum Decision {
    TAKEN,
    /**
     * The message is larger than any valid reading, and the robot has used up its share of bytes in
     * such messages.
     */
    TOO_LARGE,
    /** The robot has begun too many runs. */
    TOO_MANY_RUNS,
    /**
     * Too many messages of the robot wait. Unlike a reading that the dispatcher refuses by this
     * name, the message has no outcome; one metric counts both.
     */
    TOO_MANY_WAITING
  }

  /** A token bucket: an amount that is used up, and fills again at a constant rate. */
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
     * Takes an amount; returns false if the budget has less. A full budget grants an amount above
     * its maximum, too; it is then below 0 until time has filled up the excess.
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
    private final Budget notices;
    private int onTheWay;

    /** The sum of the weights of the messages that wait. */
    private long waitingWeight;

    /** Memory that the waiting readings take, bytes. */
    private long waitingBytes;

    /** Number of the run that the robot began last; null before its first run. */
    private Long latestRun;

    private long dropped;

    /** Number of dropped messages among those that the broker delivered again. */
    private long droppedAgain;

    Robot(long now) {
      runs = new Budget(runsAMinute, runsAMinute / MINUTE_NANOS, now);
      large = new Budget(maxMessageBytes, maxMessageBytes * (runsAMinute / MINUTE_NANOS), now);
      messages = new Budget(messagesASecond / BURSTS_A_SECOND, messagesASecond / SECOND_NANOS, now);
      notices = new Budget(1, 1 / SECOND_NANOS, now);
    }

    /** Returns true if a message begins no run, or the robot may begin one more run. */
    boolean mayBegin(Payload.Arrival arrival, long now) {
      Long number = arrival.run().number();
      if (!ArrivalReceiver.isFirst(arrival) || number.equals(latestRun)) {
        return true;
      }
      boolean may = runs.take(1, now);
      latestRun = may ? number : latestRun;
      return may;
    }

    /** Takes out the next message, if it may go to the dispatcher now; else returns null. */
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
   * @param maxMessageBytes size of the largest message that the broker takes
   */
  FairQueue(TopologySettings settings, int maxMessageBytes) {
    this(settings, maxMessageBytes, Runtime.getRuntime().maxMemory() / HEAP_PARTS);
  }

  /**
   * @param maxBytesAgain number of waiting bytes of a robot at which no further redelivered reading
   *     is taken
   */
  FairQueue(TopologySettings settings, int maxMessageBytes, long maxBytesAgain) {
    this.maxMessageBytes = maxMessageBytes;
    this.maxBytesAgain = maxBytesAgain;
    runsAMinute = settings.robotRunsPerMinute();
    messagesASecond = settings.robotMessagesPerSecond();
    maxWaiting = Math.max(1, settings.prefetchMessages() / ROBOTS_A_PREFETCH);
  }

  /** Returns the number of messages that a message counts as. */
  private static long weight(Payload.Arrival arrival) {
    return arrival instanceof Payload.Arrival.OfReading reading
        ? 1 + reading.reading().scan().beams() / BEAMS_A_MESSAGE
        : 1;
  }

  private static long bytes(Payload.Arrival arrival) {
    return arrival instanceof Payload.Arrival.OfReading reading ? reading.bytes() : 0;
  }

  /**
   * Takes a message, which then waits for its turn, or decides to drop it.
   *
   * @param again true if the broker had delivered the message before, so that it may have been
   *     taken already
   * @param now the time by {@link System#nanoTime}
   * @param keep runs if the message is taken, before another thread can send it on; keeps its
   *     acknowledgement
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
   * Returns true if a message that is larger than any valid reading may be decoded. A run's first
   * message may be that large, as it can bring the map in which the robot is localised. So large
   * messages have a budget of their own, in bytes, which suffices for the first messages of all
   * runs that the robot may begin. A robot may also spend it on readings with too many beams, each
   * of which is refused with an answer.
   */
  synchronized boolean takesLarge(String robot, int bytes, long now) {
    Robot its = robots.computeIfAbsent(robot, unknown -> new Robot(now));
    boolean takes = its.large.take(bytes, now);
    its.dropped += takes ? 0 : 1;
    return takes;
  }

  /** Returns true if the robot may be told that a message of its own was dropped: once a second. */
  synchronized boolean mayTell(String robot, long now) {
    return robots.computeIfAbsent(robot, unknown -> new Robot(now)).notices.take(1, now);
  }

  /** Takes out the robot's message that goes to the dispatcher now; null if none does. */
  synchronized Payload.Arrival next(Run run, long now) {
    Robot robot = robots.get(run.robot());
    return robot == null ? null : robot.next(now);
  }

  /** Takes out, for each robot, one message that may go to the dispatcher now, if there is one. */
  synchronized List<Payload.Arrival> due(long now) {
    return robots.values().stream().map(robot -> robot.next(now)).filter(Objects::nonNull).toList();
  }

  /** Notes that the dispatcher has got one of a robot's messages. */
  synchronized void arrived(Run run) {
    Robot robot = robots.get(run.robot());
    if (robot != null && robot.onTheWay > 0) {
      robot.onTheWay--;
    }
  }

  /** Drops all waiting messages, which the broker will deliver again. */
  synchronized void clearWaiting() {
    robots.values().forEach(Robot::clearWaiting);
  }

  /** Forgets robots without waiting messages whose budgets are full again. */
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
