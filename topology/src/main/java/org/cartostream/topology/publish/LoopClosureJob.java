package org.cartostream.topology.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.run.Run;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Job at a run's end: closes the loops of its path, and draws its map anew. It takes seconds, or
 * minutes after a long drive, and robots wait for their poses meanwhile; so it runs on another
 * thread than the publisher's, which looks for the result when it is notified.
 *
 * <p>Owns the path until it has begun, and then its result.
 */
final class LoopClosureJob implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(LoopClosureJob.class);

  private final Run run;
  private final UnaryOperator<RecordedPath> closing;
  private final Runnable whenDone;

  /** Holds null when it has begun, or need not any more: scans are large. */
  private final AtomicReference<RecordedPath> recordedPath;

  /** Null until it is done. */
  private volatile Result result;

  /**
   * Result of closing loops.
   *
   * @param path with its loops closed; as it was if they could not be
   * @param map as seen from there; none if it could not be traced
   * @param loops that were closed
   * @param edges of them, to be shown
   * @param failure what could not be done and why, for people; empty if all could
   */
  public record Result(
      List<PathPose> path,
      Optional<RayTracedMap> map,
      LoopClosureReport loops,
      List<ClosedLoop> edges,
      String failure) {

    /** Returns what is sent of it before the map, in which both lie. */
    List<Message> pathAndLoops() {
      List<Message> messages = new ArrayList<>(TrajectoryMessage.partsOf(path));
      messages.add(new LoopsMessage(edges));
      return messages;
    }
  }

  /**
   * @param closing gives a path with its loops closed
   * @param whenDone is run, on the thread that does it, when there is a result; throws nothing
   */
  public LoopClosureJob(
      Run run, RecordedPath recordedPath, UnaryOperator<RecordedPath> closing, Runnable whenDone) {
    this.run = run;
    this.recordedPath = new AtomicReference<>(recordedPath);
    this.closing = closing;
    this.whenDone = whenDone;
  }

  /** Does it, unless it was cancelled before. */
  @Override
  public void run() {
    RecordedPath open = recordedPath.getAndSet(null);
    if (open != null) {
      result = closeLoops(open);
      whenDone.run();
    }
  }

  private Result closeLoops(RecordedPath open) {
    try {
      return traced(closing.apply(open), "");
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      LOG.error("{}: the loops of its path cannot be closed", run, e);
      return traced(open, "The loops of the path and the map are not closed: that failed: " + e);
    }
  }

  /** The path can be had without its map. */
  private Result traced(RecordedPath recordedPath, String failure) {
    try {
      return result(recordedPath, Optional.of(recordedPath.map()), failure);
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("{}: its last map cannot be traced", run, e);
      String why = failure.isEmpty() ? "The last map could not be traced: " + e : failure;
      return result(recordedPath, Optional.empty(), why);
    }
  }

  private static Result result(RecordedPath of, Optional<RayTracedMap> map, String failure) {
    return new Result(of.path(), map, of.loopsClosed(), of.loops(), failure);
  }

  /** Nobody wants the result any more; if it has not begun, it will not. */
  public void cancel() {
    recordedPath.set(null);
  }

  /** Returns what came of it; empty until it is done. */
  public Optional<Result> result() {
    return Optional.ofNullable(result);
  }
}
