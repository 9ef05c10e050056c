package org.cartostream.deploy.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.spec.ClusterHome;

/**
 * Files of a host that does not share this machine's files: they have the same path there as here.
 *
 * @param home folders of the cluster
 * @param host the host
 */
public record RemoteFiles(ClusterHome home, Host host) {

  private static final long SECONDS = 600;

  /**
   * Sends the host's files, and those that are the same on all hosts; links become what they name.
   */
  public void send() {
    List<String> pack =
        new ArrayList<>(List.of("tar", "-chf", "-", "-C", home.folder().toString(), host.name()));
    if (Files.exists(home.client())) {
      pack.add(home.client().getFileName().toString());
    }
    List<String> unpack = new ArrayList<>(host.shell());
    String folder = Host.quoted(home.folder().toString());
    unpack.set(
        unpack.size() - 1, "umask 077 && mkdir -p %s && tar -xf - -C %s".formatted(folder, folder));
    pipe(pack, unpack);
  }

  private void pipe(List<String> pack, List<String> unpack) {
    List<Process> pipe = List.of();
    try {
      pipe =
          ProcessBuilder.startPipeline(
              List.of(
                  new ProcessBuilder(pack).redirectError(Redirect.INHERIT),
                  new ProcessBuilder(unpack).redirectError(Redirect.INHERIT)));
      for (Process end : pipe) {
        if (!end.waitFor(SECONDS, TimeUnit.SECONDS)) {
          throw new ClusterException(
              "the files are not at " + host.name() + " after " + SECONDS + " s");
        }
      }
      int packed = pipe.get(0).exitValue();
      int unpacked = pipe.get(1).exitValue();
      if (packed != 0 || unpacked != 0) {
        throw new ClusterException(
            "the files cannot be copied to %s: tar ended here with %d, and there with %d"
                .formatted(host.name(), packed, unpacked));
      }
    } catch (IOException e) {
      throw new ClusterException(
          "the files cannot be copied to " + host.name() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while copying to " + host.name(), e);
    } finally {
      pipe.forEach(Process::destroyForcibly);
    }
  }

  /** Deletes the files on the host. */
  public void delete() {
    host.run(
        "rm -rf %s %s && { rmdir %s 2>/dev/null || true; }\n"
            .formatted(
                Host.quoted(home.of(host).toString()),
                Host.quoted(home.client().toString()),
                Host.quoted(home.folder().toString())));
  }
}
