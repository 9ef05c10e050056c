package org.cartostream.cli.options;

import java.nio.file.Path;
import java.util.Optional;
import org.cartostream.run.engine.PriorMap;
import picocli.CommandLine.Option;

/** Option that names an earlier map that the run continues. */
public final class BeginningOptions {

  @Option(
      names = "--continue",
      paramLabel = "STATE|MAP",
      description =
          "Go on with the run that left this run.state, or its folder, as its robot and with its seed, from where it"
              + " ended or --at a pose in its map; LOG is what follows; or, with --engine serial (the"
              + " default then), the same log and more of it. Or go on with a map (map_server's"
              + " YAML), --at a pose in it.")
  private Path file;

  /**
   * Returns the prior map with which the run begins; empty if it begins with an empty map.
   *
   * @param placing options that state the robot's initial pose and the map in which it is localised
   * @throws org.cartostream.run.exit.ExitException if no run can continue from the file
   */
  public Optional<PriorMap> earlier(PlaceOptions placing) {
    return placing.earlier(file);
  }

  /**
   * Returns the suffix to the default output folder's name, which keeps it apart from the folder
   * that has the earlier map of the same log.
   */
  public String suffix() {
    return file == null ? "" : "-continued";
  }
}
