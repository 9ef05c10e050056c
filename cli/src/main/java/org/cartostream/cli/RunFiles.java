package org.cartostream.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.log.MapFiles;
import org.cartostream.slam.log.MapPicture;
import org.cartostream.slam.log.StampedPose;
import org.cartostream.slam.log.TumFile;
import org.cartostream.slam.map.OccupancyGrid;

/** The files that a run of the serial engine leaves: the same ones that the gateway writes. */
final class RunFiles {

  static final String TRAJECTORY = "trajectory.tum";

  private RunFiles() {}

  static void write(List<PathPose> path, OccupancyGrid map, Path folder) throws IOException {
    List<StampedPose> trajectory =
        path.stream().map(pose -> new StampedPose(pose.stampNanos(), pose.pose())).toList();
    TumFile.write(folder.resolve(TRAJECTORY), trajectory);
    MapFiles.write(map, folder);
    MapPicture.write(map, trajectory, folder);
  }
}
