package org.cartostream.cli.process;

import org.cartostream.run.report.Versions;
import picocli.CommandLine.IVersionProvider;

/** Prints the versions of this program and its libraries for {@code cartostream --version}. */
final class VersionProvider implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return Versions.all().entrySet().stream()
        .map(entry -> String.format("%-15s %s", entry.getKey(), entry.getValue()))
        .toArray(String[]::new);
  }
}
