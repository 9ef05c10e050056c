package org.cartostream.topology.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
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
 * <p>Owns them, up to a bound. They are acknowledged at the broker when the checkpoint that has
 * them is stored; so where the buffer is lost, the broker sends them again. Where the broker would
 * deliver nothing more before that, they are acknowledged sooner: then their gateway is asked.
 */
final class ReplayBuffer {

  private static final Logger LOG = LoggerFactory.getLogger(ReplayBuffer.class);

  private final Run run;
  private final Receipts receipts;
  private final int most;

  private final NavigableMap<Long, Arrival.OfReading> readings = new TreeMap<>();
  private final NavigableMap<Long, Refusal.Reason> refused = new TreeMap<>();

  /** Null until it has come. */
  private Arrival.OfEnd end;

  /** Readings up to this one are in a checkpoint, or were given up. */
  private long durable;

  /** True if readings after {@link #durable} were let go of. */
  private boolean gap;

  /**
   * @param receipts of the readings
   * @param most so many readings are held; beyond that the eldest are let go of, and the run cannot
   *     be restored any more
   */
  ReplayBuffer(Run run, Receipts receipts, int most) {
    this.run = run;
    this.receipts = receipts;
    this.most = most;
  }

  /** False if a reading is here already, or is in a checkpoint. */
  boolean add(Arrival.OfReading reading) {
    if (reading.sequence() <= durable) {
      acknowledge(durable);
      return false;
    }
    boolean isNew = readings.putIfAbsent(reading.sequence(), reading) == null;
    while (readings.size() > most) {
      if (!gap) {
        LOG.warn("{} is not durable since reading {}", run, durable);
        gap = true;
      }
      acknowledge(readings.pollFirstEntry().getKey());
    }
    return isNew;
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
    gap = false;
    acknowledge(reading);
    readings.headMap(reading, true).clear();
    refused.headMap(reading, true).clear();
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
    readings.remove(reading);
    receipts.acknowledgeOne(run, reading);
  }

  /** How many messages of the run the broker keeps. */
  int receipts() {
    return receipts.count(run);
  }

  /** True if the run can be restored: all readings after the checkpoint are here. */
  boolean isWhole() {
    return !gap;
  }

  /** True if nothing is missing of a run that begins with nothing: its first reading is here. */
  boolean hasFirst() {
    return readings.containsKey(1L);
  }

  int size() {
    return readings.size();
  }

  /** Those after a number, in their order. */
  List<Arrival.OfReading> after(long sequence) {
    return new ArrayList<>(readings.tailMap(sequence, false).values());
  }
}
