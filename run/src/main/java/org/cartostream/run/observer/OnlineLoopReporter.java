package org.cartostream.run.observer;

import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.web.observer.RunObserver;

/**
 * Reporter of the serial engine's closed loops to an observer, at each correction, as a service
 * does. Owns the number of the latest reported correction.
 */
public final class OnlineLoopReporter {

  private final RunObserver observer;
  private int told;

  public OnlineLoopReporter(RunObserver observer) {
    this.observer = observer;
  }

  /**
   * Reports the loops if the filter's latest reading has brought a correction.
   *
   * @param stampNanos stamp of the reading, nanoseconds
   */
  public void after(TrajectoryTree tree, long stampNanos) {
    int correction = tree.correction().number();
    if (correction != told) {
      told = correction;
      observer.loops(tree.loops(), stampNanos);
    }
  }
}
