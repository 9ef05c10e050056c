package org.cartostream.broker.rabbitmq;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * RabbitMQ node with a name, ports, files and a port mapper of its own, which the server and
 * RabbitMQ's own tools are told by environment variables. Its address for clients is in its {@code
 * rabbitmq.conf}.
 *
 * @param folder folder of all its files; also its home, so that its Erlang cookie is its own
 * @param name name before the {@code @localhost}
 * @param distributionPort port of 127.0.0.1 at which other nodes and the tools reach it
 * @param epmdPort port of 127.0.0.1 at which its port mapper listens
 */
public record RabbitMqNode(Path folder, String name, int distributionPort, int epmdPort) {

  /** Name of the package to install if the server is missing. */
  public static final String PACKAGE = "rabbitmq-server";

  /** Folder of RabbitMQ's own scripts; Debian's wrappers in the path would change the user. */
  private static final Path SCRIPTS =
      Stream.of(Path.of("/usr/lib/rabbitmq/bin"), Path.of("/opt/homebrew/sbin"))
          .filter(folder -> Files.isExecutable(folder.resolve("rabbitmq-server")))
          .findFirst()
          .orElse(Path.of("/usr/lib/rabbitmq/bin"));

  /** Script that runs the server. */
  public static final Path SERVER = SCRIPTS.resolve("rabbitmq-server");

  /** Script that talks to a running server. */
  public static final Path TOOL = SCRIPTS.resolve("rabbitmqctl");

  /**
   * Returns a sentence that says what has to be installed for a node to run; empty if nothing is
   * missing.
   */
  public static Optional<String> missing() {
    return Files.isExecutable(SERVER)
        ? Optional.empty()
        : Optional.of("RabbitMQ is not installed: apt-get install " + PACKAGE);
  }

  /** Returns the environment for server and tools. */
  public Map<String, String> environment() {
    return Map.ofEntries(
        Map.entry("HOME", folder.toString()),
        Map.entry("RABBITMQ_NODENAME", name + "@localhost"),
        Map.entry("RABBITMQ_DIST_PORT", Integer.toString(distributionPort)),
        Map.entry("RABBITMQ_MNESIA_BASE", folder.resolve("mnesia").toString()),
        Map.entry("RABBITMQ_LOG_BASE", folder.resolve("log").toString()),
        Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("enabled_plugins").toString()),
        Map.entry("RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq").toString()),
        Map.entry("RABBITMQ_PID_FILE", folder.resolve("pid").toString()),
        Map.entry(
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}"),
        Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
        Map.entry("ERL_EPMD_PORT", Integer.toString(epmdPort)));
  }
}
