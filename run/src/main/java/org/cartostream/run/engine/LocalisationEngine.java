package org.cartostream.run.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.broker.message.Outcome;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.observer.OnlineParticleReporter;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;

/**
 * Engine that localises the robot of a log in a known map, in one thread, without broker and Storm.
 * Writes the files of {@link LocalisedTrajectory}.
 */
public final class LocalisationEngine implements Engine {

  private final RootSettings settings;
  private final String robot;
  private final RunCheckpoints checkpoints;
  private final KnownPlace place;

  /**
   * The state of a run at one moment, without the map.
   *
   * @param outcomes outcomes of the log's readings, in the log's order
   * @param log identification of the readings taken from the log so far
   * @param mapDigest digest of the map, by which the same map is recognised on resuming
   */
  record State(
      MonteCarloLocalisation filter,
      ArrayList<Outcome> outcomes,
      LogFingerprint log,
      String mapDigest) {

    State after(byte[] message, Reading reading, Outcome outcome) {
      outcomes.add(outcome);
      return new State(filter, outcomes, log.and(message, reading), mapDigest);
    }
  }

  public LocalisationEngine(
      RootSettings settings, String robot, RunCheckpoints checkpoints, KnownPlace place) {
    this.settings = settings;
    this.robot = robot;
    this.checkpoints = checkpoints;
    this.place = place;
  }

  @Override
  public Cost run(
      Iterator<LogEntry> log, RunMetrics runMetrics, Path folder, ShutdownRequest shutdownRequest)
      throws IOException {
    ReadingCodec codec = new ReadingCodec(settings.broker(), robot);
    ServerMap map = place.read();
    LocalisedTrajectory way = new LocalisedTrajectory(place, map, runMetrics, folder);
    State state = begin(map, log, codec, way, runMetrics);
    runMetrics.logIsKnown();
    OnlineParticleReporter particles =
        new OnlineParticleReporter(runMetrics.observer(), settings.topology());
    MonteCarloLocalisation filter = state.filter();
    try {
      while (log.hasNext() && !shutdownRequest.requested()) {
        if (log.next() instanceof LogEntry.Usable usable) {
          long sequence = state.outcomes().size() + 1L;
          byte[] message = codec.encode(sequence, usable.reading());
          Reading reading = codec.decode(message);
          long start = System.nanoTime();
          Outcome outcome = outcome(filter.process(sequence, reading), start);
          state = state.after(message, reading, outcome);
          record(usable.reading(), outcome, way, runMetrics);
          long stampNanos = usable.reading().stampNanos();
          particles.after(filter.weighedAt(), filter::drawn, filter::weighed, stampNanos);
          if (checkpoints.isDue()) {
            checkpoints.save(sequence, state);
          }
        }
      }
    } catch (UncheckedIOException e) {
      // As in a mapping run, the results of the earlier readings are kept.
      runMetrics.fail("the log cannot be read any further: " + e.getCause().getMessage());
    }
    checkpoints.finish(state.outcomes().size(), state);
    way.end();
    way.write();
    return cost(filter, way.report(filter.drivenMetres()));
  }

  /**
   * Returns the run's first state. A resumed run skips the log's readings that its checkpoint has
   * already.
   */
  private State begin(
      ServerMap map,
      Iterator<LogEntry> log,
      ReadingCodec codec,
      LocalisedTrajectory way,
      RunMetrics runMetrics)
      throws IOException {
    long start = System.nanoTime();
    String digest = PackedMap.of(map).digest();
    Optional<RunCheckpoints.Resumed<State>> resumed = checkpoints.latest(State.class);
    if (resumed.isEmpty()) {
      MonteCarloLocalisation filter = filter(map);
      checkpoints.begin();
      return new State(filter, new ArrayList<>(), LogFingerprint.begun(0), digest);
    }
    State state = resumed.get().state();
    if (!state.mapDigest().equals(digest)) {
      throw new CheckpointException(
          "the run cannot go on in %s, which is another map now; without --resume it begins anew"
              .formatted(place.map()));
    }
    state.filter().resume(settings.localisation(), settings.slam(), map);
    double seconds = (System.nanoTime() - start) / 1e9;
    runMetrics.resumed(new RunMetrics.Resumed(resumed.get().reading(), seconds));
    state
        .log()
        .skip(
            log,
            state.outcomes(),
            codec,
            (reading, outcome) -> record(reading, outcome, way, runMetrics),
            "without --resume it begins anew");
    return state;
  }

  private static void record(
      Reading reading, Outcome outcome, LocalisedTrajectory way, RunMetrics runMetrics) {
    way.add(reading, outcome);
    runMetrics.record(reading, outcome);
  }

  private MonteCarloLocalisation filter(ServerMap map) {
    try {
      return new MonteCarloLocalisation(
          settings.localisation(), settings.slam(), robot, map, place.start());
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--at: " + e.getMessage(), e);
    }
  }

  private static Outcome outcome(Result result, long startNanos) {
    if (result instanceof Result.Localised found) {
      long nanos = System.nanoTime() - startNanos;
      return new Outcome.Processed(found.pose(), found.searched(), nanos);
    }
    return Outcome.Refused.of(((Result.Refused) result).why());
  }

  private static Cost cost(MonteCarloLocalisation filter, LocalisationReport report) {
    return new Cost(
        Map.of(),
        filter.resamplings(),
        0,
        filter.evaluations(),
        filter.meanParticles(),
        filter.odometry(),
        1,
        TaskBalance.NONE,
        LoopClosureReport.NONE,
        Cost.measureLiveHeap(),
        null,
        null,
        report);
  }
}
