package org.cartostream.deploy.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.deploy.host.Host;

/**
 * Hosts of a cluster that were emptied of workers on purpose, so that nobody starts their workers
 * again unasked: for each an empty file of its name.
 *
 * @param folder folder of these files; made with the first of them
 */
public record DrainedHosts(Path folder) {

  private Path mark(Host host) {
    return folder.resolve(host.name());
  }

  public boolean has(Host host) {
    return Files.exists(mark(host));
  }

  /** Marks a host as drained. */
  public void add(Host host) {
    try {
      Files.createDirectories(folder);
      Files.write(mark(host), new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException("the mark that " + host.name() + " is drained", e);
    }
  }

  /** Removes a host's mark, if it has one. */
  public void remove(Host host) {
    try {
      Files.deleteIfExists(mark(host));
    } catch (IOException e) {
      throw new UncheckedIOException("the mark that " + host.name() + " is drained", e);
    }
  }
}
