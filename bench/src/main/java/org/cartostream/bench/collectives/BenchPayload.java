package org.cartostream.bench.collectives;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.stream.IntStream;

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
   * Returns the bytes that an operation with a certain root must bring each member; null if it
   * brings none.
   */
  static byte[] expected(CollectiveCase collectiveCase, int root, int size) {
    return switch (collectiveCase.operation()) {
      case BARRIER -> null;
      case BROADCAST -> bytes(root, collectiveCase.bytes());
      case ALL_GATHER, ALL_TO_ALL -> all(collectiveCase, size);
    };
  }

  private static byte[] all(CollectiveCase collectiveCase, int size) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    IntStream.range(0, size).forEach(rank -> all.writeBytes(bytes(rank, collectiveCase.bytes())));
    return all.toByteArray();
  }
}
