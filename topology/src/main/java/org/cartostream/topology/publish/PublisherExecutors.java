package org.cartostream.topology.publish;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.cartostream.slam.trajectory.tree.RecordedPath;

/**
 * The threads for a publisher's long work, which in the publisher's own thread would hold up all
 * robots.
 *
 * @param closings executor of loop closures at runs' ends, one after another, which take seconds
 * @param searches executor of searches for loops during runs, for which robots wait
 * @param redraws executor for drawing maps anew, one after another
 * @param loads executor for reading states from checkpoints, one run after another
 * @param closer returns a path with its loops closed
 * @param stop stops the threads
 */
public record PublisherExecutors(
    Executor closings,
    Executor searches,
    Executor redraws,
    Executor loads,
    UnaryOperator<RecordedPath> closer,
    Runnable stop) {

  /**
   * Number of threads that search for loops, so that a robot with a long path does not hold up all
   * others.
   */
  private static final int SEARCH_THREADS = 2;

  /** Returns executors with threads of their own. */
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
