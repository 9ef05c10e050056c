package org.cartostream.cli.options;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.cartostream.checkpoint.RunState;
import org.cartostream.run.engine.EarlierRun;
import org.cartostream.run.exit.ExitException;
import picocli.CommandLine.Option;

/** The option that names an earlier run to go on with. */
public final class BeginningOptions {

  @Option(
      names = "--continue",
      paramLabel = "STATE",
      description =
          "Go on with the run that left this run.state, as its robot and with its seed; LOG is what"
              + " follows, or the same log and more of it. With --engine serial.")
  private Path state;

  /**
   * The state of the run that goes on; empty if one begins.
   *
   * @param localises true if the robot is to be found in a map
   * @throws ExitException if the file has none
   */
  public Optional<EarlierRun> earlier(boolean localises) {
    if (state == null) {
      return Optional.empty();
    }
    if (localises) {
      throw ExitException.wrongUsage(
          "--continue and --localise: a run makes its map, or is found in one");
    }
    try {
      return Optional.of(new EarlierRun(RunState.open(state)));
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /** What is added to the name of the output folder, for the state may be in the log's own. */
  public String suffix() {
    return state == null ? "" : "-continued";
  }
}
