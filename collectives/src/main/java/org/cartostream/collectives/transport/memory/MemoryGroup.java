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
 * The group's channels for members in one JVM. A frame is copied once, by the sender's thread, and
 * handed over in that thread; so a receiver that is blocked is woken once, when its call ends.
 *
 * <p>Owns each rank's seat: free at first, when what is sent to it waits; then taken; and free
 * again when its member has left, until another takes it.
 */
public final class MemoryGroup {

  private static final Map<String, MemoryGroup> MEETING = new ConcurrentHashMap<>();

  /** Frames that a thread has yet to hand over: one that is in the middle of it must not begin. */
  private static final ThreadLocal<DeliveryQueue> DELIVERIES =
      ThreadLocal.withInitial(DeliveryQueue::new);

  private final RankSlot[] rankSlots;
  private final long maxWaitingBytes;

  /** Number of members that have met and not parted; changed only within {@link #MEETING}. */
  private int members;

  /** A group of {@code size} members, not shared by name. */
  public MemoryGroup(int size, CollectiveSettings settings) {
    if (size < 1) {
      throw new IllegalArgumentException("a group of " + size + " members; there must be one");
    }
    this.maxWaitingBytes = settings.maxWaitingBytes();
    this.rankSlots = new RankSlot[size];
    Arrays.setAll(rankSlots, rank -> new RankSlot());
  }

  /**
   * The group of that name in this JVM, for members that do not know each other, like the tasks of
   * a topology in one worker. It is there until as many have called {@link #leave} as have met.
   *
   * @throws IllegalArgumentException if it is there already with another size
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

  /** One that has met under this name will not again. */
  public static void leave(String name) {
    MEETING.computeIfPresent(name, (same, group) -> --group.members == 0 ? null : group);
  }

  /**
   * A member's channel.
   *
   * @throws IllegalStateException when it is opened, if another member has that rank
   */
  public GroupChannel channel(int rank) {
    RankSlot rankSlot = rankSlots[rank];
    return new MemoryChannel(rank, rankSlot);
  }

  /** One rank's place. Guarded by itself. */
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

    /** One thread hands on all parts: there is nothing to be gained by cutting. */
    @Override
    public int partBytes() {
      return Integer.MAX_VALUE;
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

    /** Queues what comes for a member that is not there yet; returns why it cannot, or null. */
    private String wait(Frame frame, RankSlot target) {
      if (target.left) {
        return "it has left the group";
      }
      if (target.waitingBytes + frame.bytes() > maxWaitingBytes) {
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
   * Queue that hands frames over one after the other, without recursion when one leads to the next.
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
