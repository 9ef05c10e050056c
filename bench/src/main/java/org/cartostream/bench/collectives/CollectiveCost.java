package org.cartostream.bench.collectives;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cost of one case, measured over all launches.
 *
 * @param implementation implementation of the operations
 * @param members number of members of the group
 * @param collectiveCase the case
 * @param aloneMicros time of an operation alone, until its slowest member's call returns,
 *     microseconds; median over all operations
 * @param aloneP90Micros 90th percentile of the time of an operation alone, microseconds
 * @param rowMicros time of an operation of many in a row, microseconds; median over the blocks of
 *     all launches
 * @param minRowMicros time of an operation in a row, in the fastest block, microseconds
 * @param maxRowMicros time of an operation in a row, in the slowest block, microseconds
 * @param rowCpuMicros computing time of all members for an operation in a row, microseconds; mean
 *     over the blocks, as the system counts it in steps of 10 ms
 */
public record CollectiveCost(
    Implementation implementation,
    int members,
    CollectiveCase collectiveCase,
    double aloneMicros,
    double aloneP90Micros,
    double rowMicros,
    double minRowMicros,
    double maxRowMicros,
    double rowCpuMicros) {

  private static final double NANOS_PER_MICRO = 1000;

  /**
   * Returns the payload that all members together receive per second in a row of operations,
   * millions of bytes.
   */
  public double megabytesPerSecond() {
    long others = members - 1L;
    long received =
        switch (collectiveCase.operation()) {
          case BARRIER -> 0;
          case BROADCAST -> others * collectiveCase.bytes();
          case ALL_GATHER, ALL_TO_ALL -> members * others * collectiveCase.bytes();
        };
    return received / rowMicros;
  }

  /** Times of the cases of one group, from one launch or more. */
  public static final class Times {

    private final Implementation implementation;
    private final int members;
    private final Map<CollectiveCase, List<Double>> alone = new LinkedHashMap<>();
    private final Map<CollectiveCase, List<Double>> row = new LinkedHashMap<>();
    private final Map<CollectiveCase, List<Double>> cpu = new LinkedHashMap<>();

    public Times(Implementation implementation, int members) {
      this.implementation = implementation;
      this.members = members;
    }

    /**
     * Takes the times of one launch.
     *
     * @param lines lines of each member, by rank, as {@link GroupLauncher#run} returns them
     */
    public void add(List<List<String>> lines) {
      for (int line = 0; line < lines.get(0).size(); line++) {
        int number = line;
        List<Block> blocks = lines.stream().map(each -> Block.parse(each.get(number))).toList();
        CollectiveCase collectiveCase = blocks.get(0).collectiveCase;
        row.computeIfAbsent(collectiveCase, each -> new ArrayList<>()).add(blocks.get(0).nanos[0]);
        double all = blocks.stream().mapToDouble(block -> block.nanos[1]).sum();
        cpu.computeIfAbsent(collectiveCase, each -> new ArrayList<>())
            .add(implementation.inJvms() ? all : blocks.get(0).nanos[1]);
        for (int i = 2; i < blocks.get(0).nanos.length; i++) {
          int call = i;
          double longest = blocks.stream().mapToDouble(block -> block.nanos[call]).max().orElse(0);
          alone.computeIfAbsent(collectiveCase, each -> new ArrayList<>()).add(longest);
        }
      }
    }

    /** Returns the costs, in the order of the cases. */
    public List<CollectiveCost> figures() {
      return alone.keySet().stream().map(this::figures).toList();
    }

    private CollectiveCost figures(CollectiveCase collectiveCase) {
      List<Double> calls = alone.get(collectiveCase).stream().sorted().toList();
      List<Double> blocks = row.get(collectiveCase).stream().sorted().toList();
      return new CollectiveCost(
          implementation,
          members,
          collectiveCase,
          quantile(calls, 0.5),
          quantile(calls, 0.9),
          quantile(blocks, 0.5),
          quantile(blocks, 0),
          quantile(blocks, 1),
          cpu.get(collectiveCase).stream()
              .mapToDouble(each -> each / NANOS_PER_MICRO)
              .average()
              .orElse(0));
    }

    private static double quantile(List<Double> sorted, double share) {
      return sorted.get((int) Math.min(sorted.size() - 1, share * sorted.size())) / NANOS_PER_MICRO;
    }
  }

  /**
   * Block of a member's times, nanoseconds: of an operation in a row first, then its computing
   * time, then of each call alone.
   */
  private record Block(CollectiveCase collectiveCase, double[] nanos) {

    private static final int CASE_WORDS = 3;

    static Block parse(String line) {
      String[] words = line.split(" ");
      String head = String.join(" ", Arrays.copyOf(words, CASE_WORDS));
      double[] nanos =
          Arrays.stream(words, CASE_WORDS, words.length).mapToDouble(Double::parseDouble).toArray();
      return new Block(CollectiveCase.parse(head), nanos);
    }
  }
}
