package org.cartostream.ros.rtps.endpoint;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.NumberSet;
import org.cartostream.ros.rtps.wire.PacketWriter;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.rtps.wire.Submessage.AckNack;
import org.cartostream.ros.rtps.wire.Submessage.Data;
import org.cartostream.ros.rtps.wire.Submessage.DataFrag;
import org.cartostream.ros.rtps.wire.Submessage.Gap;
import org.cartostream.ros.rtps.wire.Submessage.Heartbeat;
import org.cartostream.ros.rtps.wire.Submessage.HeartbeatFrag;
import org.cartostream.ros.rtps.wire.Submessage.NackFrag;

/**
 * State of a remote writer in a local reader (8.4.10.4). Owns the writer's samples that came out of
 * order or incompletely, and the number of the next sample.
 *
 * <p>With best effort, a sample is delivered if it is newer than the last. With reliability,
 * samples are delivered in order, missing ones are requested, and those that the writer no longer
 * has are skipped.
 */
final class WriterProxy {

  /**
   * Range of sample numbers from the next on that are kept; samples beyond it will be sent again.
   */
  private static final int WINDOW = NumberSet.SPAN;

  /** Maximum number of incomplete samples; with best effort the oldest is dropped. */
  private static final int MAX_PARTIAL = 4;

  /** Pause between fragments, nanoseconds, after which missing ones are requested. */
  private static final long FRAGMENT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

  /** Pause between fragments, nanoseconds, after which the incomplete sample is dropped. */
  private static final long FRAGMENT_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long FIRST_ACK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int FIRST_ACKS = 50;

  /** Value of {@link #next} while the next sample number is unknown. */
  private static final long UNKNOWN = -1;

  private static final Data SKIPPED = new Data(0, 0, 0, new ParameterList(), false, new byte[0]);

  private final EndpointContext context;
  private final int readerId;
  private final Guid writer;
  private final InetSocketAddress address;
  private final boolean reliable;
  private final boolean takesAll;
  private final HeldBytes held;
  private final Consumer<Sample> samples;

  private final TreeMap<Long, Data> waiting = new TreeMap<>();
  private final TreeMap<Long, Reassembly> partial = new TreeMap<>();
  private long next;
  private boolean heard;
  private boolean closed;
  private boolean checking;
  private int lastHeartbeat;
  private int lastHeartbeatFrag;
  private int ackNacks;
  private int nackFrags;

  /**
   * @param reliable true if reader and writer both are
   * @param takesAll true to request all samples that the writer has. A writer without history has
   *     only those since its match, which may be earlier than the reader's
   * @param held memory budget of the reader, shared by its writers
   */
  WriterProxy(
      EndpointContext context,
      int readerId,
      SampleReader.Match match,
      boolean reliable,
      boolean takesAll,
      HeldBytes held,
      Consumer<Sample> samples) {
    this.context = context;
    this.readerId = readerId;
    this.writer = match.writer();
    this.address = match.address();
    this.reliable = reliable;
    this.takesAll = takesAll;
    this.held = held;
    this.samples = samples;
    next = reliable ? UNKNOWN : 0;
    if (reliable) {
      introduce(FIRST_ACKS);
    }
  }

  /** Asks for a heartbeat until one comes: the writer may not know the reader yet. */
  private void introduce(int times) {
    if (!heard && !closed && times > 0) {
      ackNack(new NumberSet(1, List.of()), false);
      context.after(FIRST_ACK_NANOS, () -> introduce(times - 1));
    }
  }

  void close() {
    closed = true;
    waiting.values().forEach(each -> held.add(-bytes(each)));
    waiting.clear();
    dropAll(partial);
  }

  private static long bytes(Data data) {
    return data.payload().length + HeldBytes.OVERHEAD;
  }

  private void keep(long number, Data data) {
    dropPartial(number);
    waiting.put(number, data);
    held.add(bytes(data));
  }

  private void dropPartial(long number) {
    dropAll(partial.subMap(number, true, number, true));
  }

  private void dropAll(Map<Long, Reassembly> dropped) {
    dropped.values().forEach(each -> held.add(-each.bytes()));
    dropped.clear();
  }

  void onData(Data data) {
    long number = data.number();
    if (next == UNKNOWN && !takesAll) {
      next = number;
    }
    if (!reliable) {
      if (number >= next) {
        next = number + 1;
        dropAll(partial.headMap(next));
        deliver(data);
      }
    } else if (isWanted(number)) {
      keep(number, data);
      drain();
    }
  }

  private boolean isWanted(long number) {
    return next == UNKNOWN
        ? number < WINDOW && !waiting.containsKey(number) && held.hasRoom()
        : number >= next
            && number < next + WINDOW
            && !waiting.containsKey(number)
            && (number == next || held.hasRoom());
  }

  void onDataFrag(DataFrag fragments) {
    long number = fragments.data().number();
    if (next == UNKNOWN && !takesAll) {
      next = number;
    }
    boolean isTaken =
        reliable ? isWanted(number) && held.hasRoomForNext() : number >= next && held.hasRoom();
    if (!isTaken) {
      return;
    }
    Reassembly reassembly = partial.computeIfAbsent(number, each -> new Reassembly(fragments));
    held.add(reassembly.add(fragments, context.nanos()));
    if (reassembly.isComplete()) {
      dropPartial(number);
      onData(reassembly.whole());
    }
    if (partial.size() > MAX_PARTIAL) {
      // Of a reliable writer the one with the highest number, which will be sent again.
      dropPartial(reliable ? partial.lastKey() : partial.firstKey());
    }
    checkFragments();
  }

  /** Requests missing fragments when no more come, without waiting for a heartbeat. */
  private void checkFragments() {
    if (!checking && !partial.isEmpty()) {
      checking = true;
      context.after(
          FRAGMENT_PAUSE_NANOS,
          () -> {
            checking = false;
            if (!closed && !partial.isEmpty()) {
              giveUpOld();
              nackFragments();
              checkFragments();
            }
          });
    }
  }

  private void giveUpOld() {
    long oldest = context.nanos() - FRAGMENT_PATIENCE_NANOS;
    List<Long> old = new ArrayList<>();
    partial.forEach(
        (number, each) -> {
          if (each.lastNanos() - oldest < 0) {
            old.add(number);
          }
        });
    old.forEach(this::dropPartial);
  }

  void onHeartbeat(Heartbeat heartbeat) {
    if (!reliable || (heard && heartbeat.count() - lastHeartbeat <= 0)) {
      return;
    }
    heard = true;
    lastHeartbeat = heartbeat.count();
    if (next == UNKNOWN) {
      next = takesAll ? heartbeat.first() : heartbeat.last() + 1;
    }
    skipTo(heartbeat.first());
    List<Long> missing = new ArrayList<>();
    long end = Math.min(heartbeat.last(), next + NumberSet.SPAN - 1);
    for (long number = next; number <= end; number++) {
      if (!waiting.containsKey(number) && !partial.containsKey(number)) {
        missing.add(number);
      }
    }
    nackFragments();
    if (!missing.isEmpty() || !heartbeat.isFinal()) {
      ackNack(new NumberSet(next, missing), missing.isEmpty());
    }
  }

  /**
   * Requests fragments that were sent and have not come (8.4.14). The number of fragments of a
   * sample is unknown before the first has come.
   */
  void onHeartbeatFrag(HeartbeatFrag heartbeat) {
    boolean isNew = lastHeartbeatFrag == 0 || heartbeat.count() - lastHeartbeatFrag > 0;
    if (!reliable || !isNew || next == UNKNOWN || !isWanted(heartbeat.number())) {
      return;
    }
    lastHeartbeatFrag = heartbeat.count();
    Reassembly reassembly = partial.get(heartbeat.number());
    NumberSet missing =
        reassembly == null
            ? Reassembly.all(heartbeat.last())
            : reassembly.missing(heartbeat.last());
    if (!missing.numbers().isEmpty()) {
      nackFrag(heartbeat.number(), missing);
    }
  }

  void onGap(Gap gap) {
    if (!reliable || next == UNKNOWN) {
      return;
    }
    long base = gap.numbers().base();
    if (gap.start() <= next) {
      skipTo(base);
    } else {
      for (long number = gap.start(); number < Math.min(base, next + WINDOW); number++) {
        skip(number);
      }
    }
    gap.numbers().numbers().forEach(this::skip);
    drain();
  }

  private void skip(long number) {
    if (isWanted(number)) {
      keep(number, SKIPPED);
    }
  }

  /**
   * Skips to a sample number, because the writer no longer has the samples before; delivers those
   * of them that have come.
   */
  private void skipTo(long number) {
    while (!waiting.isEmpty() && waiting.firstKey() < number) {
      take();
    }
    next = Math.max(next, number);
    dropAll(partial.headMap(next));
    drain();
  }

  private void drain() {
    while (next != UNKNOWN && !waiting.isEmpty() && waiting.firstKey() <= next) {
      next = waiting.firstKey() + 1;
      take();
    }
  }

  private void take() {
    Data data = waiting.pollFirstEntry().getValue();
    held.add(-bytes(data));
    if (data != SKIPPED) {
      deliver(data);
    }
  }

  private void deliver(Data data) {
    samples.accept(
        new Sample(writer, data.number(), data.inlineQos(), data.isKey(), data.payload()));
  }

  private void ackNack(NumberSet missing, boolean isFinal) {
    context.send(
        new PacketWriter(context.self(), writer.prefix())
            .add(new AckNack(readerId, writer.entity(), missing, ++ackNacks, isFinal)),
        address);
  }

  private void nackFragments() {
    if (!reliable) {
      return;
    }
    long now = context.nanos();
    partial.forEach(
        (number, reassembly) -> {
          if (now - reassembly.lastNanos() >= FRAGMENT_PAUSE_NANOS) {
            nackFrag(number, reassembly.missing(Integer.MAX_VALUE));
          }
        });
  }

  private void nackFrag(long number, NumberSet missing) {
    context.send(
        new PacketWriter(context.self(), writer.prefix())
            .add(new NackFrag(readerId, writer.entity(), number, missing, ++nackFrags)),
        address);
  }
}
