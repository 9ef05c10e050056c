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
 * @param operation that was called
 * @param root rank of the member that it is about; 0 where there is none
 * @param phases one after the other; each begins with the result of the one before, the first with
 *     null
 * @param finish makes the call's result of the last phase's
 * @param call that it ends
 */
public record OperationPlan<T>(
    Operation operation,
    int root,
    List<Function<byte[][], AlgorithmPhase>> phases,
    Function<byte[][], T> finish,
    CollectiveFuture<T> call) {

  private static final byte[] NOTHING = {};

  /**
   * Phases that end with a barrier, if all are to end together. The barrier brings what the phase
   * before it brought.
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
