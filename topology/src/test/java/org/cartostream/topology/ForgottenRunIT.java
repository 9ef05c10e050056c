package org.cartostream.topology;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Default;
import org.cartostream.topology.run.RobotRegistryWatch;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.TaskContext;
import org.junit.jupiter.api.Test;

/** A run is kept as long as its robot is registered in ZooKeeper. */
@Default
class ForgottenRunIT extends NetworkTest {

  private static final int TASKS = 3;

  /** With the resampler and the publisher. */
  private static final int RESTORABLE_TASKS = TASKS + 2;

  private static final Duration SOON = Duration.ofMinutes(1);
  private static final TaskContext PLACE =
      new TaskContext(
          0,
          TASKS,
          "test",
          ZooKeeperAccess.plain(""),
          "127.0.0.1",
          System::nanoTime,
          Runnable::run);

  private final List<Reading> readings = Drive.readings(11, 5);

  /** It charges, say; another that is not in the register is forgotten meanwhile. */
  @Test
  void isKeptWhileItsRobotIsInTheRegister() throws Exception {
    ServiceSettings settings = settings(TASKS, "robotTimeoutSeconds", "1");
    Network network = network(1, settings);
    try (TestingServer zookeeper = new TestingServer();
        Registry gateway = Registry.open(register(zookeeper).access(), register(zookeeper));
        RobotRegistryWatch robotRegistryWatch =
            RobotRegistryWatch.of(registered(settings, zookeeper), PLACE)) {
      network.restartDispatcher(robotRegistryWatch);
      gateway.register(
          Registry.Kind.ROBOTS, RegistryEntry.ofThisProcess("r1", RegistryEntry.ROS_1));
      drive(network, readings, 1, 3);
      network.send(reading("r2", 1, readings));
      Awaitility.await().atMost(SOON).until(() -> robotRegistryWatch.isThere("r1"));
      passUntil(network, () -> network.delivered(Streams.RUN_CLOSED) == RESTORABLE_TASKS);
      driveToTheEnd(network, readings, 4);
    }
    assertUndisturbed(settings, readings);
  }

  private static RegistrySettings register(TestingServer zookeeper) {
    return Settings.build(
        RegistrySettings.class, Map.of("zookeeper", zookeeper.getConnectString()));
  }

  private static ServiceSettings registered(ServiceSettings settings, TestingServer zookeeper) {
    return new ServiceSettings(
        settings.filter(),
        settings.localisation(),
        settings.broker(),
        settings.topology(),
        register(zookeeper),
        settings.checkpoint());
  }
}
