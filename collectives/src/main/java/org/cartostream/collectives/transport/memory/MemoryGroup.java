package org.cartostream.collectives.transport.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;

/**
 * A group of members in one JVM, with a channel for each. The sender's thread copies a frame once
 * and hands it over itself; so a thread that waits for a call is woken only once, when the call
 * ends.
 *
 * <p>Owns a slot for each rank. At first a slot is free, and frames for it wait. Then a member
 * takes it. When that member has left, frames for the slot are refused until another member takes
 * it.
 */
public final class MemoryGroup {

  private static final Map<String, MemoryGroup> MEETING = new ConcurrentHashMap<>();

  /** Frames that the current thread has yet to hand over, one after the other. */
  private static final ThreadLocal<DeliveryQueue> DELIVERIES =
      ThreadLocal.withInitial(DeliveryQueue::new);

  private final RankSlot[] rankSlots;
  private final CollectiveSettings settings;

  /**
   * Number of members that have joined by name and not left; changed only by computations of {@link
   * #MEETING}.
   */
  private int members;

  /** Makes a group of {@code size} members, which {@link #join} does not find. */
  public MemoryGroup(int size, CollectiveSettings settings) {
    if (size < 1) {
      throw new IllegalArgumentException("a group of " + size + " members; there must be one");
    }
    this.settings = settings;
    this.rankSlots = new RankSlot[size];
    Arrays.setAll(rankSlots, rank -> new RankSlot());
  }

  /**
   * Returns the group of that name in this JVM, for members that share no objects, such as the
   * tasks of a topology in one worker. The first call makes the group; it is forgotten when {@link
   * #leave} has been called as often as this method.
   *
   * @throws IllegalArgumentException if the group exists with another size
   */
  public static MemoryGroup join(String name, int size, CollectiveSettings settings) {
    return MEETING.compute(
        name,
        (same, there) -> {
          MemoryGroup group = there == null ? new MemoryGroup(size, settings) : there;
          if (group.rankSlots.length != size) {
            throw new IllegalArgumentException(
                "group '%s' has %d members, not %d".formatted(name, group.rankSlots.length, size));
          }
          group.members++;
          return group;
        });
  }

  /** Takes back one {@link #join} of the group of that name. */
  public static void leave(String name) {
    MEETING.computeIfPresent(name, (same, group) -> --group.members == 0 ? null : group);
  }

  /**
   * Returns a member's channel. Its {@code open} throws an {@link IllegalStateException} if another
   * member has that rank.
   */
  public GroupChannel channel(int rank) {
    RankSlot rankSlot = rankSlots[rank];
    return new MemoryChannel(rank, rankSlot);
  }

  /**
   * The place of one rank: the receiver that has taken it, or the frames that wait. Guarded by its
   * own lock.
   */
  private static final class RankSlot {
    private GroupChannel.Receiver receiver;
    private boolean left;
    private List<Frame> waiting = new ArrayList<>();
    private long waitingBytes;
  }

  private final class MemoryChannel implements GroupChannel {

    private final int rank;
    private final RankSlot rankSlot;
    private Receiver mine;

    MemoryChannel(int rank, RankSlot rankSlot) {
      this.rank = rank;
      this.rankSlot = rankSlot;
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public int size() {
      return rankSlots.length;
    }

    /**
     * Returns the largest number, for no payload is to be cut: one thread hands over all parts, one
     * after the other.
     */
    @Override
    public int partBytes() {
      return Integer.MAX_VALUE;
    }

    @Override
    public int maxFrameBytes() {
      return settings.maxFrameBytes();
    }

    @Override
    public void open(Receiver receiver) {
      List<Frame> waiting;
      synchronized (rankSlot) {
        if (rankSlot.receiver != null) {
          throw new IllegalStateException("rank " + rank + " is taken by another member");
        }
        rankSlot.receiver = receiver;
        rankSlot.left = false;
        waiting = rankSlot.waiting;
        rankSlot.waiting = new ArrayList<>();
        rankSlot.waitingBytes = 0;
      }
      mine = receiver;
      waiting.forEach(receiver::receive);
    }

    @Override
    public void send(Frame frame, int... to) {
      for (int other : to) {
        send(frame, other);
      }
    }

    private void send(Frame frame, int to) {
      RankSlot target = rankSlots[to];
      Receiver receiver;
      String refusal = null;
      synchronized (target) {
        receiver = target.receiver;
        if (receiver == null) {
          refusal = wait(frame, target);
        }
      }
      if (receiver != null) {
        DELIVERIES.get().deliver(receiver, frame.copiedFor(receiver));
      } else if (refusal != null) {
        mine.undeliverable(frame, to, refusal);
      }
    }

    /**
     * Queues a frame for a member that has not joined yet; returns null, or why the frame cannot
     * wait.
     */
    private String wait(Frame frame, RankSlot target) {
      if (target.left) {
        return "it has left the group";
      }
      if (target.waitingBytes + frame.bytes() > settings.maxWaitingBytes()) {
        return target.waitingBytes + " bytes wait for it already, and it has not joined yet";
      }
      target.waiting.add(frame.copiedFor(mine));
      target.waitingBytes += frame.bytes();
      return null;
    }

    @Override
    public void close() {
      synchronized (rankSlot) {
        if (mine == null || rankSlot.receiver != mine) {
          return;
        }
        rankSlot.receiver = null;
        rankSlot.left = true;
      }
      for (RankSlot other : rankSlots) {
        Receiver receiver;
        synchronized (other) {
          receiver = other.receiver;
        }
        if (receiver != null) {
          receiver.lost(List.of(rank), "it has left the group");
        }
      }
    }
  }

  /**
   * Queue that hands frames over one after the other, so that a receiver that sends a frame itself
   * causes no recursion.
   */
  private static final class DeliveryQueue {

    private final Deque<Runnable> open = new ArrayDeque<>();
    private boolean busy;

    void deliver(GroupChannel.Receiver receiver, Frame frame) {
      if (busy) {
        open.add(() -> receiver.receive(frame));
        return;
      }
      busy = true;
      try {
        receiver.receive(frame);
        for (Runnable next; (next = open.poll()) != null; ) {
          next.run();
        }
      } finally {
        busy = false;
        open.clear();
      }
    }
  }
}
