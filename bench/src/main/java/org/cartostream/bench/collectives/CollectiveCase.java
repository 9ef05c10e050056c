package org.cartostream.bench.collectives;

import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CompletionMode;
import org.cartostream.collectives.operation.Operation;

/**
 * A case to measure: an operation by an algorithm, with a payload and a way to end.
 *
 * @param operation one of those that MPJ Express has too
 * @param algorithm ours; MPJ Express has its own
 * @param ending ours; calls of MPJ Express end alone
 * @param bytes of one member's payload; of what it has for each other one in an all-to-all
 */
public record CollectiveCase(
    Operation operation, Algorithm algorithm, CompletionMode ending, int bytes) {

  /** Bytes that one member and operation may move, over all repetitions of a block. */
  private static final long BYTES_PER_BLOCK = 100_000_000;

  private static final int SMALL_BYTES = 2000;
  private static final int MAX_REPETITIONS = 1000;
  private static final int MIN_REPETITIONS = 16;

  /** Number of repetitions in one block: the more, the smaller the payload. */
  int repetitions(int members) {
    long fitting = BYTES_PER_BLOCK / Math.max(1, (long) bytes * members);
    int max = Math.max(MIN_REPETITIONS, MAX_REPETITIONS * 4 / Math.max(4, members));
    return (int) Math.max(MIN_REPETITIONS, Math.min(max, fitting));
  }

  /** Returns a copy with little payload, to get all code compiled. */
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
