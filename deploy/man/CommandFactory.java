package org.cartostream.cli;

import org.cartostream.run.exit.ShutdownRequest;
import picocli.CommandLine;

/** Makes the commands for picocli's generators of manual pages and completions (scripts/package). */
final class CommandFactory implements CommandLine.IFactory {

  @Override
  public <K> K create(Class<K> type) throws Exception {
    return type == CartostreamCommand.class
        ? type.cast(new CartostreamCommand(ShutdownRequest::new))
        : CommandLine.defaultFactory().create(type);
  }
}
