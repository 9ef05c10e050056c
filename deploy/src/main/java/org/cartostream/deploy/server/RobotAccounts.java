package org.cartostream.deploy.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.deploy.certificate.ClusterCertificates;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.deploy.spec.PasswordFiles;

/**
 * Accounts of robots and observers at a cluster's broker, each with its queues and with a password,
 * or, where there is TLS, a certificate.
 */
public record RobotAccounts(ClusterHome home, ClusterSpec plan) {

  /**
   * Time-out of the broker's own tool: it computes for seconds, which a busy machine makes minutes.
   */
  private static final long TELL_SECONDS = 300;

  /**
   * Registers a robot at the broker; a registered robot keeps its account.
   *
   * @throws org.cartostream.broker.RefusedMessageException if {@code robot} is no robot's id
   * @throws ClusterException if the broker does not take the robot, or one of this id was removed
   */
  public void register(String robot) {
    if (RobotId.check(robot).equals(BrokerUsers.SERVICE)) {
      throw new ClusterException(
          "no robot of a cluster can be called '" + robot + "': so is the service's own user");
    }
    if (Files.exists(removed(robot))) {
      throw new ClusterException(
          "a robot '%s' was removed, and its certificate would open the broker again; take another id"
              .formatted(robot));
    }
    String password = new PasswordFiles(home.secrets()).password(robot);
    importDefinitions(robot, new BrokerUsers().withRobot(robot, password));
  }

  /**
   * Registers an observer at the broker, as a robot is registered.
   *
   * @return the user name of the observer
   * @throws org.cartostream.broker.RefusedMessageException if {@code name} breaks the rule for ids
   */
  public String registerObserver(String name) {
    String user = BrokerUsers.observer(name);
    String password = new PasswordFiles(home.secrets()).password(user);
    importDefinitions(user, new BrokerUsers().withObserver(name, password));
    return user;
  }

  /**
   * Deletes a robot's account: its connections, its queues with their messages, its secrets.
   *
   * @throws ClusterException if there is no such robot, or the broker does not delete it
   */
  public void remove(String robot) {
    PasswordFiles passwords = new PasswordFiles(home.secrets());
    Path password = passwords.file(RobotId.check(robot));
    if (robot.equals(BrokerUsers.SERVICE) || !Files.exists(password)) {
      throw new ClusterException("the cluster knows no robot '" + robot + "'");
    }
    String tool = tool() + " -q ";
    List<String> queues = BrokerUsers.queuesOfAccount(robot, passwords.password(robot));
    plan.hostOf(HostRole.BROKER)
        .run(
            "%1$s delete_user %2$s; %1$s -p %3$s delete_queue %4$s; %1$s -p %3$s delete_queue %5$s; ! %1$s list_users | grep -qw %2$s\n"
                .formatted(
                    tool,
                    Host.quoted(robot),
                    BrokerUsers.VHOST,
                    Host.quoted(queues.get(0)),
                    Host.quoted(queues.get(1))),
            TELL_SECONDS);
    try {
      if (plan.secure()) {
        Files.createDirectories(removed(robot).getParent());
        Files.move(new ClusterCertificates(home).of(robot).folder(), removed(robot));
      }
      Files.delete(password);
    } catch (IOException e) {
      throw new ClusterException("the secrets of '" + robot + "' stay: " + e, e);
    }
  }

  private Path removed(String robot) {
    return home.secrets().resolve("removed").resolve(robot);
  }

  /** Returns the command of the broker's own tool, with its environment. */
  private String tool() {
    return new BrokerConfiguration(home, plan)
        .node().environment().entrySet().stream()
            .map(entry -> entry.getKey() + "=" + Host.quoted(entry.getValue()))
            .collect(Collectors.joining(" ", "env ", " " + RabbitMqNode.TOOL));
  }

  /**
   * Imports definitions into the running broker, which keeps what it has. Somebody else may import
   * a robot at the same time, so the file is this call's own.
   */
  private void importDefinitions(String user, BrokerUsers brokerUsers) {
    if (plan.secure()) {
      new ClusterCertificates(home).issueForUser(user);
    }
    RabbitMqNode node = new BrokerConfiguration(home, plan).node();
    String pattern = Host.quoted(node.folder().resolve("robot.XXXXXXXX").toString());
    plan.hostOf(HostRole.BROKER)
        .run(
            """
        umask 077
        file=$(mktemp %s) || exit
        cat >"$file" <<'DEFINITIONS'
        %s
        DEFINITIONS
        %s import_definitions "$file"; result=$?
        rm -f "$file"
        exit $result
        """
                .formatted(pattern, brokerUsers.definitions(), tool()),
            TELL_SECONDS);
  }
}
