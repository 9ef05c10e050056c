package org.cartostream.collectives;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CompletionMode;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;
import org.cartostream.collectives.operation.Reduction;

/**
 * One operation with payloads for every member: how to call it, and what it means, worked out from
 * all payloads at once.
 *
 * @param payloads by rank, from whom
 * @param parcels by rank, from whom, and by rank, to whom
 * @param numbers by rank, from whom; equally many
 */
public record RandomOperation(
    Operation operation,
    Algorithm algorithm,
    CompletionMode ending,
    int root,
    byte[][] payloads,
    byte[][][] parcels,
    double[][] numbers) {

  private static final byte[] NOTHING = {};
  private static final long MASK = (1 << 26) - 1;

  /** Less than it are what a map x -> a x + b multiplies by and adds: prime. */
  private static final long MODULUS = 67_108_859;

  /** One map after another, each as the number a 2^26 + b: associative, and not commutative. */
  static final Reduction COMPOSITION =
      Reduction.ofDoubles((left, right) -> composed((long) left, (long) right));

  static final Reduction SUM = Reduction.ofDoubles(Double::sum);

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
  static RandomOperation random(
      Operation operation, Algorithm algorithm, int size, int maxBytes, long seed) {
    Random random = new Random(seed);
    byte[][] payloads = bytes(size, maxBytes, random);
    byte[][][] parcels = new byte[size][][];
    Arrays.setAll(parcels, from -> bytes(size, maxBytes, random));
    int count = random.nextInt(maxBytes / Double.BYTES + 1);
    int root = random.nextInt(size);
    CompletionMode completionMode =
        random.nextBoolean() ? CompletionMode.TOGETHER : CompletionMode.ALONE;
    return new RandomOperation(
        operation,
        algorithm,
        completionMode,
        root,
        payloads,
        parcels,
        numbers(size, count, root, random));
  }

  /** So many of each member, of which the order matters in what they are reduced by. */
  public static double[][] numbers(int size, int count, int root, Random random) {
    double[][] numbers = new double[size][];
    Arrays.setAll(
        numbers,
        from ->
            isSum(root)
                ? random.doubles(count).map(x -> x * Math.scalb(1.0, -from)).toArray()
                : random.doubles(count).map(x -> Math.floor(x * (MODULUS << 26))).toArray());
    return numbers;
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

  private static double composed(long left, long right) {
    long times = right >> 26;
    long factor = (left >> 26) * times % MODULUS;
    return (factor << 26) + ((left & MASK) * times + (right & MASK)) % MODULUS;
  }

  /** Numbers are added up in some operations, and composed as maps in others. */
  private static boolean isSum(int root) {
    return root % 2 == 0;
  }

  /** Calls it at one member. */
  public CollectiveFuture<?> call(Communicator communicator, OperationKey key) {
    int rank = communicator.rank();
    Communicator member = communicator.withAlgorithm(algorithm).withCompletion(ending);
    byte[] terms = Reduction.payload(numbers[rank]);
    Reduction reduction = isSum(root) ? SUM : COMPOSITION;
    return switch (operation) {
      case BARRIER -> member.barrier(key);
      case BROADCAST -> member.broadcast(key, root, rank == root ? payloads[root] : null);
      case SCATTER -> member.scatter(key, root, rank == root ? parcels[root] : null);
      case GATHER -> member.gather(key, root, payloads[rank]);
      case ALL_GATHER -> member.allGather(key, payloads[rank]);
      case REDUCE -> member.reduce(key, root, terms, reduction);
      case ALL_REDUCE -> member.allReduce(key, terms, reduction);
      case ALL_TO_ALL -> member.allToAll(key, parcels[rank]);
    };
  }

  /** What it must bring a member. */
  public Object expected(int rank) {
    boolean isRoot = rank == root;
    return switch (operation) {
      case BARRIER -> null;
      case BROADCAST -> payloads[root];
      case SCATTER -> parcels[root][rank];
      case GATHER -> isRoot ? payloads : new byte[0][];
      case ALL_GATHER -> payloads;
      case REDUCE -> isRoot ? reduced() : NOTHING;
      case ALL_REDUCE -> reduced();
      case ALL_TO_ALL ->
          IntStream.range(0, size()).mapToObj(from -> parcels[from][rank]).toArray(byte[][]::new);
    };
  }

  /** In rank order, to the last bit. */
  private byte[] reduced() {
    double[] sums = numbers[0].clone();
    for (int from = 1; from < size(); from++) {
      for (int i = 0; i < sums.length; i++) {
        double next = numbers[from][i];
        sums[i] = isSum(root) ? sums[i] + next : composed((long) sums[i], (long) next);
      }
    }
    return Reduction.payload(sums);
  }

  @Override
  public String toString() {
    return "%s by %s, %s, %d members, root %d"
        .formatted(operation, algorithm, ending, size(), root);
  }
}
