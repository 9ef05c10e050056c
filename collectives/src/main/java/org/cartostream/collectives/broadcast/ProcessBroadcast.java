package org.cartostream.collectives.broadcast;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.cartostream.collectives.membership.MemberDirectory;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;
import org.cartostream.collectives.transport.PayloadAssembly;
import org.cartostream.collectives.transport.Slice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process' end of a broadcast between processes: what a process sends goes to all others, once
 * to each other host and from there once to each process. A process stands for one or more ranks of
 * the group; ranks at the same address are in the same process.
 *
 * <p>The parts of messages are numbered. Each receiver gets one sender's parts in order, or learns
 * that some are missing: by a later part, or by the sender's {@link #beat}. Nothing is sent again.
 * Each part says to whom it is to be forwarded, so processes with different views of the group
 * agree; a part that overtakes others when the route changes counts as missing.
 *
 * <p>Receivers report how far they are. {@link #hasRoom} turns false when one of them is {@value
 * #WINDOW_PARTS} parts behind; {@link #send} takes messages nevertheless.
 *
 * <p>Owns the channel, the count of sent parts, and what has come from each sender. Thread-safe; no
 * method but {@link #close} waits.
 */
public final class ProcessBroadcast implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessBroadcast.class);

  /** Number of parts that a receiver may be behind, before its senders should pause. */
  static final int WINDOW_PARTS = 1024;

  /** Number of parts after which a receiver reports how far it is. */
  private static final int REPORT_PARTS = WINDOW_PARTS / 4;

  /** Largest part, bytes: large messages are forwarded while they are being received. */
  private static final int MAX_PART_BYTES = 1 << 16;

  private static final String NAME = "broadcast";

  private final GroupChannel channel;
  private final MemberDirectory members;
  private final InetSocketAddress own;
  private final int receivers;
  private final long epoch;
  private final int maxBytes;
  private final Listener listener;

  /** Latest known address of each rank: a process whose entry expired may still be there. */
  private final InetSocketAddress[] latest;

  /** Number of the part sent last; changed by the thread that holds the lock of {@code latest}. */
  private volatile long sent;

  /** Number of the latest part that each process has reported, by address. */
  private final Map<InetSocketAddress, Long> reported = new ConcurrentHashMap<>();

  /** What has come from each sending process, by its rank; the lock of what is received. */
  private final Map<Integer, Incoming> incoming = new ConcurrentHashMap<>();

  /** Receiver of a process' messages. It is called by one thread at a time, and must not wait. */
  public interface Listener {

    /** Takes a message; the array belongs to the listener. */
    void received(byte[] message);

    /**
     * Learns that messages did not arrive.
     *
     * @param sentence which ones, for people
     */
    void missed(String sentence);

    /** Returns false if the listener is so far behind that senders should pause. */
    boolean hasRoom();
  }

  /** Parts that have come from one sending process. */
  private static final class Incoming {
    private final long epoch;
    private long last;
    private long reported;

    /** The message whose parts are coming; null if its beginning is missing. */
    private PayloadAssembly message;

    private Incoming(long epoch) {
      this.epoch = epoch;
    }
  }

  /**
   * Begins to receive.
   *
   * @param channel channel of the lowest of this process' ranks; this object closes it
   * @param own address of this process, as the others know it
   * @param members addresses of all ranks
   * @param receivers number of ranks, from 0 on, whose processes receive; processes of other ranks
   *     only send
   * @param epoch number that is greater than those of earlier processes of this rank, whose
   *     messages are dropped
   * @param maxBytes size of the largest message, bytes
   */
  public ProcessBroadcast(
      GroupChannel channel,
      InetSocketAddress own,
      MemberDirectory members,
      int receivers,
      long epoch,
      int maxBytes,
      Listener listener) {
    this.channel = channel;
    this.own = own;
    this.members = members;
    this.receivers = receivers;
    this.epoch = epoch;
    this.maxBytes = maxBytes;
    this.listener = listener;
    this.latest = new InetSocketAddress[channel.size()];
    channel.open(new ChannelReceiver());
  }

  // --- sender ------------------------------------------------------------------------------------

  /**
   * Sends a message to all other processes that receive, of those that are known by now.
   *
   * @throws IllegalArgumentException if the message is longer than is allowed
   */
  public void send(byte[] message) {
    if (message.length > maxBytes) {
      throw new IllegalArgumentException(
          "a message of " + message.length + " bytes; at most " + maxBytes + " are allowed");
    }
    Slice whole = Slice.of(message);
    synchronized (latest) {
      List<BroadcastRoute.Hop> hops = route().hops();
      int offset = 0;
      do {
        int length = Math.min(MAX_PART_BYTES, message.length - offset);
        sent++;
        send(Frame.Kind.PART, offset, message.length, whole.part(offset, length), hops);
        offset += length;
      } while (offset < message.length);
    }
  }

  /**
   * Tells the receivers how much was sent, so that they notice if the last messages are missing; to
   * be called about every second.
   */
  public void beat() {
    synchronized (latest) {
      send(Frame.Kind.PROBE, 0, 0, Slice.of(new byte[0]), route().hops());
    }
    if (!hasRoom()) {
      LOG.warn("others are behind: of {} parts these have reported so many: {}", sent, reported);
    }
  }

  private BroadcastRoute route() {
    BroadcastRoute route = BroadcastRoute.of(own, receivers, this::addressOf);
    reported.keySet().retainAll(route.processes().keySet());
    route.processes().keySet().forEach(process -> reported.putIfAbsent(process, sent));
    return route;
  }

  private Optional<InetSocketAddress> addressOf(int rank) {
    members.addressOf(rank).ifPresent(address -> latest[rank] = address);
    return Optional.ofNullable(latest[rank]);
  }

  private void send(
      Frame.Kind kind, int offset, int total, Slice part, List<BroadcastRoute.Hop> hops) {
    OperationKey key = new OperationKey(NAME, epoch, sent);
    int[] near =
        hops.stream().filter(hop -> hop.onward().length == 0).mapToInt(hop -> hop.rank()).toArray();
    if (near.length > 0) {
      channel.send(frame(kind, key, channel.rank(), offset, total, List.of(part)), near);
    }
    for (BroadcastRoute.Hop hop : hops) {
      if (hop.onward().length > 0) {
        List<Slice> blocks = List.of(part, pack(hop.onward()));
        channel.send(frame(kind, key, channel.rank(), offset, total, blocks), hop.rank());
      }
    }
  }

  /**
   * @param origin rank of the process that has sent the message first
   */
  private Frame frame(
      Frame.Kind kind, OperationKey key, int origin, int offset, int total, List<Slice> blocks) {
    return new Frame(
        kind,
        key,
        channel.rank(),
        Operation.BROADCAST,
        origin,
        Algorithm.FLAT,
        0,
        offset,
        total,
        blocks);
  }

  private static Slice pack(int[] ranks) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * ranks.length);
    bytes.asIntBuffer().put(ranks);
    return Slice.of(bytes.array());
  }

  private static int[] ranks(Slice packed) {
    int[] ranks = new int[packed.length() / Integer.BYTES];
    ByteBuffer.wrap(packed.array(), packed.from(), packed.length()).asIntBuffer().get(ranks);
    return ranks;
  }

  /** Returns false if a receiver is so far behind that no more than necessary should be sent. */
  public boolean hasRoom() {
    for (long from : reported.values()) {
      if (sent - from >= WINDOW_PARTS) {
        return false;
      }
    }
    return true;
  }

  // --- receiver ----------------------------------------------------------------------------------

  private final class ChannelReceiver implements GroupChannel.Receiver {

    @Override
    public void receive(Frame frame) {
      if (frame.kind() == Frame.Kind.ENTERED) {
        report(frame);
        return;
      }
      if (frame.blocks().size() > 1) { // First, so that this process delays nobody.
        channel.send(
            frame(
                frame.kind(),
                frame.key(),
                frame.root(),
                frame.offset(),
                frame.total(),
                List.of(frame.block())),
            ranks(frame.blocks().get(1)));
      }
      synchronized (incoming) {
        take(frame);
      }
    }

    @Override
    public byte[] spare(int length) {
      return null;
    }

    @Override
    public void undeliverable(Frame frame, int rank, String why) {
      LOG.debug("{} of the broadcast does not reach rank {}: {}", frame.key(), rank, why);
    }

    @Override
    public void lost(List<Integer> ranks, String why) {
      LOG.info("the processes of ranks {} are lost: {}", ranks, why);
    }
  }

  private void report(Frame frame) {
    if (frame.key().epoch() == epoch) {
      InetSocketAddress process;
      synchronized (latest) {
        process = latest[frame.source()];
      }
      if (process != null) {
        reported.computeIfPresent(process, (at, before) -> Math.max(before, frame.key().round()));
      }
    }
  }

  private void take(Frame frame) {
    Incoming from = incoming.get(frame.root());
    if (from == null || from.epoch < frame.key().epoch()) {
      from = new Incoming(frame.key().epoch());
      incoming.put(frame.root(), from);
    }
    long number = frame.key().round();
    boolean isPart = frame.kind() == Frame.Kind.PART;
    if (from.epoch > frame.key().epoch() || (isPart && number <= from.last)) {
      return; // Of a process that has a successor, or come too late.
    }
    long expected = isPart ? from.last + 1 : from.last;
    if (number > expected) {
      from.message = null;
      listener.missed(
          "%d messages or parts of them did not arrive from rank %d"
              .formatted(number - expected, frame.root()));
    }
    from.last = Math.max(number, from.last);
    if (isPart) {
      addOrMiss(frame, from);
    }
    if ((!isPart || from.last - from.reported >= REPORT_PARTS) && listener.hasRoom()) {
      from.reported = from.last;
      OperationKey upTo = new OperationKey(NAME, from.epoch, from.last);
      channel.send(frame(Frame.Kind.ENTERED, upTo, 0, 0, 0, List.of()), frame.root());
    }
  }

  /** An exception would only end the connection, and nobody would know of the message. */
  private void addOrMiss(Frame part, Incoming from) {
    try {
      add(part, from);
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("a message of rank {} cannot be taken", part.root(), e);
      from.message = null;
      listener.missed("a message from rank %d could not be taken: %s".formatted(part.root(), e));
    }
  }

  private void add(Frame part, Incoming from) {
    if (part.offset() == 0) {
      from.message = new PayloadAssembly();
    }
    if (from.message != null) {
      from.message.take(part, maxBytes);
      if (from.message.complete()) {
        listener.received(from.message.whole());
        from.message = null;
      }
    }
  }

  @Override
  public void close() {
    channel.close();
  }
}
