package org.cartostream.topology.broadcast;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The way of broadcast messages into the queue of one matcher task of this worker. Messages that
 * come before the task has started wait here.
 *
 * <p>Owns the number of messages that the task has not begun to handle. It is bounded, as a task of
 * Storm that has filled its own queue stops reading it: further messages are dropped, which the
 * task learns as if they had been lost on the way. Thread-safe.
 */
public final class MatcherInbox {

  /** Maximum number of waiting messages: a quarter of Storm's default for a task's queue. */
  static final int MAX_WAITING = 8192;

  /** Number of waiting messages from which senders should pause. */
  static final int PAUSE_WAITING = 2048;

  private final List<List<Object>> early = new ArrayList<>();
  private Consumer<List<Object>> queue;
  private int waiting;
  private String missed;

  /**
   * Begins to put messages into the task's queue.
   *
   * @param taskQueue puts the values of a tuple there; may be called in any thread
   */
  public synchronized void open(Consumer<List<Object>> taskQueue) {
    queue = taskQueue;
    early.forEach(queue);
    early.clear();
  }

  synchronized void put(List<Object> values) {
    if (waiting >= MAX_WAITING) {
      missed("it has " + waiting + " messages to handle already");
      return;
    }
    if (queue == null) {
      early.add(values);
    } else {
      queue.accept(values);
    }
    waiting++;
  }

  synchronized void missed(String sentence) {
    missed = sentence;
  }

  /** Notes that the task begins to handle a message. */
  public synchronized void taken() {
    waiting--;
  }

  /** Returns, once, why messages to the task were lost since the previous call. */
  public synchronized Optional<String> missed() {
    Optional<String> why = Optional.ofNullable(missed);
    missed = null;
    return why;
  }

  synchronized boolean hasRoom() {
    return waiting < PAUSE_WAITING;
  }
}
