package org.cartostream.topology.publish;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.cartostream.slam.trajectory.tree.RecordedPath;

/**
 * The threads for a publisher's long work, which in its own thread would hold up all robots.
 *
 * @param closings closes the loops of runs that have ended, one after another: it takes seconds
 * @param searches looks for loops on the way, for which robots wait
 * @param redraws draws maps anew, one after another
 * @param loads reads what is in checkpoints, of one run after another
 * @param closer gives a path with its loops closed
 * @param stop ends the threads
 */
public record PublisherExecutors(
    Executor closings,
    Executor searches,
    Executor redraws,
    Executor loads,
    UnaryOperator<RecordedPath> closer,
    Runnable stop) {

  /** A robot with a long path does not hold up all others then. */
  private static final int SEARCH_THREADS = 2;

  /** Threads of its own for each. */
  static PublisherExecutors threads() {
    ExecutorService closings = threads(1, "publisher-loop-closures");
    ExecutorService searches = threads(SEARCH_THREADS, "publisher-loop-searches");
    ExecutorService redraws = threads(1, "publisher-maps");
    ExecutorService loads = threads(1, "publisher-checkpoints");
    return new PublisherExecutors(
        closings,
        searches,
        redraws,
        loads,
        RecordedPath::withLoopsClosed,
        () -> List.of(closings, searches, redraws, loads).forEach(ExecutorService::shutdownNow));
  }

  private static ExecutorService threads(int count, String name) {
    return Executors.newFixedThreadPool(count, new DefaultThreadFactory(name, true));
  }
}
