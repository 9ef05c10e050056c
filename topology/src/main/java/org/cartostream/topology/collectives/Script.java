package org.cartostream.topology.collectives;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a member does in an operation, from its call to its end.
 *
 * @param operation that was called
 * @param root rank of the member that it is about; 0 where there is none
 * @param phases one after the other; each begins with what the one before brought, the first with
 *     null
 * @param finish makes of what the last phase brought what the caller wants
 * @param call that it ends
 */
record Script<T>(
    Operation operation,
    int root,
    List<Function<byte[][], Procedure>> phases,
    Function<byte[][], T> finish,
    Call<T> call) {

  private static final byte[] NOTHING = {};

  /**
   * Phases that end with a barrier, if all are to end together. The barrier brings what the phase
   * before it brought.
   */
  static List<Function<byte[][], Procedure>> phases(
      List<Function<byte[][], Procedure>> phases, Ending ending, int rank, int size) {
    if (ending == Ending.ALONE || size == 1) {
      return phases;
    }
    List<Function<byte[][], Procedure>> all = new ArrayList<>(phases);
    byte[][][] kept = new byte[1][][];
    all.add(
        result -> {
          kept[0] = result;
          return new Doubling(rank, size, NOTHING);
        });
    all.add(nothing -> new Given(kept[0]));
    return all;
  }

  void end(byte[][] result) {
    call.complete(finish.apply(result));
  }
}
