package org.cartostream.collectives.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.cartostream.collectives.algorithm.AlgorithmPhase;
import org.cartostream.collectives.algorithm.BruckAllGather;
import org.cartostream.collectives.algorithm.CompletedPhase;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.CompletionMode;
import org.cartostream.collectives.operation.Operation;

/**
 * The steps of one operation at a member, from its call to its end.
 *
 * @param operation kind of the operation
 * @param root rank of its root; 0 for an operation without root
 * @param phases factories of its phases, in order; each gets the result of the phase before, the
 *     first one null
 * @param finish makes the call's result from the result of the last phase
 * @param call future of the call, which ends with the operation
 */
public record OperationPlan<T>(
    Operation operation,
    int root,
    List<Function<byte[][], AlgorithmPhase>> phases,
    Function<byte[][], T> finish,
    CollectiveFuture<T> call) {

  private static final byte[] NOTHING = {};

  /**
   * Returns the phases, followed by a barrier if all members are to end together. The result of the
   * last phase before the barrier stays the operation's result.
   */
  public static List<Function<byte[][], AlgorithmPhase>> phases(
      List<Function<byte[][], AlgorithmPhase>> phases,
      CompletionMode completionMode,
      int rank,
      int size) {
    if (completionMode == CompletionMode.ALONE || size == 1) {
      return phases;
    }
    List<Function<byte[][], AlgorithmPhase>> all = new ArrayList<>(phases);
    byte[][][] kept = new byte[1][][];
    all.add(
        result -> {
          kept[0] = result;
          return new BruckAllGather(rank, size, NOTHING);
        });
    all.add(nothing -> new CompletedPhase(kept[0]));
    return all;
  }

  void end(byte[][] result) {
    call.complete(finish.apply(result));
  }

  void fail(CollectiveException why) {
    call.completeExceptionally(why);
  }
}
