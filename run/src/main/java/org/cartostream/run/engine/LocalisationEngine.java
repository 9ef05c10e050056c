package org.cartostream.run.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.TaskBalance;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.file.MapPicture;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;

/**
 * Finds the robot of a log in a map, in one thread, without broker and Storm. Leaves the poses, how
 * far each can be believed, and a picture of the map with the way; the map's files stay as they
 * are.
 */
public final class LocalisationEngine implements Engine {

  /** How far each pose can be believed. */
  public static final String QUALITY = "quality.csv";

  private final RootSettings settings;
  private final String robot;
  private final KnownPlace place;

  private record Located(StampedPose pose, LocalisationQuality quality) {

    String line() {
      return String.format(
          Locale.ROOT,
          "%d.%09d,%.6f,%.6f,%.6f,%.3f,%.3f,%.4f,%.3f,%s",
          Math.floorDiv(pose.stampNanos(), 1_000_000_000L),
          Math.floorMod(pose.stampNanos(), 1_000_000_000L),
          pose.pose().x(),
          pose.pose().y(),
          pose.pose().theta(),
          quality.fit(),
          quality.spreadMetres(),
          quality.spreadRadians(),
          quality.share(),
          quality.state());
    }
  }

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
    List<Located> path = new ArrayList<>();
    long sequence = 0;
    try {
      while (log.hasNext() && !shutdownRequest.requested()) {
        if (log.next() instanceof LogEntry.Usable usable) {
          sequence++;
          if (sequence == 1 && map.origin().theta() == 0) { // Observers know no turned grid.
            runMetrics.observer().map(map.grid(), 0, usable.reading().stampNanos());
          }
          Reading reading = codec.decode(codec.encode(sequence, usable.reading()));
          long start = System.nanoTime();
          Result result = filter.process(sequence, reading);
          long nanos = System.nanoTime() - start;
          if (result instanceof Result.Localised found) {
            path.add(
                new Located(new StampedPose(reading.stampNanos(), found.pose()), found.quality()));
          }
          runMetrics.record(usable.reading(), outcome(result, nanos));
        }
      }
    } catch (UncheckedIOException e) {
      // As when it is mapped: what the readings before gave is kept.
      runMetrics.fail("the log cannot be read any further: " + e.getCause().getMessage());
    }
    if (!path.isEmpty()) {
      write(path, map, folder);
    }
    return cost(filter, path.stream().map(Located::quality).toList());
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
      return new Outcome.Processed(
          found.pose(),
          Correction.NONE,
          found.resampling().effectiveSampleSize(),
          found.resampling().entropy(),
          found.searched(),
          nanos);
    }
    return Outcome.Refused.of(((Result.Refused) result).why());
  }

  private static void write(List<Located> path, ServerMap map, Path folder) throws IOException {
    List<StampedPose> poses = path.stream().map(Located::pose).toList();
    TumFile.write(folder.resolve(FileSink.TRAJECTORY), poses);
    String lines = path.stream().map(each -> each.line() + "\n").collect(Collectors.joining());
    AtomicFile.write(
        folder.resolve(QUALITY),
        out ->
            out.write(
                ("stamp,x,y,yaw,fit,spread_metres,spread_radians,share,state\n" + lines)
                    .getBytes(StandardCharsets.US_ASCII)));
    // The picture shows the grid as it lies in its file: a grid that is turned stays upright.
    Pose corner = new Pose(map.grid().originX(), map.grid().originY(), 0);
    List<StampedPose> upright =
        poses.stream()
            .map(
                each ->
                    new StampedPose(each.stampNanos(), corner.then(map.origin().to(each.pose()))))
            .toList();
    MapPicture.write(map.grid(), upright, folder);
  }

  private Cost cost(MonteCarloLocalisation filter, List<LocalisationQuality> qualities) {
    return new Cost(
        Map.of(),
        filter.resamplings(),
        0,
        filter.evaluations(),
        filter.odometry(),
        1,
        TaskBalance.NONE,
        LoopClosureReport.NONE,
        Cost.measureLiveHeap(),
        null,
        null,
        LocalisationReport.of(place, qualities, filter.drivenMetres()));
  }
}
