package org.cartostream.gateway.ros;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.gateway.sink.LivePoses;
import org.cartostream.ros.RosException;
import org.cartostream.ros.message.GetMap;
import org.cartostream.ros.message.Header;
import org.cartostream.ros.message.MapMetaData;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.ros.message.RosString;
import org.cartostream.ros.message.SaveMap;
import org.cartostream.ros.message.Trigger;
import org.cartostream.ros.node.RosNode;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.slam.map.file.MapPicture;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.trajectory.PathPose;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ROS map server for the robot's other nodes: the topics {@code map} and {@code map_metadata},
 * latched; the service {@code dynamic_map}, by the names of slam_toolbox and map_server too; and
 * {@code cartostream/save_map}, which writes files as {@code map_saver} does of {@code map}, and
 * slam_toolbox's {@code save_map}, which is told their name.
 *
 * <p>Owns the newest map, and the lock for writing into the robot's folder. Thread-safe.
 */
final class MapServer {

  private static final Logger LOG = LoggerFactory.getLogger(MapServer.class);

  /**
   * Form of a file's name: any node may call the service, and files are written only into the
   * robot's folder.
   */
  private static final Pattern FILE_NAME = Pattern.compile("\\w[\\w.-]{0,99}");

  private static final byte FREE = 0;
  private static final byte OCCUPIED = 100;

  private final RosSettings settings;
  private final Path folder;
  private final LivePoses answered;
  private final RosNode.Publisher<RosOccupancyGrid> map;
  private final RosNode.Publisher<MapMetaData> metadata;

  /** Lock held while files are written, so that the image and the YAML file are of the same map. */
  private final Object files = new Object();

  private OccupancyGrid newest;
  private RosOccupancyGrid newestMessage;
  private boolean newestIsOfEarlierRun;
  private long count;

  /**
   * True if the map is a known one in which the robot is localised; then the end of a run writes
   * only the path.
   */
  private boolean isKnown;

  /**
   * @param folder for saved maps
   * @param resumes true if the poses in the folder are of this run, which is resumed
   */
  MapServer(RosNode node, RosSettings settings, Path folder, boolean resumes) {
    this.settings = settings;
    this.folder = folder;
    this.answered = new LivePoses(folder, resumes);
    map = node.advertise("map", RosOccupancyGrid.TYPE, true);
    metadata = node.advertise("map_metadata", MapMetaData.TYPE, true);
    for (String service : List.of("dynamic_map", "slam_toolbox/dynamic_map", "static_map")) {
      node.advertiseService(service, GetMap.TYPE, request -> new GetMap.Response(newest()));
    }
    node.advertiseService("cartostream/save_map", Trigger.TYPE, request -> save(MapFiles.NAME));
    node.advertiseService("slam_toolbox/save_map", SaveMap.TYPE, request -> save(request.name()));
  }

  /**
   * @param stampNanos stamp of the latest reading in the map, nanoseconds by the robot's clock
   */
  synchronized void update(OccupancyGrid grid, long stampNanos) {
    if (isKnown) {
      return;
    }
    newest = thresholded(grid);
    newestIsOfEarlierRun = false;
    Pose origin = new Pose(grid.originX(), grid.originY(), 0);
    newestMessage = message(newest, origin, stampNanos, count++);
    map.send(newestMessage);
    metadata.send(newestMessage.info());
  }

  /**
   * Serves a known map, as map_server would: with its cell values, and with the rotation of its
   * origin.
   */
  synchronized void serve(ServerMap known, long stampNanos) {
    if (known.grid() == newest) {
      return;
    }
    isKnown = true;
    newest = known.grid();
    newestMessage = message(newest, known.origin(), stampNanos, count++);
    map.send(newestMessage);
    metadata.send(newestMessage.info());
  }

  private synchronized boolean isKnown() {
    return isKnown;
  }

  /** Notes the pose at a reading that was answered. */
  synchronized void answered(long stampNanos, RobotPose pose) {
    answered.add(stampNanos, pose);
  }

  /** Notes that a new run begins; the newest map is still of the old run. */
  synchronized void onNewRun() {
    answered.beginAnew();
    newestIsOfEarlierRun = newest != null && !isKnown;
  }

  /** Writes the last map and the path into the robot's folder. */
  void writeEnd(OccupancyGrid lastMap, List<PathPose> path) throws IOException {
    boolean pathAlone = isKnown();
    write(
        sink -> {
          if (pathAlone) {
            sink.end(path);
          } else {
            sink.end(thresholded(lastMap), path);
          }
        });
  }

  /**
   * Writes the newest map and the path of a run that did not end in order.
   *
   * @param path the whole path; if empty, the poses of the answered readings are written instead
   */
  void writeIncompleteEnd(List<PathPose> path) throws IOException {
    List<PathPose> known = path.isEmpty() ? answered.all() : path;
    if (isKnown()) {
      write(sink -> sink.end(known));
      return;
    }
    write(sink -> writeIncompleteEnd(sink, grid(), known));
  }

  /**
   * Writes the newest map and the poses of the answered readings into a folder of their own, where
   * the files of later runs leave them alone.
   *
   * @param name of that folder, in the robot's
   * @return for people, where they are
   */
  String keep(String name) throws IOException {
    Optional<OccupancyGrid> grid = grid();
    Path there = folder.resolve(name).toAbsolutePath();
    if (grid.isEmpty() || answered.all().isEmpty()) {
      return "there was none so far";
    }
    Files.createDirectories(there);
    synchronized (files) {
      new FileSink(there).end(grid.get(), answered.all());
    }
    return "the one so far is in " + there;
  }

  private void writeIncompleteEnd(FileSink sink, Optional<OccupancyGrid> grid, List<PathPose> path)
      throws IOException {
    if (grid.isPresent() && !path.isEmpty() && isOfThisRun()) {
      sink.end(grid.get(), path);
      return;
    }
    if (grid.isPresent()) {
      deleteStale(FileSink.TRAJECTORY);
      sink.end(grid.get());
    }
    if (!path.isEmpty()) {
      if (grid.isEmpty()) {
        deleteStale(MapFiles.PICTURE, MapFiles.DESCRIPTION, MapPicture.FILE);
      }
      sink.end(path);
    }
  }

  /** Writes into the robot's folder. */
  interface FileWriter {
    void to(FileSink sink) throws IOException;
  }

  /** Writes into the robot's folder while holding the lock. */
  void write(FileWriter fileWriter) throws IOException {
    synchronized (files) {
      fileWriter.to(new FileSink(folder));
    }
  }

  private synchronized boolean isOfThisRun() {
    return newest != null && !newestIsOfEarlierRun;
  }

  /** Returns words for people about the newest map, when a run has not ended in order. */
  synchronized String newestInWords() {
    return newest == null
        ? "nothing"
        : newestIsOfEarlierRun ? "that of a run before" : "the newest";
  }

  /** Deletes files of an older run: beside this run's files they would be taken for its own. */
  private void deleteStale(String... names) throws IOException {
    for (String name : names) {
      Files.deleteIfExists(folder.resolve(name));
    }
  }

  /** Returns the number of maps that have come. */
  synchronized long count() {
    return count;
  }

  /**
   * Returns the newest map as it is {@linkplain #thresholded published}; empty before the first.
   */
  private synchronized Optional<OccupancyGrid> grid() {
    return Optional.ofNullable(newest);
  }

  private synchronized RosOccupancyGrid newest() {
    if (newestMessage == null) {
      throw new RosException("there is no map yet");
    }
    return newestMessage;
  }

  private SaveMap.Response save(RosString asked) {
    String name = asked.data().isEmpty() ? MapFiles.NAME : asked.data();
    if (!FILE_NAME.matcher(name).matches()) {
      LOG.warn(
          "no map is saved: '{}' is no name for files in {}; one begins with a letter or digit and"
              + " has no folders",
          name,
          folder.toAbsolutePath());
      return SaveMap.Response.FAILURE;
    }
    if (grid().isEmpty()) {
      return SaveMap.Response.NO_MAP;
    }
    Trigger.Response saved = save(name);
    LOG.info("save_map: {}", saved.message());
    return saved.success() ? SaveMap.Response.SUCCESS : SaveMap.Response.FAILURE;
  }

  private Trigger.Response save(String name) {
    // Which is the newest is asked when it is written: it must not replace one that came later.
    synchronized (files) {
      Optional<OccupancyGrid> grid = grid();
      if (grid.isEmpty()) {
        return new Trigger.Response(false, "there is no map yet");
      }
      try {
        if (name.equals(MapFiles.NAME)) {
          deleteStale(MapPicture.FILE, FileSink.TRAJECTORY); // They are written when the run ends.
        }
        MapFiles.write(grid.get(), folder, name);
        return new Trigger.Response(
            true, "written to " + folder.toAbsolutePath().resolve(MapFiles.description(name)));
      } catch (IOException e) {
        return new Trigger.Response(false, "the map cannot be written: " + e.getMessage());
      }
    }
  }

  /**
   * Returns a map for the topic {@code map}: free (0), occupied (100) and unknown (-1) cells only,
   * as slam_gmapping publishes. Planners take values between for free.
   */
  OccupancyGrid thresholded(OccupancyGrid grid) {
    byte[] cells = new byte[grid.cells().length];
    for (int i = 0; i < cells.length; i++) {
      byte cell = grid.cells()[i];
      boolean occupied = cell > 100 * settings.occupiedShare();
      cells[i] = cell == OccupancyGrid.UNKNOWN ? cell : occupied ? OCCUPIED : FREE;
    }
    return new OccupancyGrid(
        grid.width(), grid.height(), grid.resolution(), grid.originX(), grid.originY(), cells);
  }

  /**
   * Reads the map in a message as amcl does: 0 is free, 100 a wall.
   *
   * @throws IllegalArgumentException if the message holds no valid map
   */
  static ServerMap map(RosOccupancyGrid message) {
    MapMetaData info = message.info();
    byte[] cells = message.data();
    if (cells.length == 0 || info.width() * info.height() != cells.length) {
      throw new IllegalArgumentException(
          "a map of %d x %d cells has %d values; each cell has one"
              .formatted(info.width(), info.height(), cells.length));
    }
    RigidTransform corner = RigidTransform.of(info.origin());
    if (!corner.isValid()) {
      throw new IllegalArgumentException("the map's origin is none: " + corner.whyInvalid());
    }
    Pose origin = corner.planar();
    // By the decimal text, so that 0.05 stays 0.05 instead of becoming the nearest float.
    double resolution = Double.parseDouble(Float.toString(info.resolution()));
    return ServerMap.of(
        new OccupancyGrid(
            (int) info.width(), (int) info.height(), resolution, origin.x(), origin.y(), cells),
        origin);
  }

  private RosOccupancyGrid message(OccupancyGrid grid, Pose origin, long stampNanos, long number) {
    return new RosOccupancyGrid(
        new Header(number, stampNanos, settings.mapFrame()),
        new MapMetaData(
            stampNanos,
            (float) grid.resolution(),
            grid.width(),
            grid.height(),
            RigidTransform.of(origin).rosPose()),
        grid.cells());
  }
}
