package org.cartostream.deploy.server;

import java.util.stream.Collectors;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.deploy.certificate.ClusterCertificates;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.Role;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.deploy.spec.PasswordFiles;

/**
 * Accounts of the robots at a cluster's broker, each with a password, and a certificate where there
 * is TLS.
 */
public record RobotAccounts(ClusterHome home, ClusterSpec plan) {

  /** The broker's own tool computes for seconds, which a busy machine makes minutes. */
  private static final long TELL_SECONDS = 300;

  /**
   * Makes a robot known to the broker; one that is known keeps what it has.
   *
   * @throws org.cartostream.broker.RefusedMessageException if it is no robot's id
   * @throws ClusterException if the broker does not take it
   */
  public void register(String robot) {
    if (RobotId.check(robot).equals(BrokerUsers.SERVICE)) {
      throw new ClusterException(
          "no robot of a cluster can be called '" + robot + "': so is the service's own user");
    }
    PasswordFiles passwordFiles = new PasswordFiles(home.secrets());
    BrokerUsers brokerUsers = new BrokerUsers().withRobot(robot, passwordFiles.password(robot));
    if (plan.secure()) {
      new ClusterCertificates(home).issueForRobot(robot);
    }
    importDefinitions(brokerUsers);
  }

  /**
   * The broker takes definitions while it runs; what it has stays. Others may be telling it of
   * their robots at the same time, so the file is this call's own.
   */
  private void importDefinitions(BrokerUsers brokerUsers) {
    Host host = plan.hostOf(Role.BROKER);
    RabbitMqNode node = new BrokerConfiguration(home, plan).node();
    String environment =
        node.environment().entrySet().stream()
            .map(entry -> entry.getKey() + "=" + Host.quoted(entry.getValue()))
            .collect(Collectors.joining(" "));
    String pattern = Host.quoted(node.folder().resolve("robot.XXXXXXXX").toString());
    host.run(
        """
        umask 077
        file=$(mktemp %s) || exit
        cat >"$file" <<'DEFINITIONS'
        %s
        DEFINITIONS
        env %s %s import_definitions "$file"; result=$?
        rm -f "$file"
        exit $result
        """
            .formatted(pattern, brokerUsers.definitions(), environment, RabbitMqNode.TOOL),
        TELL_SECONDS);
  }
}
