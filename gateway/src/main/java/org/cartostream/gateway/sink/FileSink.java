package org.cartostream.gateway.sink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.gateway.GatewayException;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.slam.map.file.MapPicture;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;

/** Sink that writes the map and the trajectory into a folder; each file is replaced as a whole. */
public final class FileSink implements Sink {

  public static final String TRAJECTORY = "trajectory.tum";

  private final Path folder;

  /**
   * @param folder folder of the files; created if it is missing
   * @throws GatewayException if the folder cannot be written
   */
  public FileSink(Path folder) {
    this.folder = folder;
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, ".writable", null));
    } catch (IOException e) {
      throw new GatewayException(
          "the folder " + folder + " cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void map(OccupancyGrid map) throws IOException {
    MapFiles.write(map, folder);
  }

  @Override
  public void end(OccupancyGrid map, List<PathPose> path) throws IOException {
    end(path);
    MapFiles.write(map, folder);
    MapPicture.write(map, trajectory(path), folder);
  }

  /** Writes the last map of a run whose path has not come. */
  public void end(OccupancyGrid map) throws IOException {
    MapFiles.write(map, folder);
    MapPicture.write(map, List.of(), folder);
  }

  @Override
  public void end(List<PathPose> path) throws IOException {
    TumFile.write(folder.resolve(TRAJECTORY), trajectory(path));
  }

  private static List<StampedPose> trajectory(List<PathPose> path) {
    return path.stream().map(pose -> new StampedPose(pose.stampNanos(), pose.pose())).toList();
  }
}
