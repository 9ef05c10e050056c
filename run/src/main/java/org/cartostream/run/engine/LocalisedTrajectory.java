package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.gateway.sink.Sink;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapPicture;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;

/**
 * The trajectory of a log's robot in a known map, as estimated at each reading, and its files: the
 * poses, the quality of each, and a picture of the map with the trajectory. The map's own files
 * stay as they are.
 */
public final class LocalisedTrajectory implements Sink {

  /** Name of the file with the quality of each pose. */
  public static final String QUALITY = "quality.csv";

  private final KnownPlace place;
  private final ServerMap map;
  private final RunMetrics runMetrics;
  private final Path folder;
  private final List<Located> way = new ArrayList<>();
  private boolean mapIsShown;

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
          quality.deviationMetres(),
          quality.deviationRadians(),
          quality.share(),
          quality.state());
    }
  }

  /**
   * @param runMetrics metrics of the run; their observer is shown the map
   * @param folder output folder for the files
   */
  LocalisedTrajectory(KnownPlace place, ServerMap map, RunMetrics runMetrics, Path folder) {
    this.place = place;
    this.map = map;
    this.runMetrics = runMetrics;
    this.folder = folder;
  }

  /** Adds a reading's pose if the outcome has one; shows the observer the map at the first call. */
  void add(Reading reading, Outcome outcome) {
    if (!mapIsShown && map.origin().theta() == 0) { // Observers know no turned grid.
      runMetrics.observer().map(map.grid(), 0, reading.stampNanos());
    }
    mapIsShown = true;
    if (outcome instanceof Outcome.Processed found) {
      way.add(
          new Located(
              new StampedPose(reading.stampNanos(), found.pose().inMap()), found.pose().quality()));
    }
  }

  /** Ignores the map: a service that localises sends none, because the map is known. */
  @Override
  public void map(OccupancyGrid unused) {}

  @Override
  public void end(OccupancyGrid unused, List<PathPose> path) throws IOException {
    end(path);
  }

  @Override
  public void end(List<PathPose> path) throws IOException {
    if (!path.isEmpty()) {
      new FileSink(folder).end(path);
    }
  }

  /**
   * Writes the file of the poses, for an engine without a service to send the path; writes nothing
   * without poses.
   */
  void end() throws IOException {
    if (!way.isEmpty()) {
      TumFile.write(folder.resolve(FileSink.TRAJECTORY), way.stream().map(Located::pose).toList());
    }
  }

  /** Writes the quality of the poses and the map's picture; writes nothing without poses. */
  void write() throws IOException {
    if (way.isEmpty()) {
      return;
    }
    String lines = way.stream().map(each -> each.line() + "\n").collect(Collectors.joining());
    AtomicFile.write(
        folder.resolve(QUALITY),
        out ->
            out.write(
                ("stamp,x,y,yaw,fit,spread_metres,spread_radians,share,state\n" + lines)
                    .getBytes(StandardCharsets.US_ASCII)));
    // The picture shows the grid as it lies in its file: a grid that is turned stays upright.
    Pose corner = new Pose(map.grid().originX(), map.grid().originY(), 0);
    List<StampedPose> upright =
        way.stream()
            .map(Located::pose)
            .map(
                each ->
                    new StampedPose(each.stampNanos(), corner.then(map.origin().to(each.pose()))))
            .toList();
    MapPicture.write(map.grid(), upright, folder);
  }

  LocalisationReport report(double drivenMetres) {
    return LocalisationReport.of(place, way.stream().map(Located::quality).toList(), drivenMetres);
  }
}
