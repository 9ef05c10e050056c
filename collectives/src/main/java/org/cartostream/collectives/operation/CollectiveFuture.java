package org.cartostream.collectives.operation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The result of a call: a future, to which callbacks can be attached ({@link #whenComplete}) and
 * for which a thread can wait ({@link #await}). It always ends, at the latest after {@link
 * CollectiveSettings#timeoutMillis}, even if a large payload is still coming. Cancelling the future
 * does not take the member out of the round.
 *
 * @param <T> type of the result that this member gets
 */
public final class CollectiveFuture<T> extends CompletableFuture<T> {

  public CollectiveFuture() {}

  /**
   * Waits until the call ends. Callbacks of other calls must not wait: the thread that runs them
   * may be the one that would end this call.
   *
   * @return the call's result
   * @throws CollectiveException if the call failed
   */
  public T await() throws InterruptedException {
    try {
      return get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CollectiveException why) {
        throw why;
      }
      throw new IllegalStateException("the call failed in a way that it should not", e.getCause());
    }
  }
}
