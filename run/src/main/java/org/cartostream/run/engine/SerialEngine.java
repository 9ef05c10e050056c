package org.cartostream.run.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.broker.message.Outcome;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.observer.OnlineLoopReporter;
import org.cartostream.run.observer.OnlineMaps;
import org.cartostream.run.observer.OnlineParticleReporter;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;

/**
 * Engine that runs the filter alone, in one thread, without broker and Storm.
 *
 * <p>Readings are encoded and decoded by the broker's codec all the same, so that they are equal to
 * the last bit to those of a topology's tasks.
 */
public final class SerialEngine implements Engine {

  private final RootSettings settings;
  private final String robot;
  private final RunCheckpoints checkpoints;
  private final Optional<PriorMap> earlier;

  /**
   * The whole state of a run at one moment.
   *
   * @param outcomes outcomes of the log's readings, in the log's order
   * @param log identification of the readings taken from the log so far
   */
  record State(SerialFilter filter, ArrayList<Outcome> outcomes, LogFingerprint log) {

    State after(byte[] message, Reading reading, Outcome outcome) {
      outcomes.add(outcome);
      return new State(filter, outcomes, log.and(message, reading));
    }

    /** Returns the number of the latest reading, counted over all logs of the run. */
    long sequence() {
      return log.before() + outcomes.size();
    }

    /** Returns the state before the first reading of a following log. */
    State withNextLog() {
      return new State(filter, new ArrayList<>(), LogFingerprint.begun(sequence()));
    }
  }

  /** State with which the run begins, and the readings of the log that it has not processed yet. */
  private record Beginning(State state, Iterator<LogEntry> log) {}

  /**
   * @param earlier the earlier map that the run continues; empty if it begins with an empty map
   */
  public SerialEngine(
      RootSettings settings, String robot, RunCheckpoints checkpoints, Optional<PriorMap> earlier) {
    this.settings = settings;
    this.robot = robot;
    this.checkpoints = checkpoints;
    this.earlier = earlier;
  }

  @Override
  public Cost run(
      Iterator<LogEntry> whole, RunMetrics runMetrics, Path folder, ShutdownRequest shutdownRequest)
      throws IOException {
    ReadingCodec codec = new ReadingCodec(settings.broker(), robot);
    Beginning beginning = begin(whole, codec, runMetrics);
    runMetrics.logIsKnown();
    Iterator<LogEntry> log = beginning.log();
    State state = beginning.state();
    OnlineMaps maps = new OnlineMaps(runMetrics.observer(), System::nanoTime);
    OnlineParticleReporter particles =
        new OnlineParticleReporter(runMetrics.observer(), settings.topology());
    OnlineLoopReporter onlineLoops = new OnlineLoopReporter(runMetrics.observer());
    long sequence = state.sequence();
    try {
      while (log.hasNext() && !shutdownRequest.requested()) {
        if (log.next() instanceof LogEntry.Usable usable) {
          sequence++;
          byte[] message = codec.encode(sequence, usable.reading());
          Reading reading = codec.decode(message);
          if (usable.carriedTo() != null) {
            state.filter().relocate(usable.carriedTo(), settings.slam());
          }
          Outcome outcome = process(state.filter(), sequence, reading);
          state = state.after(message, reading, outcome);
          runMetrics.record(usable.reading(), outcome);
          maps.after(state.filter(), usable.reading().stampNanos());
          TrajectoryTree tree = state.filter().trajectoryTree();
          long stampNanos = usable.reading().stampNanos();
          particles.after(tree.latestKeyFrame(), tree::drawn, tree::particle, stampNanos);
          onlineLoops.after(tree, stampNanos);
          if (checkpoints.isDue()) {
            checkpoints.save(sequence, state);
          }
        }
      }
    } catch (UncheckedIOException e) {
      // As in the gateway, the results of the earlier readings are kept.
      runMetrics.fail("the log cannot be read any further: " + e.getCause().getMessage());
    }
    runMetrics.endedWith(sequence);
    checkpoints.finish(sequence, state);
    SerialFilter filter = state.filter();
    LoopClosureReport loops = end(filter.trajectoryTree().bestPath(), folder, runMetrics);
    // In this order: the filter is still needed when its memory is measured.
    long liveHeapBytes = Cost.measureLiveHeap();
    return cost(filter.cost(), loops, liveHeapBytes);
  }

  private Beginning begin(Iterator<LogEntry> log, ReadingCodec codec, RunMetrics runMetrics)
      throws IOException {
    long start = System.nanoTime();
    Optional<RunCheckpoints.Resumed<State>> resumed = checkpoints.latest(State.class);
    PriorMap before = earlier.orElse(null);
    if (resumed.isEmpty() && !(before instanceof PriorRun)) {
      SerialFilter filter =
          before instanceof PriorGrid grid
              ? grid.filter(settings.slam(), robot)
              : new SerialFilter(settings.slam(), robot);
      checkpoints.begin();
      LogFingerprint nothing = LogFingerprint.begun(earlier.map(PriorMap::reading).orElse(0L));
      return new Beginning(new State(filter, new ArrayList<>(), nothing), log);
    }
    RunCheckpoints.Resumed<State> from =
        resumed.isPresent() ? resumed.get() : resume((PriorRun) before);
    runMetrics.resumed(new RunMetrics.Resumed(from.reading(), (System.nanoTime() - start) / 1e9));
    State state = from.state();
    if (resumed.isEmpty()) {
      Beginning beginning = resume((PriorRun) before, state, log, codec, runMetrics);
      checkpoints.begin();
      return beginning;
    }
    String otherwise = "without --resume it begins anew";
    state.log().skip(log, state.outcomes(), codec, runMetrics::record, otherwise);
    return new Beginning(state, log);
  }

  private RunCheckpoints.Resumed<State> resume(PriorRun run) throws IOException {
    checkpoints.checkIdentity(run.state());
    State state = run.end(settings.slam());
    return new RunCheckpoints.Resumed<>(run.reading(), state);
  }

  /**
   * Continues with the log of which the state has a part already, or with another log that follows
   * the state.
   */
  private static Beginning resume(
      PriorRun run, State state, Iterator<LogEntry> log, ReadingCodec codec, RunMetrics runMetrics)
      throws IOException {
    LogEntry entry = null;
    while (!(entry instanceof LogEntry.Usable) && log.hasNext()) {
      entry = log.next();
    }
    if (!(entry instanceof LogEntry.Usable first)) {
      return new Beginning(state, log);
    }
    Iterator<LogEntry> whole = PriorRun.joined(List.<LogEntry>of(first).iterator(), log);
    LogFingerprint known = state.log();
    if (!known.beginsWith(codec.encode(known.before() + 1, first.reading()))) {
      known.requireFollowedBy(first.reading());
      return new Beginning(state.withNextLog(), whole);
    }
    if (run.relocated().isPresent()) {
      throw new CheckpointException(
          ("--at: the state has the first %d readings of this log already, so the robot is where"
                  + " they end; --at is for another log")
              .formatted(state.outcomes().size()));
    }
    String otherwise = "a log that follows begins with another reading";
    known.skip(whole, state.outcomes(), codec, runMetrics::record, otherwise);
    return new Beginning(state, whole);
  }

  private static Outcome process(SerialFilter filter, long sequence, Reading reading) {
    long start = System.nanoTime();
    SerialFilter.Result result = filter.process(sequence, reading);
    if (result instanceof SerialFilter.Result.Processed processed) {
      return new Outcome.Processed(
          processed.pose(), processed.searched(), System.nanoTime() - start);
    }
    return Outcome.Refused.of(((SerialFilter.Result.Refused) result).why());
  }

  private static LoopClosureReport end(RecordedPath open, Path folder, RunMetrics runMetrics)
      throws IOException {
    RecordedPath recordedPath = closed(open, runMetrics);
    write(recordedPath, folder, runMetrics);
    return recordedPath.loopsClosed();
  }

  /**
   * Writes trajectory and map. The trajectory is written first, because drawing a map may fail if
   * it is too large.
   */
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
    runMetrics.observer().loops(recordedPath.loops(), path.get(path.size() - 1).stampNanos());
    runMetrics.observer().result(map, path);
  }

  /**
   * Closes the path's loops. If that fails, returns the path as it is and notes the failure, as the
   * service does.
   */
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
    stages.put("mapUpdate", cost.mapUpdateNanos());
    return new Cost(
        stages,
        cost.resamplings(),
        0,
        cost.evaluations(),
        cost.meanParticles(),
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
