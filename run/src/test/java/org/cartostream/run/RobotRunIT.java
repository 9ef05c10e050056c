package org.cartostream.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.broker.registry.RegistryException;
import org.cartostream.gateway.ros.RosGateway;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.GatewayMeters;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.testing.Default;
import org.cartostream.topology.local.LocalZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Beside a gateway that has the robot, with a broker and a ZooKeeper that both use. */
@Default
@Timeout(120)
class RobotRunIT {

  @TempDir private Path folder;

  /** It would take the other's readings, and share its checkpoints. */
  @Test
  void startsNoServiceOfItsOwnForARobotThatAnotherHas() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(RosGateway.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(lines);
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        LocalZooKeeper zookeeper = LocalZooKeeper.start()) {
      String servers = "127.0.0.1:" + zookeeper.port();
      RootSettings settings =
          Settings.build(
              RootSettings.class,
              Map.of("broker.uri", broker.uri(), "registry.zookeeper", servers));
      try (Registry other = Registry.open(settings.registry().access(), settings.registry())) {
        other.register(
            Registry.Kind.ROBOTS, RegistryEntry.ofThisProcess("r1", RegistryEntry.ROS_2));
        assertThatThrownBy(() -> run(settings))
            .isInstanceOf(RegistryException.class)
            .hasMessageContaining("a robot 'r1' is registered already by the gateway at");
      }
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(null);
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .doesNotContain("the service starts");
  }

  private void run(RootSettings settings) throws InterruptedException {
    try (GatewayMeters meters = new GatewayMeters("r1", settings.gateway())) {
      new FakeGraph(() -> true, Set.of())
          .run(folder, false, new ShutdownRequest())
          .run(any -> settings, said -> {}, List.of(), meters);
    }
  }
}
