package org.cartostream.bench.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.run.exit.ExitException;

/**
 * Hosts that are network namespaces of this machine, made by {@code scripts/network-hosts}: one for
 * the servers, and others for workers. Owns them.
 *
 * @param name of all; the hosts are {@code name-1}, {@code name-2}, ...
 * @param file file of the hosts, as a cluster takes it
 */
record NamespaceHosts(String name, Path file) implements AutoCloseable {

  private static final Path SCRIPT =
      Path.of(System.getProperty("cartostream.root", "."), "scripts/network-hosts");

  /**
   * Makes hosts.
   *
   * @param count number of hosts with workers
   * @param slots number of workers that each of them takes
   * @throws ExitException if the kernel, or the user's rights, do not allow it
   */
  static NamespaceHosts up(Path folder, int count, int slots)
      throws IOException, InterruptedException {
    NamespaceHosts hosts =
        new NamespaceHosts("scale" + ProcessHandle.current().pid(), folder.resolve("hosts.yaml"));
    if (hosts.run(hosts.file, "up", hosts.name, Integer.toString(count + 1)) != 0) {
      throw ExitException.failed(
          "there are no network namespaces here (see above): --hosts needs root, and the command ip");
    }
    String all = Files.readString(hosts.file);
    Files.writeString(hosts.file, all.replace("slots: 1", "slots: " + slots));
    return hosts;
  }

  private int run(Path output, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
    command.addAll(List.of(words));
    return new ProcessBuilder(command)
        .redirectOutput(output.toFile())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start()
        .waitFor();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    run(file.resolveSibling("hosts-down.txt"), "down", name);
  }
}
