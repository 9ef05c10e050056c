package org.cartostream.cli.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A host's part of a cluster on a machine with other files: the same path there as here.
 *
 * @param home of the cluster
 * @param host which
 */
record Copy(Path home, Host host) {

  private static final long SECONDS = 600;

  /** Sends the files; links become what they lead to. */
  void send() {
    List<String> unpack = new ArrayList<>(host.shell());
    String folder = Host.quoted(home.toString());
    unpack.set(
        unpack.size() - 1, "umask 077 && mkdir -p %s && tar -xf - -C %s".formatted(folder, folder));
    ProcessBuilder pack =
        new ProcessBuilder("tar", "-chf", "-", "-C", home.toString(), host.name());
    try {
      List<Process> pipe =
          ProcessBuilder.startPipeline(
              List.of(
                  pack.redirectError(ProcessBuilder.Redirect.INHERIT),
                  new ProcessBuilder(unpack).redirectError(ProcessBuilder.Redirect.INHERIT)));
      for (Process end : pipe) {
        if (!end.waitFor(SECONDS, TimeUnit.SECONDS) || end.exitValue() != 0) {
          throw new ClusterException("the files cannot be copied to " + host.name());
        }
      }
    } catch (IOException e) {
      throw new ClusterException("the files cannot be copied to " + host.name(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while copying to " + host.name(), e);
    }
  }

  /** Deletes them there. */
  void delete() {
    host.run(
        "rm -rf %s && { rmdir %s 2>/dev/null || true; }\n"
            .formatted(
                Host.quoted(home.resolve(host.name()).toString()), Host.quoted(home.toString())));
  }
}
