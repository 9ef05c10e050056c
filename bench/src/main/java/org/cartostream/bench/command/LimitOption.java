package org.cartostream.bench.command;

import org.cartostream.cli.options.OptionChecks;
import picocli.CommandLine.Option;

/** Option {@code --limit}, by which only the first scans of each log are measured. */
final class LimitOption {

  @Option(
      names = "--limit",
      paramLabel = "K",
      description = "Take only the first K scans of each log. Default: all.")
  private long limit = Long.MAX_VALUE;

  /**
   * Returns the maximum number of scans that are taken from a log.
   *
   * @throws org.cartostream.run.exit.ExitException if the limit is less than 1
   */
  long scans() {
    OptionChecks.atLeastOne("--limit", limit);
    return limit;
  }
}
