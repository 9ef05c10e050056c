package org.cartostream.bench.model;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.bench.collectives.CollectiveCase;
import org.cartostream.bench.collectives.CollectiveCost;
import org.cartostream.bench.collectives.GroupLauncher;
import org.cartostream.bench.collectives.Implementation;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;

/**
 * Cost of a message: the postal model with an overhead (Culler et al., "LogP: Towards a Realistic
 * Model of Parallel Computation", 1993).
 *
 * @param latencyNanos latency L: time from the sender's last to the receiver's first nanosecond of
 *     work for the message
 * @param overheadNanos overhead o: computing time at the sender, and again at the receiver
 * @param nanosPerByte further latency for each byte of the message
 */
public record MessageCost(double latencyNanos, double overheadNanos, double nanosPerByte) {

  private static final int SMALL_BYTES = 100;
  private static final int LARGE_BYTES = 160_000;
  private static final double NANOS_PER_MICRO = 1000;

  /** A channel that costs nothing. */
  public static final MessageCost NONE = new MessageCost(0, 0, 0);

  /**
   * Measures the cost of a message over a channel, by broadcasts from one member to one other: a
   * small one alone, a large one alone, and small ones in a row, which follow each other at
   * intervals of one overhead.
   *
   * @param broker address of the broker at which members meet, if the implementation has one
   * @throws IOException if the members cannot be started
   */
  public static MessageCost measured(Implementation implementation, String broker)
      throws IOException, InterruptedException {
    List<CollectiveCase> collectiveCases =
        IntStream.of(SMALL_BYTES, LARGE_BYTES)
            .mapToObj(bytes -> new CollectiveCase(Operation.BROADCAST, Algorithm.FLAT, bytes))
            .toList();
    CollectiveCost.Times times = new CollectiveCost.Times(implementation, 2);
    times.add(new GroupLauncher(implementation, 2, collectiveCases, broker).run());
    return of(times.figures().get(0), times.figures().get(1));
  }

  /** Computes the cost from the measured costs of two sizes. */
  static MessageCost of(CollectiveCost small, CollectiveCost large) {
    double overhead = small.rowMicros();
    double bytes = large.collectiveCase().bytes() - (double) small.collectiveCase().bytes();
    return new MessageCost(
        Math.max(0, small.aloneMicros() - 2 * overhead) * NANOS_PER_MICRO,
        overhead * NANOS_PER_MICRO,
        Math.max(0, large.aloneMicros() - small.aloneMicros()) * NANOS_PER_MICRO / bytes);
  }

  /** Returns the latency of a message of a size, nanoseconds. */
  double wayNanos(long bytes) {
    return latencyNanos + bytes * nanosPerByte;
  }
}
