package org.cartostream.topology.dispatch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.arrival.Receipts;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload.Arrival;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run's readings since its latest checkpoint, so that they can be processed again, and what the
 * robot sent last: that nothing follows.
 *
 * <p>Owns them, as long as those of all runs have room in memory. They are acknowledged at the
 * broker when the checkpoint that has them is stored; so where the buffer is lost, the broker sends
 * them again. Where the broker would deliver nothing more before that, they are acknowledged
 * sooner: then their gateway is asked.
 */
final class ReplayBuffer {

  private static final Logger LOG = LoggerFactory.getLogger(ReplayBuffer.class);

  /**
   * Bytes that a reading takes besides its ranges: itself, its run, poses, and its place in the
   * map.
   */
  static final int READING_BYTES = 500;

  private static final double MEGABYTE = 1 << 20;

  /**
   * The memory that all buffers of a dispatcher may take. Where they take more, the largest lets go
   * of its eldest reading: a robot with large scans is not held at the cost of others.
   */
  static final class MemoryBudget {
    private final long mostBytes;
    private final Set<ReplayBuffer> buffers = new HashSet<>();
    private long bytes;

    MemoryBudget(long mostBytes) {
      this.mostBytes = mostBytes;
    }

    private void change(ReplayBuffer buffer, long by) {
      bytes += by;
      buffer.bytes += by;
      if (buffer.bytes == 0) {
        buffers.remove(buffer);
      } else {
        buffers.add(buffer);
      }
    }

    private void makeRoom() {
      for (Optional<ReplayBuffer> largest = largest();
          bytes > mostBytes && largest.isPresent();
          largest = largest()) {
        largest.get().letGoOfEldest();
      }
    }

    /** Of a run that is given up nothing is added, and robots must hear what has no answer. */
    private Optional<ReplayBuffer> largest() {
      return buffers.stream()
          .filter(each -> !each.isGivenUp)
          .max(Comparator.comparingLong(each -> each.bytes));
    }
  }

  private final Run run;
  private final Receipts receipts;
  private final MemoryBudget memory;

  private final NavigableMap<Long, Arrival.OfReading> readings = new TreeMap<>();
  private final NavigableMap<Long, Refusal.Reason> refused = new TreeMap<>();

  /** Bytes of memory that {@link #readings} take. */
  private long bytes;

  /** Null until it has come. */
  private Arrival.OfEnd end;

  /** Readings up to this one are in a checkpoint, or were given up. */
  private long durable;

  /** True if no reading is let go of any more. */
  private boolean isGivenUp;

  /** The last reading that was let go of before it was in a checkpoint; 0 for none. */
  private long lastDropped;

  /**
   * @param receipts of the readings
   * @param memory for the readings; beyond that the eldest are let go of, and the run cannot be
   *     restored any more
   */
  ReplayBuffer(Run run, Receipts receipts, MemoryBudget memory) {
    this.run = run;
    this.receipts = receipts;
    this.memory = memory;
  }

  /** False if a reading is here already, or is in a checkpoint. */
  boolean add(Arrival.OfReading reading) {
    if (reading.sequence() <= durable) {
      acknowledge(durable);
      return false;
    }
    boolean isNew = readings.putIfAbsent(reading.sequence(), reading) == null;
    if (isNew) {
      memory.change(this, bytes(reading));
      memory.makeRoom();
    }
    return isNew;
  }

  private void letGoOfEldest() {
    if (isWhole()) {
      LOG.warn(
          "{} cannot be restored, for its readings since {} are in no checkpoint, and those of all"
              + " robots take more than the {} MB of checkpoint.heldMegabytes",
          run,
          durable,
          "%.1f".formatted(memory.mostBytes / MEGABYTE));
    }
    long eldest = readings.firstKey();
    lastDropped = Math.max(lastDropped, eldest); // An earlier one may have come again.
    remove(eldest);
    acknowledge(eldest);
  }

  private void remove(long reading) {
    Arrival.OfReading removed = readings.remove(reading);
    if (removed != null) {
      memory.change(this, -bytes(removed));
    }
  }

  private static long bytes(Arrival.OfReading reading) {
    return reading.bytes() + READING_BYTES;
  }

  /** The broker need not deliver the readings up to this one again, or all for Receipts.END. */
  void acknowledge(long reading) {
    receipts.acknowledge(run, reading);
  }

  void end(Arrival.OfEnd last) {
    end = last;
  }

  /** Null if it has not come. */
  Arrival.OfEnd end() {
    return end;
  }

  /** Readings up to this one are in a checkpoint: they will not be processed again. */
  void forgetTo(long reading) {
    durable = reading;
    acknowledge(reading);
    forgetHeld(reading);
    refused.headMap(reading, true).clear();
  }

  private void forgetHeld(long to) {
    NavigableMap<Long, Arrival.OfReading> forgotten = readings.headMap(to, true);
    memory.change(this, -forgotten.values().stream().mapToLong(ReplayBuffer::bytes).sum());
    forgotten.clear();
  }

  /** The run cannot go on: what is here stays, to be reported as lost. */
  void giveUp() {
    isGivenUp = true;
  }

  /** Lets go of all: the run is no more. */
  void close() {
    acknowledge(Receipts.END);
    forgetHeld(Long.MAX_VALUE);
  }

  /** A reading was refused before its turn, as it will be when the others are processed again. */
  void refuse(long reading, Refusal.Reason why) {
    refused.put(reading, why);
    receipts.acknowledgeOne(run, reading);
  }

  /**
   * A reading will be refused when the others are processed again, or when it comes. The broker
   * keeps it until that is in a checkpoint: another dispatcher has to find out for itself.
   *
   * @return the reading; empty if it is not here, or is refused already
   */
  Optional<Arrival.OfReading> refuseNext(long reading, Refusal.Reason why) {
    return refused.putIfAbsent(reading, why) == null
        ? Optional.ofNullable(readings.get(reading))
        : Optional.empty();
  }

  /** Why a reading was refused; null if it was not. */
  Refusal.Reason refusal(long reading) {
    return refused.get(reading);
  }

  /** A reading will not be processed, now or again. */
  void drop(long reading) {
    remove(reading);
    receipts.acknowledgeOne(run, reading);
  }

  /** Number of messages of the run that the broker keeps. */
  int receipts() {
    return receipts.count(run);
  }

  /** True if the run can be restored: all readings after the checkpoint are here. */
  boolean isWhole() {
    return lastDropped <= durable;
  }

  /** True if nothing is missing of a run that begins with nothing: its first reading is here. */
  boolean hasFirst() {
    return readings.containsKey(1L);
  }

  int size() {
    return readings.size();
  }

  /** The readings after a number, in their order. */
  List<Arrival.OfReading> after(long sequence) {
    return new ArrayList<>(readings.tailMap(sequence, false).values());
  }
}
