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
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.EmbeddedBroker;
import org.cartostream.broker.register.Entry;
import org.cartostream.broker.register.Register;
import org.cartostream.broker.register.RegisterException;
import org.cartostream.broker.register.RegisterSettings;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the service makes of a register in a real ZooKeeper that it shares with the robots. */
class DiscoveryTest {

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
      (Logger) LoggerFactory.getLogger(Presence.class.getPackageName());
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
    try (Register looking = Register.open(register().access(), register())) {
      service.close();
      await().atMost(SOON).until(() -> looking.list(Register.Kind.SERVICES).isEmpty());
    } finally {
      broker.close();
      zookeeper.close();
      LOGGER.setLevel(null);
      LOGGER.detachAppender(REMARKS);
    }
  }

  private static RegisterSettings register() {
    return Settings.build(
        RegisterSettings.class,
        Map.of("zookeeper", zookeeper.getConnectString(), "absenceSeconds", "1"));
  }

  private static ServiceSettings settings(RegisterSettings register) {
    return new ServiceSettings(
        Filters.restless(5),
        BrokerSettings.defaults().withUri(broker.uri()),
        Settings.defaults(TopologySettings.class),
        register);
  }

  private void say(Robot robot, int from, int to) {
    for (int sequence = from; sequence <= to; sequence++) {
      robot.say(sequence, readings.get(sequence - 1));
      robot.awaitAnswers(sequence);
    }
  }

  @Test
  void picksUpARobotAndReleasesItWhenItHasLeftTheRegisterAndNoOther() throws Exception {
    ServiceSettings settings = settings(register());
    try (Robot left = new Robot("left", settings.broker());
        Robot unregistered = new Robot("unregistered", settings.broker())) {
      try (Register gateway = Register.open(register().access(), register())) {
        gateway.enter(Register.Kind.ROBOTS, Entry.ofThisProcess("left", Entry.ROS_1));
        await().atMost(SOON).until(() -> REMARKS.has("robot left (ros1) has come"));
        say(left, 1, 3);
        say(unregistered, 1, 3);
      }
      await().atMost(SOON).until(() -> REMARKS.has("has left the register and is released"));
      say(left, 4, 4);
      say(unregistered, 4, 4);
      assertThat(left.answers().outcome(4)).contains("this service has not seen all of the run");
      assertThat(unregistered.answers().outcome(4)).contains("Neff");
    }
  }

  /** And it is there no more when the service ends, see {@link #stop}. */
  @Test
  void registersTheService() throws Exception {
    try (Register looking = Register.open(register().access(), register())) {
      await().atMost(SOON).until(() -> !looking.list(Register.Kind.SERVICES).isEmpty());
      assertThat(looking.list(Register.Kind.SERVICES))
          .containsExactly(Entry.ofThisProcess("service", Entry.SERVICE));
    }
  }

  @Test
  void doesNotStartWithAZooKeeperThatIsNotThere() {
    ServiceSettings settings =
        settings(
            Settings.build(
                RegisterSettings.class, Map.of("zookeeper", "127.0.0.1:1", "timeoutSeconds", "1")));
    assertThatThrownBy(() -> LocalService.start(settings))
        .isInstanceOf(RegisterException.class)
        .hasMessage("no ZooKeeper answers at 127.0.0.1:1");
  }
}
