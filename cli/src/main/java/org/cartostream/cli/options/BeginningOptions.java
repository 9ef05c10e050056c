package org.cartostream.cli.options;

import java.nio.file.Path;
import java.util.Optional;
import org.cartostream.run.engine.EarlierRun;
import picocli.CommandLine.Option;

/** The option that names an earlier run to go on with. */
public final class BeginningOptions {

  @Option(
      names = "--continue",
      paramLabel = "STATE",
      description =
          "Go on with the run that left this run.state, as its robot and with its seed; LOG is what"
              + " follows; or, with --engine serial (the default then), the same log and more of it.")
  private Path state;

  /**
   * The state of the run that goes on; empty if one begins.
   *
   * @param localises true if the robot is to be found in a map
   * @throws ExitException if the file has none
   */
  public Optional<EarlierRun> earlier(boolean localises) {
    return EarlierRun.of(state, localises);
  }

  /** What is added to the name of the output folder, for the state may be in the log's own. */
  public String suffix() {
    return state == null ? "" : "-continued";
  }
}
