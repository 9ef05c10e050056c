package org.cartostream.cli.cluster;

import java.util.stream.Collectors;
import org.cartostream.broker.Accounts;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.local.RabbitMqNode;

/**
 * The robots that a cluster's broker knows, each with a password, and a certificate where there is
 * TLS.
 */
record Robots(ClusterHome home, Plan plan) {

  /** The broker's own tool computes for seconds, which a busy machine makes minutes. */
  private static final long TELL_SECONDS = 300;

  /**
   * Makes a robot known to the broker; one that is known keeps what it has.
   *
   * @throws org.cartostream.broker.RefusedMessageException if it is no robot's id
   * @throws ClusterException if the broker does not take it
   */
  void admit(String robot) {
    if (RobotId.check(robot).equals(Accounts.SERVICE)) {
      throw new ClusterException(
          "no robot of a cluster can be called '" + robot + "': so is the service's own user");
    }
    Secrets secrets = new Secrets(home.secrets());
    Accounts accounts = new Accounts().withRobot(robot, secrets.password(robot));
    if (plan.secure()) {
      new Identities(home).admit(robot);
    }
    tell(accounts);
  }

  /**
   * The broker takes definitions while it runs; what it has stays. Others may be telling it of
   * their robots at the same time, so the file is this call's own.
   */
  private void tell(Accounts accounts) {
    Host host = plan.only(Role.BROKER);
    RabbitMqNode node = new BrokerFiles(home, plan).node();
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
            .formatted(pattern, accounts.definitions(), environment, RabbitMqNode.TOOL),
        TELL_SECONDS);
  }
}
