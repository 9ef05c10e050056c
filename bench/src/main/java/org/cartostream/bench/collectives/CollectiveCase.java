package org.cartostream.bench.collectives;

import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CompletionMode;
import org.cartostream.collectives.operation.Operation;

/**
 * One case of the benchmark of collectives: an operation, its algorithm, its mode of completion,
 * and the size of its payload.
 *
 * @param operation an operation that MPJ Express has, too
 * @param algorithm algorithm of our own operations; MPJ Express chooses one by itself
 * @param ending mode of completion of our own operations; calls of MPJ Express always complete as
 *     {@code ALONE}
 * @param bytes size of one member's payload; in an all-to-all, of its payload for each other member
 */
public record CollectiveCase(
    Operation operation, Algorithm algorithm, CompletionMode ending, int bytes) {

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
    return new CollectiveCase(operation, algorithm, ending, Math.min(bytes, SMALL_BYTES));
  }

  /** Returns the case as a line that {@link #parse} reads. */
  String line() {
    return String.join(
        " ", operation.name(), algorithm.name(), ending.name(), Integer.toString(bytes));
  }

  static CollectiveCase parse(String line) {
    String[] words = line.split(" ");
    return new CollectiveCase(
        Operation.valueOf(words[0]),
        Algorithm.valueOf(words[1]),
        CompletionMode.valueOf(words[2]),
        Integer.parseInt(words[3]));
  }
}
