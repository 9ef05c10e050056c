package org.cartostream.deploy.submission;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import org.awaitility.core.ConditionTimeoutException;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.topology.Filters;
import org.cartostream.topology.Robot;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;

/**
 * The service with real workers, for tests: submitted to a {@link TestCluster} of its own, behind
 * the embedded broker.
 */
final class SubmittedService implements AutoCloseable {

  /** For all that ends in time unless something is wrong. */
  static final Duration LONG = Duration.ofSeconds(240);

  private static final int PARTICLES = 10;

  private final EmbeddedBroker broker = EmbeddedBroker.start();
  private final TestCluster cluster;
  private final ServiceSettings settings;

  /** What a test does with the service. */
  interface Body {
    void run() throws Exception;
  }

  /** What a test does with a robot of the service. */
  interface RobotBody {
    void run(Robot robot) throws Exception;
  }

  /**
   * Starts the service and waits until the cluster has taken it; its workers may still be starting.
   *
   * @param topology what is not as in the defaults, as in {@code checkpoint}
   */
  static SubmittedService start(Map<String, String> topology, Map<String, String> checkpoint)
      throws Exception {
    return start(topology, checkpoint, Map.of(), Map.of());
  }

  /**
   * The same with more of a cluster.
   *
   * @param storm of its configuration
   * @param environment of all its processes
   */
  static SubmittedService start(
      Map<String, String> topology,
      Map<String, String> checkpoint,
      Map<String, Object> storm,
      Map<String, String> environment)
      throws Exception {
    SubmittedService service = new SubmittedService(topology, checkpoint, storm, environment);
    try {
      await().atMost(LONG).until(service.cluster::isReady);
      service.cluster.submit(service.settings);
      return service;
    } catch (ConditionTimeoutException e) {
      String logs = service.cluster.logs();
      service.close();
      throw new AssertionError(logs, e);
    }
  }

  private SubmittedService(
      Map<String, String> topology,
      Map<String, String> checkpoint,
      Map<String, Object> storm,
      Map<String, String> environment)
      throws Exception {
    cluster = new TestCluster(storm, environment);
    settings =
        new ServiceSettings(
            Filters.restless(PARTICLES),
            Settings.defaults(LocalisationSettings.class),
            BrokerSettings.defaults().withUri(broker.uri()),
            Settings.build(TopologySettings.class, topology),
            RegistrySettings.defaults(),
            Settings.build(CheckpointSettings.class, checkpoint));
  }

  TestCluster cluster() {
    return cluster;
  }

  ServiceSettings settings() {
    return settings;
  }

  /** Does something with a robot; if it fails, the failure has the ends of all processes' logs. */
  void withRobot(String name, RobotBody body) throws Exception {
    orLogs(
        () -> {
          try (Robot robot = new Robot(name, settings.broker())) {
            body.run(robot);
          }
        });
  }

  /** Does something; if it fails, the failure has the ends of all processes' logs. */
  void orLogs(Body body) throws Exception {
    try {
      body.run();
    } catch (ConditionTimeoutException | AssertionError e) {
      throw new AssertionError(cluster.logs(), e);
    }
  }

  @Override
  public void close() throws Exception {
    try {
      cluster.close();
    } finally {
      broker.close();
    }
  }
}
