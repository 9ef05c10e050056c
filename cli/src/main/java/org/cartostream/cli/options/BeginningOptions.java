package org.cartostream.cli.options;

import java.nio.file.Path;
import java.util.Optional;
import org.cartostream.run.engine.PriorMap;
import picocli.CommandLine.Option;

/** The option that names a map to go on with. */
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
   * @param placing say where the robot is at first, and whether it is to be found in a map
   * @throws org.cartostream.run.exit.ExitException if the file cannot be gone on with
   */
  public Optional<PriorMap> earlier(PlaceOptions placing) {
    return placing.earlier(file);
  }

  /** Returns the suffix for the name of the output folder, for the map may be in the log's own. */
  public String suffix() {
    return file == null ? "" : "-continued";
  }
}
