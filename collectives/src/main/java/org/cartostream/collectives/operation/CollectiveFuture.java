package org.cartostream.collectives.operation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * The result of a call: a future, to which callbacks can be attached ({@link #whenComplete}), or on
 * which one can wait ({@link #await}). It always ends, at the latest after the time in {@link
 * CollectiveSettings#timeoutMillis}, even if a large payload is still coming; cancelling it does
 * not take the member out of the round.
 *
 * @param <T> what the call gives this member
 */
public final class CollectiveFuture<T> extends CompletableFuture<T> {

  public CollectiveFuture() {}

  /**
   * Waits for the end. Not to be called by a callback of another call, whose thread may be the one
   * that would bring this one's end.
   *
   * @return what {@link #join} would
   * @throws CollectiveException if the call did not end well
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
