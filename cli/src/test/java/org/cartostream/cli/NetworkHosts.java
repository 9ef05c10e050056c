package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cartostream.run.Logs;

/**
 * Hosts that are network namespaces of this machine, made by {@code scripts/network-hosts}. Owns
 * them.
 *
 * @param name of all; the hosts are {@code name-1}, {@code name-2}, ...
 * @param file {@code hosts.yaml}
 */
public record NetworkHosts(String name, Path file) implements AutoCloseable {

  /** Makes some; empty where the kernel, or the user's rights, do not allow it. */
  public static Optional<NetworkHosts> up(Path folder, String name, int count, int slots)
      throws IOException, InterruptedException {
    Path file = folder.resolve(name + ".yaml");
    if (run(file, "up", name, Integer.toString(count)) != 0) {
      return Optional.empty();
    }
    Files.writeString(file, Files.readString(file).replace("slots: 1", "slots: " + slots));
    return Optional.of(new NetworkHosts(name, file));
  }

  /** Takes a host's link down, or up again. */
  public void link(String host, boolean up) throws IOException, InterruptedException {
    assertThat(run(file.resolveSibling("link.out"), up ? "mend" : "cut", host)).isZero();
  }

  /** A share of what comes to a host is lost from now on, in percent. */
  public void lose(String host, int percent) throws IOException, InterruptedException {
    assertThat(run(file.resolveSibling("lose.out"), "lose", host, Integer.toString(percent)))
        .isZero();
  }

  private static int run(Path output, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Logs.ROOT.resolve("scripts/network-hosts").toString());
    command.addAll(List.of(words));
    return new ProcessBuilder(command)
        .redirectOutput(output.toFile())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start()
        .waitFor();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    assertThat(run(file.resolveSibling("down.out"), "down", name)).isZero();
  }
}
