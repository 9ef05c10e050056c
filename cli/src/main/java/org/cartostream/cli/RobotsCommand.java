package org.cartostream.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.RobotDescription;
import org.cartostream.gateway.RobotRegistration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cartostream robots}. */
@Command(
    name = "robots",
    description = {"List the robots that are registered in ZooKeeper now.", ""},
    footer = {"", "Example:", "  cartostream robots --zookeeper localhost:2181"})
final class RobotsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOST:PORT",
      required = true,
      description = "ZooKeeper's servers, separated by commas.")
  private String zookeeper;

  @Override
  public Integer call() throws InterruptedException {
    List<RobotDescription> robots;
    try {
      robots =
          RobotRegistration.registered(
              ZooKeeperAccess.plain(zookeeper), GatewaySettings.defaults());
    } catch (GatewayException e) {
      throw Failure.failed(e.getMessage(), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    for (RobotDescription robot : robots) {
      out.printf(
          "%s  %s  %s  version %s%n", robot.id(), robot.type(), robot.address(), robot.version());
    }
    if (robots.isEmpty()) {
      out.println("no robot is registered at " + zookeeper);
    }
    out.flush();
    return 0;
  }
}
