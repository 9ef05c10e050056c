package org.cartostream.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.cartostream.checkpoint.RunState;
import org.cartostream.run.engine.KnownPlace;
import org.cartostream.run.engine.PriorMap;
import org.cartostream.run.exit.ExitException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.file.MapFiles;
import picocli.CommandLine.Option;

/** Options that name a known map in which the robot is localised, and its initial pose. */
public final class PlaceOptions {

  /** Parameter of slam_toolbox that chooses between mapping and localisation. */
  private static final String MODE = "mode";

  private static final String LOCALISATION = "localization";

  /** Value of {@code --at} for an unknown initial pose. */
  private static final String ANYWHERE = "anywhere";

  @Option(
      names = "--localise",
      paramLabel = "MAP",
      description =
          "Find the robot in this map (map_server's YAML, a run.state, or a run's folder) in place of"
              + " making one.")
  private Path map;

  @Option(
      names = "--at",
      paramLabel = "X,Y,YAW|anywhere",
      description =
          "Where in the map of --localise or --continue the robot is at first, in metres and"
              + " radians; or 'anywhere': it is looked for, which --localise does without it, too.")
  private String at;

  /** Name of the option or parameter that states the initial pose, for error messages. */
  private String saidBy = "--at";

  /**
   * Returns the known map in which the robot is localised; empty if the run makes a map.
   *
   * @throws ExitException if the stated initial pose is invalid
   */
  public Optional<KnownPlace> place() {
    return Optional.ofNullable(map)
        .map(file -> new KnownPlace(inRunFolder(file, MapFiles.DESCRIPTION), start()));
  }

  /** Returns the named file; for a run's folder, the first of the given files that exists in it. */
  private static Path inRunFolder(Path named, String... files) {
    return Stream.of(files)
        .map(named::resolve)
        .filter(Files::isRegularFile)
        .findFirst()
        .orElse(named);
  }

  private Optional<Pose> start() {
    return Optional.ofNullable(at).filter(said -> !isLookedFor()).map(this::pose);
  }

  /**
   * Checks that an initial pose is stated only together with a map.
   *
   * @param continued file that {@code --continue} names; null without that option
   * @throws ExitException if a pose is stated without a map
   */
  public void requireMapIfStarted(Path continued) {
    if (map == null && continued == null && at != null) {
      throw ExitException.wrongUsage(
          "--at: only with --localise MAP or --continue MAP, in whose frame it is");
    }
  }

  /**
   * Opens the earlier map that the run continues; returns empty without {@code --continue}.
   *
   * @param file file that {@code --continue} names; null without that option
   * @return the map with the robot at its stated pose, or without a pose if the robot must be
   *     searched for ({@link #isLookedFor})
   * @throws ExitException if no run can continue the map, or a pose is stated without a map
   */
  public Optional<PriorMap> earlier(Path file) {
    requireMapIfStarted(file);
    if (map != null && file != null) {
      throw ExitException.wrongUsage(
          "--continue and --localise: a run makes its map, or is found in one");
    }
    if (file == null) {
      return Optional.empty();
    }
    Optional<Pose> start = start();
    PriorMap map = PriorMap.of(inRunFolder(file, RunState.FILE, MapFiles.DESCRIPTION));
    return Optional.of(isLookedFor() ? map : start.<PriorMap>map(map::at).orElseGet(map::unmoved));
  }

  /** Returns true if the robot may be anywhere in the map ({@code --at anywhere}). */
  public boolean isLookedFor() {
    return ANYWHERE.equals(at);
  }

  /**
   * Returns the known map of the options, or of slam_toolbox's parameters if they have {@code mode:
   * localization}; the options win.
   *
   * @param parameters parameters of the node, from which those on localisation are removed
   * @throws ExitException if the parameters ask for localisation without naming an existing map
   */
  public Optional<KnownPlace> place(Map<String, String> parameters) {
    if (!LOCALISATION.equals(parameters.get(MODE))) {
      return place();
    }
    parameters.remove(MODE);
    String file = parameters.remove("map_file_name");
    String pose = parameters.remove("map_start_pose");
    boolean isAtDock = Boolean.parseBoolean(parameters.remove("map_start_at_dock"));
    if (map != null) {
      return place();
    }
    if (file == null) {
      throw ExitException.wrongUsage(
          "mode is 'localization', and no map_file_name says in which map; --localise MAP does, too");
    }
    String start = pose == null && isAtDock ? "0,0,0" : pose; // The map's run began at the dock.
    if (at == null) {
      at = start;
      saidBy = "map_start_pose";
    }
    map = mapFile(file);
    return place();
  }

  /**
   * Returns the file of a map that slam_toolbox's parameter names without an ending: the first that
   * exists of the name itself, {@code .yaml} and {@code .state}.
   */
  private static Path mapFile(String name) {
    for (String ending : List.of("", ".yaml", ".state")) {
      if (Files.isRegularFile(Path.of(name + ending))) {
        return Path.of(name + ending);
      }
    }
    throw ExitException.wrongUsage(
        "map_file_name is '%s', and there is no '%s.yaml' (or '.state'); slam_toolbox's own .posegraph cannot be read, so save its map by map_saver"
            .formatted(name, name));
  }

  /**
   * Returns the suffix to the default output folder's name, which keeps it apart from the folder
   * that has the known map.
   */
  public String suffix() {
    return map == null ? "" : "-localised";
  }

  private Pose pose(String text) {
    try {
      double[] numbers =
          Arrays.stream(text.replaceAll("[\\[\\]]", "").split(",", -1))
              .mapToDouble(Double::parseDouble)
              .toArray();
      if (numbers.length == 3) {
        Pose pose = new Pose(numbers[0], numbers[1], numbers[2]);
        if (pose.isFinite()) {
          return new Pose(pose.x(), pose.y(), Pose.wrap(pose.theta()));
        }
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw ExitException.wrongUsage(
        saidBy
            + " "
            + text
            + ": three numbers are needed, x and y in metres and the heading in radians, as in 1.5,-2,0.79; or 'anywhere', if nobody knows");
  }
}
