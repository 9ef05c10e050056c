package org.cartostream.bench.collectives;

import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;

/**
 * One case of the benchmark of collectives: an operation, its algorithm, and the size of its
 * payload.
 *
 * @param operation an operation that MPJ Express has, too
 * @param algorithm algorithm of our own operations; MPJ Express chooses one by itself
 * @param bytes size of one member's payload; in an all-to-all, of its payload for each other member
 */
public record CollectiveCase(Operation operation, Algorithm algorithm, int bytes) {

  /** Maximum number of bytes that one member moves in one block of repetitions. */
  private static final long BYTES_PER_BLOCK = 100_000_000;

  private static final int SMALL_BYTES = 2000;
  private static final int MAX_REPETITIONS = 1000;
  private static final int MIN_REPETITIONS = 16;

  /** Returns the number of repetitions in one block; small payloads are repeated more often. */
  int repetitions(int members) {
    long fitting = BYTES_PER_BLOCK / Math.max(1, (long) bytes * members);
    int max = Math.max(MIN_REPETITIONS, MAX_REPETITIONS * 4 / Math.max(4, members));
    return (int) Math.max(MIN_REPETITIONS, Math.min(max, fitting));
  }

  /** Returns a copy with a small payload, for the warm-up. */
  CollectiveCase small() {
    return new CollectiveCase(operation, algorithm, Math.min(bytes, SMALL_BYTES));
  }

  /** Returns the case as a line that {@link #parse} reads. */
  String line() {
    return String.join(" ", operation.name(), algorithm.name(), Integer.toString(bytes));
  }

  static CollectiveCase parse(String line) {
    String[] words = line.split(" ");
    return new CollectiveCase(
        Operation.valueOf(words[0]), Algorithm.valueOf(words[1]), Integer.parseInt(words[2]));
  }
}
