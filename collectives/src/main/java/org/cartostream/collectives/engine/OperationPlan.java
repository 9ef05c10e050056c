package org.cartostream.collectives.engine;

import java.util.function.Function;
import org.cartostream.collectives.algorithm.AlgorithmPhase;
import org.cartostream.collectives.operation.CollectiveException;
import org.cartostream.collectives.operation.CollectiveFuture;
import org.cartostream.collectives.operation.Operation;

/**
 * One operation at a member, from its call to its end.
 *
 * @param operation kind of the operation
 * @param root rank of its root; 0 for an operation without root
 * @param phase its message pattern, which has not begun
 * @param finish makes the call's result from that of the phase
 * @param call future of the call, which ends with the operation
 */
public record OperationPlan<T>(
    Operation operation,
    int root,
    AlgorithmPhase phase,
    Function<byte[][], T> finish,
    CollectiveFuture<T> call) {

  void end() {
    call.complete(finish.apply(phase.result()));
  }

  void fail(CollectiveException why) {
    call.completeExceptionally(why);
  }
}
