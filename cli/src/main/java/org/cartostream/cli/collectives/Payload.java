package org.cartostream.cli.collectives;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.cartostream.topology.collectives.Reduction;

/** What members send, and what must come of it. */
final class Payload {

  private Payload() {}

  /** Bytes that tell the member. */
  static byte[] bytes(int rank, int count) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, (byte) (rank + 1));
    return bytes;
  }

  /** Numbers that tell the member; whole ones, so that the order of a sum does not matter. */
  static double[] numbers(int rank, int bytes) {
    double[] numbers = new double[Math.max(1, bytes / Double.BYTES)];
    Arrays.fill(numbers, rank + 1);
    return numbers;
  }

  /** What an operation with that root must bring a member; null where nothing. */
  static byte[] expected(Cell cell, int root, int rank, int size) {
    boolean here = rank == root;
    return switch (cell.operation()) {
      case BARRIER -> null;
      case BROADCAST, SCATTER -> bytes(root, cell.bytes());
      case GATHER -> here ? all(cell, size) : null;
      case ALL_GATHER, ALL_TO_ALL -> all(cell, size);
      case REDUCE -> here ? sums(cell, size) : null;
      case ALL_REDUCE -> sums(cell, size);
    };
  }

  private static byte[] all(Cell cell, int size) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    IntStream.range(0, size).forEach(rank -> all.writeBytes(bytes(rank, cell.bytes())));
    return all.toByteArray();
  }

  private static byte[] sums(Cell cell, int size) {
    double[] sums = numbers(0, cell.bytes());
    Arrays.fill(sums, size * (size + 1) / 2.0);
    return Reduction.payload(sums);
  }
}
