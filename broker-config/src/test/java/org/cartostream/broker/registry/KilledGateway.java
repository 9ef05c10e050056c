package org.cartostream.broker.registry;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.cartostream.settings.Settings;

/** A gateway in a process of its own, which registers its robot and is there until it is killed. */
final class KilledGateway {

  private KilledGateway() {}

  /** Starts one, which registers a second or so later. */
  static Process start(String zookeeper, String robot) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            KilledGateway.class.getName(),
            zookeeper,
            robot)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /**
   * @param arguments ZooKeeper and the robot's id
   */
  public static void main(String[] arguments) throws Exception {
    RegistrySettings settings =
        Settings.build(RegistrySettings.class, Map.of("sessionSeconds", "6"));
    try (Registry registry = Registry.open(ZooKeeperAccess.plain(arguments[0]), settings)) {
      registry.register(
          Registry.Kind.ROBOTS, RegistryEntry.ofThisProcess(arguments[1], RegistryEntry.LOG));
      System.in.read(); // Until it is killed, or who started it is gone.
    }
  }
}
