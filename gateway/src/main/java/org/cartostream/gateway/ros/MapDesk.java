package org.cartostream.gateway.ros;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.cartostream.gateway.FileSink;
import org.cartostream.gateway.ros.client.RosException;
import org.cartostream.gateway.ros.client.RosNode;
import org.cartostream.gateway.ros.message.GetMap;
import org.cartostream.gateway.ros.message.Header;
import org.cartostream.gateway.ros.message.MapMetaData;
import org.cartostream.gateway.ros.message.OccupancyGridMessage;
import org.cartostream.gateway.ros.message.PoseMessage;
import org.cartostream.gateway.ros.message.Trigger;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.MapFiles;
import org.cartostream.slam.log.MapPicture;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * Where the robot's other nodes get the map: the topics {@code map} and {@code map_metadata},
 * latched; the service {@code dynamic_map}; and {@code cartostream/save_map}, which writes files as
 * {@code map_saver} does of {@code map}.
 *
 * <p>Owns the newest map, and who may write into the robot's folder. Thread-safe.
 */
final class MapDesk {

  private static final byte FREE = 0;
  private static final byte OCCUPIED = 100;

  private final RosSettings settings;
  private final Path folder;
  private final RosNode.Publisher<OccupancyGridMessage> map;
  private final RosNode.Publisher<MapMetaData> metadata;

  /** Held while files are written, so that the picture of a map and its description are of one. */
  private final Object files = new Object();

  private OccupancyGrid newest;
  private OccupancyGridMessage newestMessage;
  private long count;

  /**
   * @param folder for saved maps
   */
  MapDesk(RosNode node, RosSettings settings, Path folder) {
    this.settings = settings;
    this.folder = folder;
    map = node.publish("map", OccupancyGridMessage.TYPE, true);
    metadata = node.publish("map_metadata", MapMetaData.TYPE, true);
    node.serve("dynamic_map", GetMap.TYPE, request -> new GetMap.Response(newest()));
    node.serve("cartostream/save_map", Trigger.TYPE, request -> save());
  }

  /**
   * @param stampNanos of the reading that it follows from
   */
  synchronized void take(OccupancyGrid grid, long stampNanos) {
    newest = shown(grid);
    newestMessage = message(newest, stampNanos, count++);
    map.send(newestMessage);
    metadata.send(newestMessage.info());
  }

  /** What is written into the robot's folder. */
  interface Writing {
    void to(FileSink sink) throws IOException;
  }

  /** Writes into the robot's folder when nobody else does. */
  void write(Writing writing) throws IOException {
    synchronized (files) {
      writing.to(new FileSink(folder));
    }
  }

  /**
   * Deletes files of this run's kind that are of an older one: beside those that are written now
   * they would be taken for this one's. Called while {@linkplain #write writing}.
   */
  void forget(String... names) throws IOException {
    for (String name : names) {
      Files.deleteIfExists(folder.resolve(name));
    }
  }

  /** How many maps have come. */
  synchronized long count() {
    return count;
  }

  /** The newest map as it is {@linkplain #shown shown}, if one has come. */
  synchronized Optional<OccupancyGrid> grid() {
    return Optional.ofNullable(newest);
  }

  private synchronized OccupancyGridMessage newest() {
    if (newestMessage == null) {
      throw new RosException("there is no map yet");
    }
    return newestMessage;
  }

  private Trigger.Response save() {
    // Which is the newest is asked when it is written: it must not replace one that came later.
    synchronized (files) {
      Optional<OccupancyGrid> grid = grid();
      if (grid.isEmpty()) {
        return new Trigger.Response(false, "there is no map yet");
      }
      try {
        forget(MapPicture.FILE, FileSink.TRAJECTORY); // They are written when the run ends.
        MapFiles.write(grid.get(), folder);
        return new Trigger.Response(
            true, "written to " + folder.toAbsolutePath().resolve(MapFiles.DESCRIPTION));
      } catch (IOException e) {
        return new Trigger.Response(false, "the map cannot be written: " + e.getMessage());
      }
    }
  }

  /**
   * A map as it is on {@code map}: free (0), occupied (100) and unknown only, as slam_gmapping
   * publishes it. Planners take what is between for free.
   */
  OccupancyGrid shown(OccupancyGrid grid) {
    byte[] cells = new byte[grid.cells().length];
    for (int i = 0; i < cells.length; i++) {
      byte cell = grid.cells()[i];
      boolean occupied = cell > 100 * settings.occupiedShare();
      cells[i] = cell == OccupancyGrid.UNKNOWN ? cell : occupied ? OCCUPIED : FREE;
    }
    return new OccupancyGrid(
        grid.width(), grid.height(), grid.resolution(), grid.originX(), grid.originY(), cells);
  }

  private OccupancyGridMessage message(OccupancyGrid grid, long stampNanos, long number) {
    RigidMotion origin = RigidMotion.of(new Pose(grid.originX(), grid.originY(), 0));
    return new OccupancyGridMessage(
        new Header(number, stampNanos, settings.mapFrame()),
        new MapMetaData(
            stampNanos,
            (float) grid.resolution(),
            grid.width(),
            grid.height(),
            new PoseMessage(origin.translation(), origin.rotation())),
        grid.cells());
  }
}
