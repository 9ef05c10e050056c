package org.cartostream.cli.options;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.cartostream.run.engine.KnownPlace;
import org.cartostream.run.exit.ExitException;
import org.cartostream.slam.geometry.Pose;
import picocli.CommandLine.Option;

/** Options that name a map to find the robot in. */
public final class PlaceOptions {

  @Option(
      names = "--localise",
      paramLabel = "MAP",
      description =
          "Find the robot in this map (map_server's YAML, or a run.state) in place of making one.")
  private Path map;

  @Option(
      names = "--at",
      paramLabel = "X,Y,YAW",
      description =
          "Where in that map the robot is at first, in metres and radians; without it, it is looked"
              + " for everywhere.")
  private String at;

  /**
   * The map; empty if the robot makes one.
   *
   * @throws ExitException if a start is given that is none
   */
  public Optional<KnownPlace> place() {
    if (map == null && at != null) {
      throw ExitException.wrongUsage("--at: only with --localise MAP, in whose frame it is");
    }
    return Optional.ofNullable(map)
        .map(file -> new KnownPlace(file, Optional.ofNullable(at).map(PlaceOptions::pose)));
  }

  /** What is added to the name of the output folder, for the map may be in the robot's own. */
  public String suffix() {
    return map == null ? "" : "-localised";
  }

  private static Pose pose(String text) {
    try {
      double[] numbers =
          Arrays.stream(text.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
      if (numbers.length == 3) {
        Pose pose = new Pose(numbers[0], numbers[1], numbers[2]);
        if (pose.isFinite()) {
          return new Pose(pose.x(), pose.y(), Pose.wrap(pose.theta()));
        }
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw ExitException.wrongUsage(
        "--at "
            + text
            + ": three numbers are needed, x and y in metres and the heading in radians, as in 1.5,-2,0.79");
  }
}
