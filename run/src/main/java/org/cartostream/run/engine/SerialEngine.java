package org.cartostream.run.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.TaskBalance;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;
import org.cartostream.slam.trajectory.tree.RecordedPath;

/**
 * Runs the filter alone, in one thread, without broker and Storm.
 *
 * <p>Readings pass through the broker's codec all the same, so that this engine sees to the last
 * bit what the tasks of a topology see.
 */
public final class SerialEngine implements Engine {

  private final RootSettings settings;
  private final String robot;
  private final RunCheckpoints checkpoints;

  /**
   * All that a run is at one moment.
   *
   * @param outcomes of its readings, in their order
   * @param digest of its readings, each with the digest of those before it
   */
  private record State(SerialFilter filter, ArrayList<Outcome> outcomes, byte[] digest) {

    State after(byte[] reading, Outcome outcome) {
      outcomes.add(outcome);
      return new State(filter, outcomes, chained(digest, reading));
    }
  }

  /** An engine that writes no checkpoints. */
  public SerialEngine(RootSettings settings, String robot) {
    this(settings, robot, RunCheckpoints.none());
  }

  public SerialEngine(RootSettings settings, String robot, RunCheckpoints checkpoints) {
    this.settings = settings;
    this.robot = robot;
    this.checkpoints = checkpoints;
  }

  @Override
  public Cost run(
      Iterator<LogEntry> log, RunMetrics runMetrics, Path folder, ShutdownRequest shutdownRequest)
      throws IOException {
    ReadingCodec codec = new ReadingCodec(settings.broker(), robot);
    State state = resume(log, codec, runMetrics);
    MapsOnTheWay maps = new MapsOnTheWay(runMetrics.observer(), System::nanoTime);
    long sequence = state.outcomes().size();
    try {
      while (log.hasNext() && !shutdownRequest.requested()) {
        if (log.next() instanceof LogEntry.Usable usable) {
          sequence++;
          byte[] message = codec.encode(sequence, usable.reading());
          Outcome outcome = process(state.filter(), sequence, codec.decode(message));
          state = state.after(message, outcome);
          runMetrics.record(usable.reading(), outcome);
          maps.after(state.filter(), usable.reading().stampNanos());
          if (checkpoints.isDue()) {
            checkpoints.save(sequence, state);
          }
        }
      }
    } catch (UncheckedIOException e) {
      // As the gateway does: what the readings before it gave is kept.
      runMetrics.fail("the log cannot be read any further: " + e.getCause().getMessage());
    }
    checkpoints.finish(sequence, state);
    SerialFilter filter = state.filter();
    LoopClosureReport loops = end(filter.trajectoryTree().bestPath(), folder, runMetrics);
    // In this order: the filter is still needed when its memory is measured.
    long liveHeapBytes = Cost.measureLiveHeap();
    return cost(filter.cost(), loops, liveHeapBytes);
  }

  /** The state of the latest checkpoint, with the log behind its last reading; or a new one. */
  private State resume(Iterator<LogEntry> log, ReadingCodec codec, RunMetrics runMetrics)
      throws IOException {
    State begun =
        new State(new SerialFilter(settings.slam(), robot), new ArrayList<>(), new byte[0]);
    long start = System.nanoTime();
    RunCheckpoints.Resumed<State> resumed = checkpoints.latest(State.class).orElse(null);
    if (resumed == null) {
      checkpoints.begin();
      return begun;
    }
    State state = resumed.state();
    runMetrics.resumed(
        new RunMetrics.Resumed(resumed.reading(), (System.nanoTime() - start) / 1e9));
    byte[] digest = begun.digest();
    long sequence = 0;
    while (sequence < resumed.reading() && log.hasNext()) {
      if (log.next() instanceof LogEntry.Usable usable) {
        runMetrics.record(usable.reading(), state.outcomes().get((int) sequence));
        sequence++;
        digest = chained(digest, codec.encode(sequence, usable.reading()));
      }
    }
    if (!MessageDigest.isEqual(digest, state.digest())) {
      throw new CheckpointException(
          "the run cannot go on from its checkpoint at reading "
              + resumed.reading()
              + ": this log's readings until there are others; without --resume it begins anew");
    }
    return state;
  }

  private static byte[] chained(byte[] before, byte[] reading) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(before);
      return digest.digest(reading);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }

  private static Outcome process(SerialFilter filter, long sequence, Reading reading) {
    long start = System.nanoTime();
    SerialFilter.Result result = filter.process(sequence, reading);
    if (result instanceof SerialFilter.Result.Processed processed) {
      return new Outcome.Processed(
          processed.local(),
          processed.correction(),
          processed.effectiveSampleSize(),
          processed.entropy(),
          processed.searched(),
          System.nanoTime() - start);
    }
    return Outcome.Refused.of(((SerialFilter.Result.Refused) result).why());
  }

  private static LoopClosureReport end(RecordedPath open, Path folder, RunMetrics runMetrics)
      throws IOException {
    RecordedPath recordedPath = closed(open, runMetrics);
    write(recordedPath, folder, runMetrics);
    return recordedPath.loopsClosed();
  }

  /** The trajectory first: a map may be too large to be drawn, or for the heap. */
  private static void write(RecordedPath recordedPath, Path folder, RunMetrics runMetrics)
      throws IOException {
    List<PathPose> path = recordedPath.path();
    if (path.isEmpty()) {
      return;
    }
    FileSink files = new FileSink(folder);
    files.end(path);
    OccupancyGrid map;
    try {
      map = recordedPath.map().grid();
    } catch (IllegalStateException tooLarge) {
      runMetrics.fail(tooLarge.getMessage());
      return;
    }
    files.end(map, path);
    runMetrics.observer().result(map, path);
  }

  /** As the service does: a path that is not closed is better than none. */
  private static RecordedPath closed(RecordedPath recordedPath, RunMetrics runMetrics) {
    try {
      return recordedPath.withLoopsClosed();
    } catch (RuntimeException | OutOfMemoryError e) {
      runMetrics.fail("the loops of path and map are not closed: that failed: " + e);
      return recordedPath;
    }
  }

  private static Cost cost(SerialFilter.Cost cost, LoopClosureReport loops, long liveHeapBytes) {
    Map<String, Long> stages = new LinkedHashMap<>();
    stages.put("match", cost.matchNanos());
    stages.put("resample", cost.resampleNanos());
    stages.put("register", cost.registerNanos());
    return new Cost(
        stages,
        cost.resamplings(),
        0,
        cost.evaluations(),
        cost.odometry(),
        1,
        TaskBalance.NONE,
        loops,
        liveHeapBytes,
        null,
        null,
        null);
  }
}
