package org.cartostream.topology;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.cartostream.slam.filter.Course;
import org.cartostream.slam.filter.LoopsClosed;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.map.TracedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of one run's path: its loops are closed, and its map is traced anew. It takes seconds, or
 * minutes after a long drive, and robots wait for their poses meanwhile; so it is done on another
 * thread than the publisher's, which looks for the result when it is told that there is one.
 *
 * <p>Owns the course until it has begun, and then what came of it.
 */
final class Closing implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  private final Run run;
  private final UnaryOperator<Course> closing;
  private final Runnable whenDone;

  /** Holds null when it has begun, or need not any more: scans are large. */
  private final AtomicReference<Course> course;

  /** Null until it is done. */
  private volatile Result result;

  /**
   * What came of it.
   *
   * @param path with its loops closed; as it was if they could not be
   * @param map as seen from there; none if it could not be traced
   * @param loops that were closed
   * @param failure what could not be done and why, for people; empty if all could
   */
  record Result(List<PathPose> path, Optional<TracedMap> map, LoopsClosed loops, String failure) {}

  /**
   * @param closing gives a course with its loops closed
   * @param whenDone is run, on the thread that does it, when there is a result
   */
  Closing(Run run, Course course, UnaryOperator<Course> closing, Runnable whenDone) {
    this.run = run;
    this.course = new AtomicReference<>(course);
    this.closing = closing;
    this.whenDone = whenDone;
  }

  /** Does it, unless it was cancelled before. */
  @Override
  public void run() {
    Course open = course.getAndSet(null);
    if (open != null) {
      result = closed(open);
      sayThatItIsDone();
    }
  }

  /** An error that got through would end the worker; the robot asks again, and the result shows. */
  private void sayThatItIsDone() {
    try {
      whenDone.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("{}: nobody was told that its loops are closed", run, e);
    }
  }

  private Result closed(Course open) {
    try {
      return traced(closing.apply(open), "");
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      LOG.error("{}: the loops of its path cannot be closed", run, e);
      return traced(open, "The loops of the path and the map are not closed: that failed: " + e);
    }
  }

  /** The path can be had without its map. */
  private Result traced(Course course, String failure) {
    try {
      return new Result(course.path(), Optional.of(course.map()), course.loopsClosed(), failure);
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("{}: its last map cannot be traced", run, e);
      String why = failure.isEmpty() ? "The last map could not be traced: " + e : failure;
      return new Result(course.path(), Optional.empty(), course.loopsClosed(), why);
    }
  }

  /** Nobody wants the result any more; if it has not begun, it will not. */
  void cancel() {
    course.set(null);
  }

  /** What came of it; empty until it is done. */
  Optional<Result> result() {
    return Optional.ofNullable(result);
  }
}
