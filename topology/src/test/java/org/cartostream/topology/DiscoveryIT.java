package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.curator.test.TestingServer;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.broker.registry.RegistryException;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.testing.Default;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the service makes of a register in a real ZooKeeper that it shares with the robots. */
@Default
class DiscoveryIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  /** Appends to a list that another thread may read. */
  private static final class Remarks extends ListAppender<ILoggingEvent> {

    Remarks() {
      list = new CopyOnWriteArrayList<>();
    }

    boolean has(String words) {
      return list.stream().anyMatch(event -> event.getFormattedMessage().contains(words));
    }
  }

  private static final Logger LOGGER =
      (Logger) LoggerFactory.getLogger(DiscoveryIT.class.getPackageName());
  private static final Remarks REMARKS = new Remarks();

  private static TestingServer zookeeper;
  private static EmbeddedBroker broker;
  private static LocalService service;

  private final List<Reading> readings = Recorded.office(4);

  @BeforeAll
  static void start() throws Exception {
    REMARKS.start();
    LOGGER.addAppender(REMARKS);
    LOGGER.setLevel(Level.INFO);
    zookeeper = new TestingServer();
    broker = EmbeddedBroker.start();
    service = LocalService.start(settings(register()));
  }

  @AfterAll
  static void stop() throws Exception {
    try (Registry looking = Registry.open(register().access(), register())) {
      service.close();
      await().atMost(SOON).until(() -> looking.list(Registry.Kind.SERVICES).isEmpty());
    } finally {
      broker.close();
      zookeeper.close();
      LOGGER.setLevel(null);
      LOGGER.detachAppender(REMARKS);
    }
  }

  private static RegistrySettings register() {
    return Settings.build(
        RegistrySettings.class,
        Map.of("zookeeper", zookeeper.getConnectString(), "absenceSeconds", "1"));
  }

  private static ServiceSettings settings(RegistrySettings register) {
    return new ServiceSettings(
        Filters.restless(5),
        Settings.defaults(LocalisationSettings.class),
        BrokerSettings.defaults().withUri(broker.uri()),
        Settings.defaults(TopologySettings.class),
        register,
        Settings.defaults(CheckpointSettings.class));
  }

  private void send(Robot robot, int from, int to) {
    for (int sequence = from; sequence <= to; sequence++) {
      robot.send(sequence, readings.get(sequence - 1));
      robot.awaitAnswers(sequence);
    }
  }

  @Test
  void picksUpARobotAndReleasesItWhenItHasLeftTheRegisterAndNoOther() throws Exception {
    ServiceSettings settings = settings(register());
    try (Robot left = new Robot("left", settings.broker());
        Robot unregistered = new Robot("unregistered", settings.broker())) {
      try (Registry gateway = Registry.open(register().access(), register())) {
        gateway.register(
            Registry.Kind.ROBOTS, RegistryEntry.ofThisProcess("left", RegistryEntry.ROS_1));
        await().atMost(SOON).until(() -> REMARKS.has("robot left (ros1) has come"));
        send(left, 1, 3);
        send(unregistered, 1, 3);
      }
      await().atMost(SOON).until(() -> REMARKS.has("has left the registry and is released"));
      send(left, 4, 4);
      send(unregistered, 4, 4);
      assertThat(left.answers().outcome(4)).contains("Readings 1 to 3 are lost");
      assertThat(unregistered.answers().outcome(4)).contains("SampleSize=");
    }
  }

  /** And it is there no more when the service ends, see {@link #stop}. */
  @Test
  void registersTheService() throws Exception {
    try (Registry looking = Registry.open(register().access(), register())) {
      await().atMost(SOON).until(() -> !looking.list(Registry.Kind.SERVICES).isEmpty());
      assertThat(looking.list(Registry.Kind.SERVICES))
          .containsExactly(RegistryEntry.ofThisProcess("service", RegistryEntry.SERVICE));
    }
  }

  @Test
  void doesNotStartWithAZooKeeperThatIsNotThere() {
    ServiceSettings settings =
        settings(
            Settings.build(
                RegistrySettings.class, Map.of("zookeeper", "127.0.0.1:1", "timeoutSeconds", "1")));
    assertThatThrownBy(() -> LocalService.start(settings))
        .isInstanceOf(RegistryException.class)
        .hasMessage("no ZooKeeper answers at 127.0.0.1:1");
  }
}
