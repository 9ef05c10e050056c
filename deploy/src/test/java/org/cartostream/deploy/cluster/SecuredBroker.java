package org.cartostream.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.cartostream.broker.connection.AmqpConnections;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.process.ServerProcess;
import org.cartostream.deploy.server.ClusterServers;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.deploy.spec.PasswordFiles;
import org.cartostream.slam.sensor.Refusal;
import org.junit.jupiter.api.Assumptions;

/** A secured cluster's RabbitMQ, running without the cluster's other servers, and its clients. */
final class SecuredBroker implements AutoCloseable {

  static final Duration SOON = Duration.ofSeconds(120);
  static final BrokerSettings DEFAULTS = BrokerSettings.defaults();

  /** What a client tries to do. */
  interface Attempt {
    void on(Channel channel) throws Exception;
  }

  /** Keeps who sent what came, and why something was refused. */
  static final class Collector implements Receiver {
    final Queue<String> received = new ConcurrentLinkedQueue<>();
    final Queue<Refusal> refused = new ConcurrentLinkedQueue<>();

    @Override
    public void received(Envelope envelope, Receipt receipt) {
      received.add(envelope.robot());
      receipt.acknowledge();
    }

    @Override
    public void refused(Refusal.Reason why) {
      refused.add(why.refusal());
    }
  }

  private final ClusterHome home;
  private final ClusterServers servers;
  private final Cluster cluster;

  /**
   * Makes the cluster's files.
   *
   * @param folder which must not be there yet
   */
  SecuredBroker(Path folder) throws Exception {
    home = new ClusterHome(folder);
    ClusterSpec clusterSpec = ClusterSpec.onThisMachine(1, true, 256);
    home.claim();
    home.create(clusterSpec);
    servers = new ClusterServers(home, clusterSpec);
    servers.writeFiles(
        new BrokerUsers()
            .withService(new PasswordFiles(home.secrets()).password(BrokerUsers.SERVICE)));
    cluster = Cluster.at(home);
  }

  /** One that listens, in a folder; skips the test where there is no RabbitMQ. */
  static SecuredBroker started(Path folder) throws Exception {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    SecuredBroker broker = new SecuredBroker(folder.resolve("cluster"));
    broker.start();
    return broker;
  }

  /** Returns when it listens. */
  void start() {
    ServerProcess broker =
        servers.daemons().stream()
            .filter(d -> d.role() == HostRole.BROKER)
            .findFirst()
            .orElseThrow();
    broker.start();
    await().atMost(SOON).until(broker::isListening);
  }

  ClusterHome home() {
    return home;
  }

  ClusterAccess access() {
    return cluster.access();
  }

  /** As the service's user. */
  BrokerSettings service() {
    return access().brokerForService(DEFAULTS);
  }

  /** As that robot's user, who is made if there is none. */
  BrokerSettings robot(String id) {
    return access().brokerForRobot(id, DEFAULTS);
  }

  ClusterHealth health() {
    return new ClusterHealth(cluster, servers);
  }

  static BrokerConnection open(BrokerSettings settings) {
    return BrokerConnection.open(settings, "test", BrokerListener.NONE);
  }

  Connection connect(String robot) throws Exception {
    return AmqpConnections.factory(robot(robot)).newConnection("test");
  }

  /** The last message of a run of that robot. */
  static Envelope end(String robot) {
    return new Envelope(robot, 1, 1, 0, new EndMessage(0, 0));
  }

  /** As that robot, the attempt ends with RabbitMQ's ACCESS_REFUSED. */
  void denied(String robot, Attempt attempt) throws Exception {
    denied(robot(robot), attempt);
  }

  /** The same as whoever the settings name. */
  void denied(BrokerSettings settings, Attempt attempt) throws Exception {
    try (Connection connection = AmqpConnections.factory(settings).newConnection("test")) {
      Channel channel = connection.createChannel();
      assertThatThrownBy(() -> attempt.on(channel))
          .isInstanceOfAny(
              IOException.class, ShutdownSignalException.class, AlreadyClosedException.class)
          .hasStackTraceContaining("ACCESS_REFUSED");
    }
  }

  @Override
  public void close() {
    cluster.down();
  }
}
