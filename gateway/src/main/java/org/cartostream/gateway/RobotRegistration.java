package org.cartostream.gateway;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.cartostream.broker.ZooKeeperAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A robot's entry in the register: the ephemeral node {@code /cartostream/robots/<id>} in
 * ZooKeeper, with its {@link RobotDescription} as JSON. It is there as long as its gateway is, and
 * so a second gateway with the same id is refused.
 *
 * <p>Owns its session with ZooKeeper. When a session ends because ZooKeeper was away for too long,
 * the entry is made anew in the next one.
 */
public final class RobotRegistration implements AutoCloseable {

  /** Where the robots' entries are. */
  public static final String ROBOTS = "/cartostream/robots";

  private static final Logger LOG = LoggerFactory.getLogger(RobotRegistration.class);
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private static final int FIRST_PAUSE_MILLIS = 100;
  private static final int LONGEST_PAUSE_MILLIS = 2000;
  private static final int ATTEMPTS = 3;

  private final CuratorFramework zookeeper;
  private final RobotDescription robot;

  private RobotRegistration(CuratorFramework zookeeper, RobotDescription robot) {
    this.zookeeper = zookeeper;
    this.robot = robot;
  }

  /**
   * Registers a robot.
   *
   * @throws GatewayException if ZooKeeper does not answer, or the robot is registered already
   */
  public static RobotRegistration register(
      ZooKeeperAccess access, RobotDescription robot, GatewaySettings settings)
      throws InterruptedException {
    CuratorFramework zookeeper = connect(access, settings);
    RobotRegistration registration = new RobotRegistration(zookeeper, robot);
    try {
      registration.enter();
      zookeeper
          .getConnectionStateListenable()
          .addListener((client, state) -> onState(registration, state));
      return registration;
    } catch (GatewayException | InterruptedException e) {
      zookeeper.close();
      throw e;
    }
  }

  private static CuratorFramework connect(ZooKeeperAccess access, GatewaySettings settings)
      throws InterruptedException {
    int timeoutMillis = settings.registrationTimeoutSeconds() * 1000;
    CuratorFramework zookeeper =
        access.client(
            settings.registrationSessionSeconds() * 1000,
            timeoutMillis,
            new BoundedExponentialBackoffRetry(FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS, ATTEMPTS));
    zookeeper.start();
    if (!zookeeper.blockUntilConnected(timeoutMillis, TimeUnit.MILLISECONDS)) {
      zookeeper.close();
      throw new GatewayException("no ZooKeeper answers at " + access, null);
    }
    return zookeeper;
  }

  /**
   * The robots that are registered now, by their ids.
   *
   * @throws GatewayException if ZooKeeper does not answer
   */
  public static List<RobotDescription> registered(ZooKeeperAccess access, GatewaySettings settings)
      throws InterruptedException {
    try (CuratorFramework zookeeper = connect(access, settings)) {
      List<RobotDescription> robots = new ArrayList<>();
      if (zookeeper.checkExists().forPath(ROBOTS) != null) {
        for (String id : zookeeper.getChildren().forPath(ROBOTS).stream().sorted().toList()) {
          robots.add(
              JSON.readValue(
                  zookeeper.getData().forPath(ROBOTS + "/" + id), RobotDescription.class));
        }
      }
      return robots;
    } catch (GatewayException | InterruptedException e) {
      throw e;
    } catch (Exception e) { // Curator declares no less.
      throw new GatewayException("ZooKeeper's register cannot be read: " + e.getMessage(), e);
    }
  }

  private static void onState(RobotRegistration registration, ConnectionState state) {
    if (state == ConnectionState.RECONNECTED) {
      registration.enterAgain();
    }
  }

  private String path() {
    return ROBOTS + "/" + robot.id();
  }

  private void enter() throws InterruptedException {
    try {
      zookeeper
          .create()
          .creatingParentsIfNeeded()
          .withMode(CreateMode.EPHEMERAL)
          .forPath(path(), JSON.writeValueAsBytes(robot));
    } catch (KeeperException.NodeExistsException e) {
      throw new GatewayException(
          "a robot '"
              + robot.id()
              + "' is registered already"
              + by()
              + "; give this one another id"
              + " or stop that gateway",
          e);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) { // Curator declares no less.
      throw new GatewayException(
          "robot '" + robot.id() + "' cannot be registered in ZooKeeper: " + e.getMessage(), e);
    }
  }

  /** Who holds the id, for people; empty if that cannot be said. */
  private String by() {
    try {
      RobotDescription other =
          JSON.readValue(zookeeper.getData().forPath(path()), RobotDescription.class);
      return " by the gateway at " + other.address();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    } catch (Exception e) { // Gone again, or written by somebody else.
      LOG.debug("{} cannot be read", path(), e);
      return "";
    }
  }

  /**
   * In the old session the entry is still ours. In a new one it is gone, unless another gateway has
   * taken the id meanwhile: then it keeps it.
   */
  private void enterAgain() {
    try {
      long session = zookeeper.getZookeeperClient().getZooKeeper().getSessionId();
      var entry = zookeeper.checkExists().forPath(path());
      if (entry == null || entry.getEphemeralOwner() != session) {
        enter();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) { // Curator declares no less.
      LOG.warn("robot {} is not registered any more: {}", robot.id(), e.getMessage());
    }
  }

  /** Takes the robot off the register. */
  @Override
  public void close() {
    zookeeper.close();
  }
}
