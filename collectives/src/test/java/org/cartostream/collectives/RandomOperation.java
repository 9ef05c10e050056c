package org.cartostream.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;

/**
 * One operation with payloads for every member: how to call it, and what it means, worked out from
 * all payloads at once.
 *
 * @param payloads by rank, from whom
 * @param parcels by rank, from whom, and by rank, to whom
 */
public record RandomOperation(
    Operation operation, Algorithm algorithm, int root, byte[][] payloads, byte[][][] parcels) {

  /** Every operation by every algorithm, once. */
  public static List<Object[]> kinds() {
    List<Object[]> kinds = new ArrayList<>();
    for (Operation operation : Operation.values()) {
      kinds.add(new Object[] {operation, Algorithm.AUTO});
      operation.algorithms().forEach(each -> kinds.add(new Object[] {operation, each}));
    }
    return kinds;
  }

  /**
   * Random payloads.
   *
   * @param maxBytes of one payload
   */
  static RandomOperation random(Object[] kind, int size, int maxBytes, long seed) {
    return random((Operation) kind[0], (Algorithm) kind[1], size, maxBytes, seed);
  }

  static RandomOperation random(
      Operation operation, Algorithm algorithm, int size, int maxBytes, long seed) {
    Random random = new Random(seed);
    byte[][] payloads = bytes(size, maxBytes, random);
    byte[][][] parcels = new byte[size][][];
    Arrays.setAll(parcels, from -> bytes(size, maxBytes, random));
    int root = random.nextInt(size);
    return new RandomOperation(operation, algorithm, root, payloads, parcels);
  }

  /** Lengths from 0 on, short ones as likely as long ones. */
  private static byte[][] bytes(int size, int maxBytes, Random random) {
    byte[][] payloads = new byte[size][];
    for (int i = 0; i < size; i++) {
      int bits = random.nextInt(BigInteger.valueOf(maxBytes).bitLength() + 1);
      payloads[i] = new byte[Math.min(maxBytes, (1 << bits) - 1)];
      random.nextBytes(payloads[i]);
    }
    return payloads;
  }

  int size() {
    return payloads.length;
  }

  /** Whether no member's call can end before all have called. */
  boolean needsAll() {
    return operation != Operation.BROADCAST;
  }

  /** Calls it at one member. */
  public CollectiveFuture<?> call(Communicator communicator, OperationKey key) {
    int rank = communicator.rank();
    Communicator member = communicator.withAlgorithm(algorithm);
    return switch (operation) {
      case BARRIER -> member.barrier(key);
      case BROADCAST -> member.broadcast(key, root, rank == root ? payloads[root] : null);
      case ALL_GATHER -> member.allGather(key, payloads[rank]);
      case ALL_TO_ALL -> member.allToAll(key, parcels[rank]);
    };
  }

  /** What it must bring a member. */
  public Object expected(int rank) {
    return switch (operation) {
      case BARRIER -> null;
      case BROADCAST -> payloads[root];
      case ALL_GATHER -> payloads;
      case ALL_TO_ALL ->
          IntStream.range(0, size()).mapToObj(from -> parcels[from][rank]).toArray(byte[][]::new);
    };
  }

  /** All members' calls end well, with what they mean. */
  public void assertWhole(List<CollectiveFuture<?>> calls) {
    for (int rank = 0; rank < calls.size(); rank++) {
      assertThat(Group.result(calls.get(rank)))
          .as("%s, rank %d", this, rank)
          .isEqualTo(expected(rank));
    }
  }

  @Override
  public String toString() {
    return "%s by %s, %d members, root %d".formatted(operation, algorithm, size(), root);
  }
}
