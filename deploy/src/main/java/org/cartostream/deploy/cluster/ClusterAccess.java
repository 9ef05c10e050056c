package org.cartostream.deploy.cluster;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;
import org.cartostream.broker.connection.AmqpConnections;
import org.cartostream.broker.connection.BrokerAddress;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.deploy.certificate.ClusterCertificates;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.server.RobotAccounts;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.deploy.spec.PasswordFiles;

/** Access to a cluster's broker: addresses, users and certificates. */
public final class ClusterAccess {

  private final ClusterHome home;
  private final ClusterSpec clusterSpec;

  ClusterAccess(ClusterHome home, ClusterSpec clusterSpec) {
    this.home = home;
    this.clusterSpec = clusterSpec;
  }

  /**
   * Returns broker settings for the service's workers, whose user and password are in their
   * environment.
   */
  public BrokerSettings brokerForWorkers(BrokerSettings settings) {
    return settings.withUri(uri("")).withTls("");
  }

  /** Returns broker settings of the service's user, for a connection from this machine. */
  public BrokerSettings brokerForService(BrokerSettings settings) {
    return brokerAs(BrokerUsers.SERVICE, new ClusterCertificates(home).client().folder(), settings);
  }

  /**
   * Returns broker settings of a robot's user, for a connection from this machine. Makes the
   * robot's account, if there is none yet.
   *
   * @throws org.cartostream.broker.RefusedMessageException if {@code robot} is no robot's id
   */
  public BrokerSettings brokerForRobot(String robot, BrokerSettings settings) {
    new RobotAccounts(home, clusterSpec).register(robot);
    return brokerAs(robot, new ClusterCertificates(home).of(robot).folder(), settings);
  }

  /**
   * Returns the environment variables of a robot's gateway. Makes the robot's account, if there is
   * none yet. Of a password the variable names the file.
   */
  public Map<String, String> environmentForRobot(String robot) {
    new RobotAccounts(home, clusterSpec).register(robot);
    return environmentFor(robot);
  }

  /**
   * Returns the environment variables of an observer. Makes the observer's account, if there is
   * none yet.
   *
   * @throws org.cartostream.broker.RefusedMessageException if {@code name} breaks the rule for ids
   */
  public Map<String, String> environmentForObserver(String name) {
    return environmentFor(new RobotAccounts(home, clusterSpec).registerObserver(name));
  }

  /**
   * Returns the number of consumers of a service's queue of readings; 0 also if the service has no
   * queue.
   *
   * @return empty if the broker does not answer now
   */
  public OptionalInt readersOf(String service) {
    return readers(BrokerNames.serviceQueue(service));
  }

  /**
   * Returns the number of consumers of a robot's answers, of which one alone is served; empty if
   * the broker does not answer now.
   */
  public OptionalInt readersOfAnswers(String robot) {
    PasswordFiles passwords = new PasswordFiles(home.secrets());
    if (!Files.exists(passwords.file(robot))) {
      return OptionalInt.of(0); // The call below would make a password.
    }
    return readers(
        BrokerUsers.queueOfAccount(BrokerNames.certainQueue(robot), passwords.password(robot)));
  }

  private OptionalInt readers(String queue) {
    BrokerSettings settings = brokerForService(BrokerSettings.defaults());
    try (Connection connection = AmqpConnections.factory(settings).newConnection("command line")) {
      Channel channel = connection.createChannel();
      return OptionalInt.of(channel.queueDeclarePassive(queue).getConsumerCount());
    } catch (IOException | TimeoutException | GeneralSecurityException e) {
      return isMissingQueue(e) ? OptionalInt.of(0) : OptionalInt.empty();
    }
  }

  private static boolean isMissingQueue(Exception e) {
    return e.getCause() instanceof ShutdownSignalException signal
        && signal.getReason() instanceof AMQP.Channel.Close close
        && close.getReplyCode() == AMQP.NOT_FOUND;
  }

  /** Deletes a robot's account. */
  public void removeRobot(String robot) {
    new RobotAccounts(home, clusterSpec).remove(robot);
  }

  private Map<String, String> environmentFor(String user) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put(BrokerAddress.USER_VARIABLE, user);
    environment.put(
        BrokerAddress.PASSWORD_FILE_VARIABLE,
        new PasswordFiles(home.secrets()).file(user).toString());
    if (clusterSpec.secure()) {
      environment.put(
          TlsFolder.VARIABLE, new ClusterCertificates(home).of(user).folder().toString());
    }
    environment.put("CARTOSTREAM_BROKER", uri(""));
    return environment;
  }

  private BrokerSettings brokerAs(String user, Path tls, BrokerSettings settings) {
    String login = user + ":" + new PasswordFiles(home.secrets()).password(user) + "@";
    return settings.withUri(uri(login)).withTls(clusterSpec.secure() ? tls.toString() : "");
  }

  private String uri(String login) {
    String scheme = clusterSpec.secure() ? "amqps://" : "amqp://";
    String at = clusterSpec.addressOf(HostRole.BROKER) + ":" + clusterSpec.ports().broker();
    return scheme + login + at + "/" + BrokerUsers.VHOST;
  }
}
