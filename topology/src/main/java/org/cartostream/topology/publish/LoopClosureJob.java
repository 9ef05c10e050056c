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
 * Job at a run's end that closes the loops of its path, and draws its map anew. The job takes
 * seconds, or minutes after a long drive, while other robots wait for their poses; so it runs in
 * another thread than the publisher's, which takes the result when it is notified.
 *
 * <p>Owns the path until the job has begun, and then the result.
 */
final class LoopClosureJob implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(LoopClosureJob.class);

  private final Run run;
  private final UnaryOperator<RecordedPath> closing;
  private final Runnable whenDone;

  /**
   * Path whose loops are to be closed. The reference is cleared when the job begins or is
   * cancelled, since scans are large.
   */
  private final AtomicReference<RecordedPath> recordedPath;

  /** Null until the job is done. */
  private volatile Result result;

  /**
   * Result of closing loops.
   *
   * @param path path with its loops closed; unchanged if they could not be closed
   * @param map map drawn from the path; empty if it could not be drawn
   * @param loops report on the closed loops
   * @param edges closed loops as edges, for display
   * @param failure what failed and why, for people; empty if nothing failed
   */
  public record Result(
      List<PathPose> path,
      Optional<RayTracedMap> map,
      LoopClosureReport loops,
      List<ClosedLoop> edges,
      String failure) {

    /** Returns the messages with the path and the loops, which are sent before the map. */
    List<Message> pathAndLoops() {
      List<Message> messages = new ArrayList<>(TrajectoryMessage.partsOf(path));
      messages.add(new LoopsMessage(edges));
      return messages;
    }
  }

  /**
   * @param closing returns a path with its loops closed
   * @param whenDone runs in the job's thread when there is a result; must not throw
   */
  public LoopClosureJob(
      Run run, RecordedPath recordedPath, UnaryOperator<RecordedPath> closing, Runnable whenDone) {
    this.run = run;
    this.recordedPath = new AtomicReference<>(recordedPath);
    this.closing = closing;
    this.whenDone = whenDone;
  }

  /** Does the job, unless it was cancelled before. */
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

  /** Returns the result with the path's map, or without a map if that cannot be drawn. */
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

  /** Cancels the job if it has not begun; otherwise its result is not used. */
  public void cancel() {
    recordedPath.set(null);
  }

  /** Returns the result; empty until the job is done. */
  public Optional<Result> result() {
    return Optional.ofNullable(result);
  }
}
