package org.cartostream.cli.scale;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.cli.collectives.Cell;
import org.cartostream.cli.collectives.Contender;
import org.cartostream.cli.collectives.Figures;
import org.cartostream.cli.collectives.Launch;
import org.cartostream.topology.collectives.Algorithm;
import org.cartostream.topology.collectives.Ending;
import org.cartostream.topology.collectives.Operation;

/**
 * What a message costs: the postal model with an overhead (Culler et al., "LogP: Towards a
 * Realistic Model of Parallel Computation", 1993).
 *
 * @param latencyNanos from the sender's last to the receiver's first nanosecond of work for it
 * @param overheadNanos of computing, at the sender and again at the receiver
 * @param nanosPerByte on the way
 */
public record MessageCost(double latencyNanos, double overheadNanos, double nanosPerByte) {

  private static final int SMALL_BYTES = 100;
  private static final int LARGE_BYTES = 160_000;
  private static final double NANOS_PER_MICRO = 1000;

  /** Nothing at all. */
  public static final MessageCost NONE = new MessageCost(0, 0, 0);

  /**
   * What it costs over a channel, by broadcasts from one member to one other: a small one alone, a
   * large one alone, and small ones in a row, which come as often as an end is done with one.
   *
   * @param broker where members meet, if they meet at a broker
   * @throws IOException if the members cannot be started
   */
  public static MessageCost measured(Contender contender, String broker)
      throws IOException, InterruptedException {
    List<Cell> cells =
        IntStream.of(SMALL_BYTES, LARGE_BYTES)
            .mapToObj(bytes -> new Cell(Operation.BROADCAST, Algorithm.FLAT, Ending.ALONE, bytes))
            .toList();
    Figures.Times times = new Figures.Times(contender, 2);
    times.add(new Launch(contender, 2, cells, broker).run());
    return of(times.figures().get(0), times.figures().get(1));
  }

  /** From the figures of two sizes. */
  static MessageCost of(Figures small, Figures large) {
    double overhead = small.rowMicros();
    double bytes = large.cell().bytes() - (double) small.cell().bytes();
    return new MessageCost(
        Math.max(0, small.aloneMicros() - 2 * overhead) * NANOS_PER_MICRO,
        overhead * NANOS_PER_MICRO,
        Math.max(0, large.aloneMicros() - small.aloneMicros()) * NANOS_PER_MICRO / bytes);
  }

  /** Nanoseconds on the way. */
  double wayNanos(long bytes) {
    return latencyNanos + bytes * nanosPerByte;
  }
}
