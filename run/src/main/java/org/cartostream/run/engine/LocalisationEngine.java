package org.cartostream.run.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.broker.message.Outcome;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;

/**
 * Engine that localises the robot of a log in a known map, in one thread, without broker and Storm.
 * Leaves what {@link LocalisedTrajectory} has.
 */
public final class LocalisationEngine implements Engine {

  private final RootSettings settings;
  private final String robot;
  private final KnownPlace place;

  public LocalisationEngine(RootSettings settings, String robot, KnownPlace place) {
    this.settings = settings;
    this.robot = robot;
    this.place = place;
  }

  @Override
  public Cost run(
      Iterator<LogEntry> log, RunMetrics runMetrics, Path folder, ShutdownRequest shutdownRequest)
      throws IOException {
    ReadingCodec codec = new ReadingCodec(settings.broker(), robot);
    ServerMap map = place.read();
    MonteCarloLocalisation filter = filter(map);
    LocalisedTrajectory way = new LocalisedTrajectory(place, map, runMetrics, folder);
    List<PathPose> path = new ArrayList<>();
    long sequence = 0;
    try {
      while (log.hasNext() && !shutdownRequest.requested()) {
        if (log.next() instanceof LogEntry.Usable usable) {
          sequence++;
          Reading reading = codec.decode(codec.encode(sequence, usable.reading()));
          long start = System.nanoTime();
          Result result = filter.process(sequence, reading);
          Outcome outcome = outcome(result, System.nanoTime() - start);
          if (result instanceof Result.Localised found) {
            path.add(new PathPose(sequence, reading.stampNanos(), found.pose().inMap()));
          }
          way.add(usable.reading(), outcome);
          runMetrics.record(usable.reading(), outcome);
        }
      }
    } catch (UncheckedIOException e) {
      // As when it is mapped: what the readings before gave is kept.
      runMetrics.fail("the log cannot be read any further: " + e.getCause().getMessage());
    }
    way.end(path);
    way.write();
    return cost(filter, way.report(filter.drivenMetres()));
  }

  private MonteCarloLocalisation filter(ServerMap map) {
    try {
      return new MonteCarloLocalisation(
          settings.localisation(), settings.slam(), robot, map, place.start());
    } catch (IllegalArgumentException e) {
      throw ExitException.wrongUsage("--at: " + e.getMessage(), e);
    }
  }

  private static Outcome outcome(Result result, long nanos) {
    if (result instanceof Result.Localised found) {
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
        filter.particles(),
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
