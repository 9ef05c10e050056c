package org.cartostream.topology.collectives;

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
import org.cartostream.topology.collectives.CollectiveException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of a group: takes calls from the application, frames from the channel and looks at the
 * time, and hands each to the robot's {@link Lane}.
 *
 * <p>Owns the lanes, who is lost, the bytes that wait, and the counts. Locks one lane at a time,
 * and none while it sends or ends a call.
 */
final class Member implements Channel.Receiver {

  private static final Logger LOG = LoggerFactory.getLogger(Member.class);

  private final Channel channel;
  private final CollectiveSettings settings;
  private final Patience patience;
  private final int[] others;
  private final Counter counter = new Counter();
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
  private final Map<Integer, Loss> losses = new ConcurrentHashMap<>();
  private final Spares spares;
  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile boolean closed;
  private Future<?> ticking;

  private record Loss(long sinceNanos, String why) {}

  Member(Channel channel, CollectiveSettings settings) {
    this.channel = channel;
    this.settings = settings;
    this.patience = new Patience(settings.timeoutMillis());
    this.spares = new Spares(settings.maxSpareBytes());
    this.others =
        IntStream.range(0, channel.size()).filter(each -> each != channel.rank()).toArray();
  }

  int rank() {
    return channel.rank();
  }

  int size() {
    return channel.size();
  }

  int partBytes() {
    return channel.partBytes();
  }

  /**
   * Bytes of the parts in which a payload of that length is relayed. More than may well wait
   * somewhere goes whole, and so it is fetched.
   */
  int partBytes(int length) {
    boolean whole = length > settings.maxWaitingBytes() / 4;
    return whole ? Math.max(length, channel.partBytes()) : channel.partBytes();
  }

  /** True if so much must be fetched. */
  boolean isLong(long bytes) {
    return bytes > settings.maxFrameBytes();
  }

  int maxPayloadBytes() {
    return settings.maxPayloadBytes();
  }

  int[] others() {
    return others.clone();
  }

  Counter counter() {
    return counter;
  }

  Counts counts() {
    return counter.counts();
  }

  /** From now on, looks at the time now and then. */
  void start(ScheduledExecutorService clock) {
    long period = patience.periodNanos();
    ticking = clock.scheduleAtFixedRate(this::tick, period, period, TimeUnit.NANOSECONDS);
  }

  long nowNanos() {
    return System.nanoTime();
  }

  /** This member calls an operation. */
  void enter(RoundKey key, Script<?> script) {
    Lane lane;
    Round round;
    boolean taken;
    Deeds deeds = new Deeds();
    do {
      lane = lane(key.robot());
      if (lane == null || closed) {
        endBadly(script, closed ? left() : crowded(key, script));
        return;
      }
      synchronized (lane) {
        taken = !lane.isClosed();
        round = taken ? lane.enter(key, script, deeds) : null;
      }
    } while (!taken);
    perform(lane, round, deeds);
  }

  @Override
  public void receive(Frame frame) {
    Lane lane;
    Round round;
    boolean taken;
    Deeds deeds = new Deeds();
    do {
      lane = lane(frame.key().robot());
      if (lane == null || frame.source() < 0 || frame.source() >= size() || closed) {
        return;
      }
      synchronized (lane) {
        taken = !lane.isClosed();
        round = taken ? lane.take(frame, deeds) : null;
      }
    } while (!taken);
    perform(lane, round, deeds);
  }

  private void perform(Lane lane, Round round, Deeds deeds) {
    deeds.perform(channel);
    if (round != null && deeds.parts()) {
      Deeds more = new Deeds();
      synchronized (lane) {
        lane.sent(round, more);
      }
      more.perform(channel);
    }
  }

  private Lane lane(String robot) {
    Lane lane = lanes.get(robot);
    if (lane == null && lanes.size() >= settings.maxRobots()) {
      counter.crowded();
      return null;
    }
    return lane == null ? lanes.computeIfAbsent(robot, name -> new Lane(this)) : lane;
  }

  private CollectiveException crowded(RoundKey key, Script<?> script) {
    return CollectiveException.of(
        Reason.OVERFLOW,
        Set.of(rank()),
        script.operation() + " of " + key,
        "at most " + settings.maxRobots() + " robots are known at a time");
  }

  @Override
  public byte[] spare(int length) {
    return spares.take(length);
  }

  /** A copy of this member's own. */
  byte[] copied(byte[] payload) {
    return Slice.of(payload).copiedFor(this).array();
  }

  /** What stays as it is until it is fetched, if it has to be; else it is sent at once. */
  byte[] kept(byte[] payload) {
    return isLong(payload.length) ? copied(payload) : payload;
  }

  void reuse(byte[] array) {
    spares.put(array);
  }

  @Override
  public void undeliverable(Frame frame, int rank, String why) {
    Lane lane = lanes.get(frame.key().robot());
    if (lane != null && frame.kind().needed()) {
      Deeds deeds = new Deeds();
      synchronized (lane) {
        lane.undeliverable(frame, rank, why, deeds);
      }
      deeds.perform(channel);
    }
  }

  @Override
  public void lost(List<Integer> ranks, String why) {
    Loss loss = new Loss(nowNanos(), why);
    ranks.forEach(rank -> losses.put(rank, loss));
    for (Lane lane : lanes.values()) {
      Deeds deeds = new Deeds();
      synchronized (lane) {
        lane.checkAll(deeds);
      }
      deeds.perform(channel);
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
    lanes.forEach(
        (robot, lane) -> {
          try {
            tick(robot, lane);
          } catch (RuntimeException | Error e) {
            // The clock does not call again whom it has heard fail, and then no call would end.
            LOG.warn("rank {} cannot look at the time of robot {}", rank(), robot, e);
          }
        });
  }

  private void tick(String robot, Lane lane) {
    Deeds deeds = new Deeds();
    synchronized (lane) {
      lane.tick(nowNanos(), patience, deeds);
      if (lane.isUnused()) { // A late message has made it, or nothing came of it.
        drop(robot, lane, deeds);
      }
    }
    deeds.perform(channel);
  }

  private void drop(String robot, Lane lane, Deeds deeds) {
    lane.close(left(), deeds);
    lanes.remove(robot, lane);
  }

  /** True if so many bytes more may wait; {@link #release} takes them off again. */
  boolean keep(long bytes) {
    if (waitingBytes.addAndGet(bytes) <= settings.maxWaitingBytes()) {
      return true;
    }
    waitingBytes.addAndGet(-bytes);
    return false;
  }

  void release(long bytes) {
    waitingBytes.addAndGet(-bytes);
  }

  <T> void endWell(Script<T> script, byte[][] result) {
    script.end(result);
  }

  void endBadly(Script<?> script, CollectiveException why) {
    script.call().completeExceptionally(why);
  }

  /** The robot is gone: its epochs up to this one may be forgotten. */
  void forget(String robot, long epoch) {
    Lane lane = lanes.get(robot);
    if (lane != null) {
      Deeds deeds = new Deeds();
      synchronized (lane) {
        if (lane.isWithin(epoch)) {
          drop(robot, lane, deeds);
        }
      }
      deeds.perform(channel);
    }
  }

  void close() {
    closed = true;
    ticking.cancel(false);
    lanes.values().forEach(this::end);
    channel.close();
  }

  private void end(Lane lane) {
    Deeds deeds = new Deeds();
    synchronized (lane) {
      lane.close(left(), deeds);
    }
    deeds.perform(channel);
  }

  private CollectiveException left() {
    return CollectiveException.of(
        Reason.CLOSED, Set.of(rank()), "a call", "no call can be made or ended here any more");
  }
}
