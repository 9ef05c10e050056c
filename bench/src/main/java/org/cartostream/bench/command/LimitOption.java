package org.cartostream.bench.command;

import org.cartostream.cli.options.OptionChecks;
import picocli.CommandLine.Option;

/** The option that measures with the beginning of each log alone. */
final class LimitOption {

  @Option(
      names = "--limit",
      paramLabel = "K",
      description = "Take only the first K scans of each log. Default: all.")
  private long limit = Long.MAX_VALUE;

  /**
   * Returns the maximum number of scans that are taken of a log.
   *
   * @throws org.cartostream.run.exit.ExitException if that is none
   */
  long scans() {
    OptionChecks.atLeastOne("--limit", limit);
    return limit;
  }
}
