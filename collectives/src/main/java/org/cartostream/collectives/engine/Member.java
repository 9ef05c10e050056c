package org.cartostream.collectives.engine;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.DropCounts;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.Slice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of a group: passes the application's calls, the channel's frames and a clock's ticks
 * to the {@link RobotRounds} of the robot that each is about.
 *
 * <p>Owns the robots' rounds, the set of members that are lost, the {@link Credit}, and the counts
 * of dropped frames. Locks one robot's rounds at a time, and holds no lock while it sends a frame
 * or ends a call.
 */
public final class Member implements GroupChannel.Receiver {

  private static final Logger LOG = LoggerFactory.getLogger(Member.class);

  /** Key of messages that are about no robot. */
  private static final OperationKey CREDIT = new OperationKey("credit", 0, 0);

  private final GroupChannel groupChannel;
  private final CollectiveSettings settings;
  private final Timeouts timeouts;
  private final int[] others;
  private final DropCounter dropCounter = new DropCounter();
  private final Map<String, RobotRounds> roundsByRobot = new ConcurrentHashMap<>();
  private final Map<Integer, Loss> losses = new ConcurrentHashMap<>();
  private final BufferPool bufferPool;
  private final Credit credit;
  private volatile boolean closed;
  private Future<?> ticking;

  private record Loss(long sinceNanos, String why) {}

  public Member(GroupChannel groupChannel, CollectiveSettings settings) {
    this.groupChannel = groupChannel;
    this.settings = settings;
    this.timeouts = new Timeouts(settings.timeoutMillis());
    this.credit = new Credit(groupChannel.size(), settings.maxWaitingBytes());
    this.bufferPool = new BufferPool(settings.maxPooledBytes());
    this.others =
        IntStream.range(0, groupChannel.size())
            .filter(each -> each != groupChannel.rank())
            .toArray();
  }

  public int rank() {
    return groupChannel.rank();
  }

  public int size() {
    return groupChannel.size();
  }

  int partBytes() {
    return groupChannel.partBytes();
  }

  /**
   * Returns true if a payload is too long for a frame, so that it is offered, and fetched by its
   * receivers.
   */
  boolean isLong(long bytes) {
    return bytes > groupChannel.maxFrameBytes();
  }

  public int maxPayloadBytes() {
    return settings.maxPayloadBytes();
  }

  int[] others() {
    return others.clone();
  }

  Credit credit() {
    return credit;
  }

  DropCounter counter() {
    return dropCounter;
  }

  public DropCounts counts() {
    return dropCounter.counts();
  }

  /** Begins to check all rounds for timeouts, in the thread of {@code clock}. */
  public void start(ScheduledExecutorService clock) {
    long period = timeouts.periodNanos();
    ticking = clock.scheduleAtFixedRate(this::tick, period, period, TimeUnit.NANOSECONDS);
  }

  long nowNanos() {
    return System.nanoTime();
  }

  /**
   * Calls an operation at this member. The call fails if the member is closed or knows too many
   * robots.
   */
  public void enter(OperationKey key, OperationPlan<?> operationPlan) {
    if (!advance(key.robot(), (rounds, actions) -> rounds.enter(key, operationPlan, actions))) {
      operationPlan.fail(closed ? closedFailure() : tooManyRobots(key, operationPlan));
    }
  }

  @Override
  public void receive(Frame frame) {
    if (frame.source() < 0 || frame.source() >= size()) {
      return;
    }
    if (frame.kind() == Frame.Kind.CREDIT) {
      credit.back(frame.source(), frame.total());
      return;
    }
    advance(frame.key().robot(), (rounds, actions) -> rounds.take(frame, actions));
    credit.taken(frame);
    giveBack();
  }

  /**
   * Applies an event to a robot's rounds, then performs the actions that result; returns false if
   * the member is closed or knows too many robots already.
   *
   * @param brought applies the event, and returns the round that it brought forward, or null
   */
  private boolean advance(String robot, BiFunction<RobotRounds, DeferredActions, Round> brought) {
    RobotRounds robotRounds;
    Round round;
    boolean taken;
    DeferredActions deferredActions = new DeferredActions();
    do {
      robotRounds = robotRounds(robot);
      if (robotRounds == null || closed) {
        return false;
      }
      synchronized (robotRounds) {
        taken = !robotRounds.isClosed();
        round = taken ? brought.apply(robotRounds, deferredActions) : null;
      }
    } while (!taken);
    perform(robotRounds, round, deferredActions);
    return true;
  }

  private void perform(RobotRounds robotRounds, Round round, DeferredActions deferredActions) {
    deferredActions.perform(groupChannel);
    giveBack();
    if (round != null && deferredActions.parts()) {
      locked(robotRounds, more -> robotRounds.sent(round, more));
    }
  }

  /** Gives other members their credit back, where enough is due. */
  private void giveBack() {
    int[] back = credit.collect();
    for (int rank = 0; back != null && rank < back.length; rank++) {
      if (back[rank] > 0) {
        groupChannel.send(
            Frame.control(Frame.Kind.CREDIT, CREDIT, rank(), Operation.BARRIER, 0)
                .about(Frame.Kind.CREDIT, rank(), 0, 0, back[rank], List.of()),
            rank);
      }
    }
  }

  /**
   * Runs an action with a robot's rounds locked, then performs what it deferred, without the lock.
   */
  private void locked(RobotRounds robotRounds, Consumer<DeferredActions> action) {
    DeferredActions deferredActions = new DeferredActions();
    synchronized (robotRounds) {
      action.accept(deferredActions);
    }
    deferredActions.perform(groupChannel);
  }

  private RobotRounds robotRounds(String robot) {
    RobotRounds robotRounds = roundsByRobot.get(robot);
    if (robotRounds == null && roundsByRobot.size() >= settings.maxRobots()) {
      dropCounter.crowded();
      return null;
    }
    return robotRounds == null
        ? roundsByRobot.computeIfAbsent(robot, name -> new RobotRounds(this))
        : robotRounds;
  }

  private CollectiveException tooManyRobots(OperationKey key, OperationPlan<?> operationPlan) {
    return CollectiveException.of(
        Reason.OVERFLOW,
        Set.of(rank()),
        operationPlan.operation() + " of " + key,
        "at most " + settings.maxRobots() + " robots are known at a time");
  }

  @Override
  public byte[] spare(int length) {
    return bufferPool.take(length);
  }

  /**
   * Returns a copy of a payload that belongs to this member, if possible in an array of the pool.
   */
  public byte[] copied(byte[] payload) {
    return Slice.of(payload).copiedFor(this).array();
  }

  /**
   * Returns a copy of a payload that is too long for a frame, as it must not change until it is
   * fetched; a shorter payload is sent at once, and returned itself.
   */
  public byte[] stable(byte[] payload) {
    return isLong(payload.length) ? copied(payload) : payload;
  }

  public void reuse(byte[] array) {
    bufferPool.put(array);
  }

  @Override
  public void undeliverable(Frame frame, int rank, String why) {
    if (frame.kind() == Frame.Kind.PART) {
      credit.back(rank, Integer.MAX_VALUE); // Nothing is on the way any more.
    }
    RobotRounds robotRounds = roundsByRobot.get(frame.key().robot());
    if (robotRounds != null && frame.kind().needed()) {
      locked(robotRounds, actions -> robotRounds.undeliverable(frame, rank, why, actions));
    }
  }

  @Override
  public void lost(List<Integer> ranks, String why) {
    Loss loss = new Loss(nowNanos(), why);
    ranks.forEach(rank -> losses.put(rank, loss));
    ranks.forEach(credit::reset);
    roundsByRobot.values().forEach(each -> locked(each, each::checkAll));
  }

  /**
   * Returns the ranks that were lost since an epoch began; a rank lost earlier may have a new
   * member.
   *
   * @param nanos beginning of the epoch, by {@link System#nanoTime}
   */
  BitSet lostSince(long nanos) {
    BitSet lost = new BitSet();
    losses.forEach(
        (rank, loss) -> {
          if (loss.sinceNanos - nanos >= 0) {
            lost.set(rank);
          }
        });
    return lost;
  }

  String whyLost(int rank) {
    return losses.get(rank).why;
  }

  private void tick() {
    roundsByRobot.forEach(
        (robot, robotRounds) -> {
          try {
            tick(robot, robotRounds);
          } catch (RuntimeException | Error e) {
            // The executor stops a periodic task that throws: then no call would time out any more.
            LOG.warn("rank {} cannot look at the time of robot {}", rank(), robot, e);
          }
        });
  }

  private void tick(String robot, RobotRounds robotRounds) {
    locked(
        robotRounds,
        actions -> {
          robotRounds.tick(nowNanos(), timeouts, actions);
          if (robotRounds.isUnused()) { // No call in its epoch, no frame waits.
            drop(robot, robotRounds, actions);
          }
        });
  }

  private void drop(String robot, RobotRounds robotRounds, DeferredActions deferredActions) {
    robotRounds.close(closedFailure(), deferredActions);
    roundsByRobot.remove(robot, robotRounds);
  }

  /**
   * Forgets a robot and fails its running calls, unless an epoch later than {@code epoch} has
   * begun.
   */
  public void forget(String robot, long epoch) {
    RobotRounds robotRounds = roundsByRobot.get(robot);
    if (robotRounds != null) {
      locked(
          robotRounds,
          actions -> {
            if (robotRounds.isWithin(epoch)) {
              drop(robot, robotRounds, actions);
            }
          });
    }
  }

  public void close() {
    closed = true;
    ticking.cancel(false);
    roundsByRobot
        .values()
        .forEach(each -> locked(each, actions -> each.close(closedFailure(), actions)));
    groupChannel.close();
  }

  private CollectiveException closedFailure() {
    return CollectiveException.of(
        Reason.CLOSED, Set.of(rank()), "a call", "no call can be made or ended here any more");
  }
}
