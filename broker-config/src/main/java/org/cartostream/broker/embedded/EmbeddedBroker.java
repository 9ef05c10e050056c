package org.cartostream.broker.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener.DefaultSystemLauncherListener;
import org.apache.qpid.server.model.ConfiguredObject;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.model.SystemConfig;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.settings.Settings;

/**
 * Broker inside this JVM: Apache Qpid Broker-J on a free port of 127.0.0.1, with a password of its
 * own. Its queues are in memory, and are gone when it closes.
 *
 * <p>Owns the launcher and a temporary folder, which is deleted when the broker closes.
 */
public final class EmbeddedBroker implements AutoCloseable {

  private static final String CONFIGURATION = "embedded-broker.json";
  private static final int PASSWORD_BYTES = 24;

  /** Heartbeat of connections: the longest that the settings allow. */
  private static final String HEARTBEAT_SECONDS = "3600";

  private final Path folder;
  private final SystemLauncher launcher;
  private final String uri;

  private EmbeddedBroker(Path folder, SystemLauncher launcher, String uri) {
    this.folder = folder;
    this.launcher = launcher;
    this.uri = uri;
  }

  /**
   * Starts the broker, which takes three to four seconds.
   *
   * @throws BrokerException if the broker does not start
   */
  public static EmbeddedBroker start() {
    Path folder = temporaryFolder();
    String password = password();
    StartupListener startupListener = new StartupListener();
    SystemLauncher launcher = new SystemLauncher(startupListener);
    boolean started = false;
    try {
      launcher.startup(attributes(folder, password));
      String uri = "amqp://cartostream:" + password + "@127.0.0.1:" + startupListener.port();
      started = true;
      return new EmbeddedBroker(folder, launcher, uri);
    } catch (Exception e) {
      throw new BrokerException("the embedded broker does not start: " + e.getMessage(), e);
    } finally {
      // After an Error, too: the launcher's threads would keep the process alive.
      if (!started) {
        launcher.shutdown();
        delete(folder);
      }
    }
  }

  /** Returns the address with user and password, for {@link BrokerSettings#uri}. */
  public String uri() {
    return uri;
  }

  /**
   * Returns settings for connections within this process, with a long heartbeat: when the process
   * was stopped, or its laptop slept, broker and clients were silent alike, and must not give each
   * other up.
   */
  public BrokerSettings reachedBy(BrokerSettings wanted) {
    return Settings.with(wanted, Map.of("uri", uri, "heartbeatSeconds", HEARTBEAT_SECONDS));
  }

  /** Returns the temporary folder, which is deleted when the broker closes. */
  Path folder() {
    return folder;
  }

  @Override
  public void close() {
    launcher.shutdown();
    delete(folder);
  }

  /**
   * Listener to the broker's start: called before the broker is open, it knows the port afterwards.
   */
  private static final class StartupListener extends DefaultSystemLauncherListener {

    private SystemConfig<?> system;
    private RuntimeException failure;

    @Override
    public void onContainerResolve(SystemConfig<?> systemConfig) {
      system = systemConfig;
    }

    @Override
    public void errorOnStartup(RuntimeException e) {
      failure = e;
    }

    int port() {
      if (failure != null) {
        throw failure;
      }
      ConfiguredObject<?> broker = (ConfiguredObject<?>) system.getContainer();
      return broker.getChildren(Port.class).iterator().next().getBoundPort();
    }
  }

  private static Map<String, Object> attributes(Path folder, String password) {
    URL configuration = EmbeddedBroker.class.getResource(CONFIGURATION);
    return Map.of(
        ConfiguredObject.TYPE,
        "Memory",
        SystemConfig.INITIAL_CONFIGURATION_LOCATION,
        configuration.toExternalForm(),
        SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT,
        "false",
        ConfiguredObject.CONTEXT,
        Map.of("qpid.work_dir", folder.toString(), "cartostream.password", password));
  }

  private static String password() {
    byte[] bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static Path temporaryFolder() {
    // Reads the property's present value; Files would use the value at the JVM's start.
    Path place = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      return Files.createTempDirectory(place, "cartostream-broker-");
    } catch (IOException e) {
      String why = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
      throw new BrokerException(
          "the embedded broker needs a temporary folder, and none can be made in %s: %s; -Djava.io.tmpdir=DIR in CARTOSTREAM_JVM_OPTS names another place"
              .formatted(place, why),
          e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }
}
