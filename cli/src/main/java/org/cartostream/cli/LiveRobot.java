package org.cartostream.cli;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.EmbeddedBroker;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.Live;
import org.cartostream.gateway.RobotDescription;
import org.cartostream.gateway.RobotRegistration;
import org.cartostream.gateway.ros.GmappingParameters;
import org.cartostream.gateway.ros.MasterWatch;
import org.cartostream.gateway.ros.RosGateway;
import org.cartostream.gateway.ros.client.RosArguments;
import org.cartostream.gateway.ros.client.RosException;
import org.cartostream.gateway.ros.client.RosNode;
import org.cartostream.gateway.ros.client.TcpRosNode;
import org.cartostream.topology.LocalService;
import org.cartostream.topology.ServiceSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps with one live robot until the interruption: joins its ROS graph, and brings broker and
 * service along if nobody else has them. Owns all three for that time.
 *
 * @param robot its id
 * @param arguments of the ROS node
 * @param ownService true if the service runs in this process
 * @param folder for saved maps, and for scans that wait while the broker is away
 * @param interruption ends it
 */
record LiveRobot(
    String robot,
    RosArguments arguments,
    boolean ownService,
    Path folder,
    Interruption interruption) {

  private static final Logger LOG = LoggerFactory.getLogger(RosGateway.class);
  private static final long GLANCE_MILLIS = 200;

  /**
   * Runs.
   *
   * @param configuration the whole configuration, given what the robot's launch file asks for
   * @return what became of the scans, in a sentence for people
   */
  String map(Function<Map<String, String>, RootSettings> configuration)
      throws InterruptedException {
    MasterWatch master = new MasterWatch();
    try (RosNode node =
        TcpRosNode.start(arguments.master(), arguments.names(), arguments.environment(), master)) {
      while (!master.awaitMaster(GLANCE_MILLIS)) {
        if (interruption.requested()) {
          return "no ROS master was there";
        }
      }
      GmappingParameters parameters = GmappingParameters.read(node, arguments.parameters());
      if (!parameters.ignored().isEmpty()) {
        LOG.warn("parameters without a meaning here: {}", parameters.ignored());
      }
      RootSettings settings = configuration.apply(parameters.settings());
      return withBroker(node, master, settings);
    } catch (RosException | BrokerException | GatewayException e) {
      throw Failure.failed(e.getMessage(), e);
    }
  }

  private String withBroker(RosNode node, MasterWatch master, RootSettings settings)
      throws InterruptedException {
    BrokerSettings named = settings.broker();
    if (!named.uri().isEmpty()) {
      // Others may bring their own services to the same broker.
      BrokerSettings broker = ownService ? named.withService("gateway-" + robot) : named;
      return withService(node, master, settings, broker);
    }
    try (EmbeddedBroker embedded = EmbeddedBroker.start()) {
      return withService(node, master, settings, named.withUri(embedded.uri()));
    }
  }

  private String withService(
      RosNode node, MasterWatch master, RootSettings settings, BrokerSettings broker)
      throws InterruptedException {
    if (!ownService) {
      return registered(node, master, settings, broker);
    }
    LOG.info("the service starts");
    ServiceSettings service = new ServiceSettings(settings.slam(), broker, settings.topology());
    try (LocalService storm = LocalService.start(service);
        RobotRegistration registered =
            RobotRegistration.register(storm.zookeeper(), description(), settings.gateway())) {
      return drive(node, master, settings, broker);
    }
  }

  /** With a service that runs elsewhere. */
  private String registered(
      RosNode node, MasterWatch master, RootSettings settings, BrokerSettings broker)
      throws InterruptedException {
    String zookeeper = settings.gateway().zookeeper();
    if (zookeeper.isEmpty()) {
      return drive(node, master, settings, broker);
    }
    try (RobotRegistration registered =
        RobotRegistration.register(
            ZooKeeperAccess.plain(zookeeper), description(), settings.gateway())) {
      return drive(node, master, settings, broker);
    }
  }

  private String drive(
      RosNode node, MasterWatch master, RootSettings settings, BrokerSettings broker)
      throws InterruptedException {
    try (RosGateway gateway =
        RosGateway.open(
            node,
            master,
            new Live.Robot(robot, settings.gateway(), settings.slam().intake(), folder),
            settings.ros(),
            outages -> BrokerConnection.open(broker, "gateway of " + robot, outages))) {
      interruption.whenRequested(gateway::stop);
      master.whenEnded(gateway::stop);
      gateway.run();
      return gateway.summary();
    }
  }

  private RobotDescription description() {
    String address =
        InetAddress.getLoopbackAddress().getHostName()
            + ", process "
            + ProcessHandle.current().pid();
    return new RobotDescription(robot, "ros", address, Versions.own());
  }
}
