package org.cartostream.bench.collectives;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.cartostream.collectives.operation.Reduction;

/** Payload that members of a measured group send, with a check of what arrives. */
final class BenchPayload {

  private BenchPayload() {}

  /** Returns bytes that identify a member. */
  static byte[] bytes(int rank, int count) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, (byte) (rank + 1));
    return bytes;
  }

  /**
   * Returns numbers that identify a member; whole ones, so that the order of a sum does not matter.
   */
  static double[] numbers(int rank, int bytes) {
    double[] numbers = new double[Math.max(1, bytes / Double.BYTES)];
    Arrays.fill(numbers, rank + 1);
    return numbers;
  }

  /**
   * Returns the bytes that an operation with a certain root must bring a member; null if it brings
   * none.
   */
  static byte[] expected(CollectiveCase collectiveCase, int root, int rank, int size) {
    boolean here = rank == root;
    return switch (collectiveCase.operation()) {
      case BARRIER -> null;
      case BROADCAST, SCATTER -> bytes(root, collectiveCase.bytes());
      case GATHER -> here ? all(collectiveCase, size) : null;
      case ALL_GATHER, ALL_TO_ALL -> all(collectiveCase, size);
      case REDUCE -> here ? sums(collectiveCase, size) : null;
      case ALL_REDUCE -> sums(collectiveCase, size);
    };
  }

  private static byte[] all(CollectiveCase collectiveCase, int size) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    IntStream.range(0, size).forEach(rank -> all.writeBytes(bytes(rank, collectiveCase.bytes())));
    return all.toByteArray();
  }

  private static byte[] sums(CollectiveCase collectiveCase, int size) {
    double[] sums = numbers(0, collectiveCase.bytes());
    Arrays.fill(sums, size * (size + 1) / 2.0);
    return Reduction.payload(sums);
  }
}
