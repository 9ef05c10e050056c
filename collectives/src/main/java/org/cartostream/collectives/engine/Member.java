package org.cartostream.collectives.engine;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveException.Reason;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.operation.DropCounts;
import org.cartostream.collectives.operation.RoundKey;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.Slice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of a group: takes calls from the application, frames from the channel and looks at the
 * time, and hands each to the robot's {@link RobotRounds}.
 *
 * <p>Owns the lanes, who is lost, the bytes that wait, and the counts. Locks one lane at a time,
 * and none while it sends or ends a call.
 */
public final class Member implements GroupChannel.Receiver {

  private static final Logger LOG = LoggerFactory.getLogger(Member.class);

  private final GroupChannel groupChannel;
  private final CollectiveSettings settings;
  private final Timeouts timeouts;
  private final int[] others;
  private final DropCounter dropCounter = new DropCounter();
  private final Map<String, RobotRounds> robotRoundses = new ConcurrentHashMap<>();
  private final Map<Integer, Loss> losses = new ConcurrentHashMap<>();
  private final BufferPool bufferPool;
  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile boolean closed;
  private Future<?> ticking;

  private record Loss(long sinceNanos, String why) {}

  public Member(GroupChannel groupChannel, CollectiveSettings settings) {
    this.groupChannel = groupChannel;
    this.settings = settings;
    this.timeouts = new Timeouts(settings.timeoutMillis());
    this.bufferPool = new BufferPool(settings.maxSpareBytes());
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
   * Bytes of the parts in which a payload of that length is relayed. More than may well wait
   * somewhere goes whole, and so it is fetched.
   */
  public int partBytes(int length) {
    boolean whole = length > settings.maxWaitingBytes() / 4;
    return whole ? Math.max(length, groupChannel.partBytes()) : groupChannel.partBytes();
  }

  /** True if so much must be fetched. */
  boolean isLong(long bytes) {
    return bytes > settings.maxFrameBytes();
  }

  public int maxPayloadBytes() {
    return settings.maxPayloadBytes();
  }

  int[] others() {
    return others.clone();
  }

  DropCounter counter() {
    return dropCounter;
  }

  public DropCounts counts() {
    return dropCounter.counts();
  }

  /** From now on, looks at the time now and then. */
  public void start(ScheduledExecutorService clock) {
    long period = timeouts.periodNanos();
    ticking = clock.scheduleAtFixedRate(this::tick, period, period, TimeUnit.NANOSECONDS);
  }

  long nowNanos() {
    return System.nanoTime();
  }

  /** This member calls an operation. */
  public void enter(RoundKey key, OperationPlan<?> operationPlan) {
    RobotRounds robotRounds;
    Round round;
    boolean taken;
    DeferredActions deferredActions = new DeferredActions();
    do {
      robotRounds = robotRounds(key.robot());
      if (robotRounds == null || closed) {
        fail(operationPlan, closed ? closedFailure() : tooManyRobots(key, operationPlan));
        return;
      }
      synchronized (robotRounds) {
        taken = !robotRounds.isClosed();
        round = taken ? robotRounds.enter(key, operationPlan, deferredActions) : null;
      }
    } while (!taken);
    perform(robotRounds, round, deferredActions);
  }

  @Override
  public void receive(Frame frame) {
    RobotRounds robotRounds;
    Round round;
    boolean taken;
    DeferredActions deferredActions = new DeferredActions();
    do {
      robotRounds = robotRounds(frame.key().robot());
      if (robotRounds == null || frame.source() < 0 || frame.source() >= size() || closed) {
        return;
      }
      synchronized (robotRounds) {
        taken = !robotRounds.isClosed();
        round = taken ? robotRounds.take(frame, deferredActions) : null;
      }
    } while (!taken);
    perform(robotRounds, round, deferredActions);
  }

  private void perform(RobotRounds robotRounds, Round round, DeferredActions deferredActions) {
    deferredActions.perform(groupChannel);
    if (round != null && deferredActions.parts()) {
      DeferredActions more = new DeferredActions();
      synchronized (robotRounds) {
        robotRounds.sent(round, more);
      }
      more.perform(groupChannel);
    }
  }

  private RobotRounds robotRounds(String robot) {
    RobotRounds robotRounds = robotRoundses.get(robot);
    if (robotRounds == null && robotRoundses.size() >= settings.maxRobots()) {
      dropCounter.crowded();
      return null;
    }
    return robotRounds == null
        ? robotRoundses.computeIfAbsent(robot, name -> new RobotRounds(this))
        : robotRounds;
  }

  private CollectiveException tooManyRobots(RoundKey key, OperationPlan<?> operationPlan) {
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

  /** A copy of this member's own. */
  public byte[] copied(byte[] payload) {
    return Slice.of(payload).copiedFor(this).array();
  }

  /** What stays as it is until it is fetched, if it has to be; else it is sent at once. */
  public byte[] stable(byte[] payload) {
    return isLong(payload.length) ? copied(payload) : payload;
  }

  public void reuse(byte[] array) {
    bufferPool.put(array);
  }

  @Override
  public void undeliverable(Frame frame, int rank, String why) {
    RobotRounds robotRounds = robotRoundses.get(frame.key().robot());
    if (robotRounds != null && frame.kind().needed()) {
      DeferredActions deferredActions = new DeferredActions();
      synchronized (robotRounds) {
        robotRounds.undeliverable(frame, rank, why, deferredActions);
      }
      deferredActions.perform(groupChannel);
    }
  }

  @Override
  public void lost(List<Integer> ranks, String why) {
    Loss loss = new Loss(nowNanos(), why);
    ranks.forEach(rank -> losses.put(rank, loss));
    for (RobotRounds robotRounds : robotRoundses.values()) {
      DeferredActions deferredActions = new DeferredActions();
      synchronized (robotRounds) {
        robotRounds.checkAll(deferredActions);
      }
      deferredActions.perform(groupChannel);
    }
  }

  /** Who is lost; but who was so before an epoch began may have come back for it. */
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
    robotRoundses.forEach(
        (robot, robotRounds) -> {
          try {
            tick(robot, robotRounds);
          } catch (RuntimeException | Error e) {
            // The clock does not call again whom it has heard fail, and then no call would end.
            LOG.warn("rank {} cannot look at the time of robot {}", rank(), robot, e);
          }
        });
  }

  private void tick(String robot, RobotRounds robotRounds) {
    DeferredActions deferredActions = new DeferredActions();
    synchronized (robotRounds) {
      robotRounds.tick(nowNanos(), timeouts, deferredActions);
      if (robotRounds.isUnused()) { // A late message has made it, or nothing came of it.
        drop(robot, robotRounds, deferredActions);
      }
    }
    deferredActions.perform(groupChannel);
  }

  private void drop(String robot, RobotRounds robotRounds, DeferredActions deferredActions) {
    robotRounds.close(closedFailure(), deferredActions);
    robotRoundses.remove(robot, robotRounds);
  }

  /** True if so many bytes more may wait; {@link #release} takes them off again. */
  boolean reserve(long bytes) {
    if (waitingBytes.addAndGet(bytes) <= settings.maxWaitingBytes()) {
      return true;
    }
    waitingBytes.addAndGet(-bytes);
    return false;
  }

  void release(long bytes) {
    waitingBytes.addAndGet(-bytes);
  }

  <T> void complete(OperationPlan<T> operationPlan, byte[][] result) {
    operationPlan.end(result);
  }

  void fail(OperationPlan<?> operationPlan, CollectiveException why) {
    operationPlan.call().completeExceptionally(why);
  }

  /** The robot is gone: its epochs up to this one may be forgotten. */
  public void forget(String robot, long epoch) {
    RobotRounds robotRounds = robotRoundses.get(robot);
    if (robotRounds != null) {
      DeferredActions deferredActions = new DeferredActions();
      synchronized (robotRounds) {
        if (robotRounds.isWithin(epoch)) {
          drop(robot, robotRounds, deferredActions);
        }
      }
      deferredActions.perform(groupChannel);
    }
  }

  public void close() {
    closed = true;
    ticking.cancel(false);
    robotRoundses.values().forEach(this::end);
    groupChannel.close();
  }

  private void end(RobotRounds robotRounds) {
    DeferredActions deferredActions = new DeferredActions();
    synchronized (robotRounds) {
      robotRounds.close(closedFailure(), deferredActions);
    }
    deferredActions.perform(groupChannel);
  }

  private CollectiveException closedFailure() {
    return CollectiveException.of(
        Reason.CLOSED, Set.of(rank()), "a call", "no call can be made or ended here any more");
  }
}
