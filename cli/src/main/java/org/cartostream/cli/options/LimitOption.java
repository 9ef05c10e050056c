package org.cartostream.cli.options;

import picocli.CommandLine.Option;

/** The option that measures with the beginning of a log alone. */
public final class LimitOption {

  @Option(
      names = "--limit",
      paramLabel = "K",
      description = "Take only the first K scans of the log. Default: all.")
  private long limit = Long.MAX_VALUE;

  /**
   * How many scans are taken at the most.
   *
   * @throws org.cartostream.run.exit.ExitException if that is none
   */
  public long scans() {
    OptionChecks.atLeastOne("--limit", limit);
    return limit;
  }
}
