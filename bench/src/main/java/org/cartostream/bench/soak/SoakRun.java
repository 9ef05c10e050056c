package org.cartostream.bench.soak;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.run.deployment.ClusterDeployment;
import org.cartostream.run.deployment.Deployment;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.sim.world.SdfWorld;

/**
 * Soak of a service: many simulated robots drive against a service of its own on a cluster, for
 * long, and every minute the outcomes of their readings are printed. Owns the service, the robots
 * and the samples of the workers.
 *
 * @param cluster the cluster; it must have one host if workers are killed
 * @param settings settings of the service and the robots; their metrics port is the first worker's,
 *     the other workers take the next free ones
 * @param robots number of robots
 * @param minutes duration
 * @param killEverySeconds time between kills of workers; empty for no kills
 * @param folder folder for readings that wait
 * @param shutdownRequest ends the soak early
 */
public record SoakRun(
    Cluster cluster,
    RootSettings settings,
    int robots,
    int minutes,
    Optional<Integer> killEverySeconds,
    Path folder,
    ShutdownRequest shutdownRequest) {

  /** Seconds between two samples of the workers and robots. */
  public static final int LOOK_EVERY_SECONDS = 5;

  private static final String NAME = "soak";
  private static final double NANOS_A_SECOND = 1e9;
  private static final int LOOKS_A_MINUTE = 60 / LOOK_EVERY_SECONDS;

  /**
   * Starts the service, lets the robots drive, and prints.
   *
   * @throws ExitException if a robot can drive no more
   */
  public void run(PrintWriter out) throws InterruptedException {
    ClusterDeployment deployment =
        new ClusterDeployment(cluster, settings.broker().withService(NAME), NAME, false);
    try (Deployment.RunningService service = deployment::stop) {
      deployment.start(settings);
      drive(out);
    }
  }

  private void drive(PrintWriter out) throws InterruptedException {
    SoakStatistics statistics = new SoakStatistics();
    WorkerMetrics metrics =
        new WorkerMetrics(settings.topology().metricsPort(), settings.topology().workers());
    List<DrivingRobot> all = new ArrayList<>();
    SdfWorld world = SdfWorld.load("office");
    for (int i = 1; i <= robots; i++) {
      String id = "%s-%d".formatted(NAME, i);
      BrokerSettings broker =
          cluster.access().brokerForRobot(id, settings.broker().withService(NAME));
      LiveGateway.Robot robot =
          new LiveGateway.Robot(
              id, settings.gateway(), settings.slam().readingFilter(), folder.resolve(id), false);
      all.add(new DrivingRobot(robot, broker, world, statistics));
    }
    SoakTable table = new SoakTable(out, metrics.ports());
    Optional<WorkerKiller> workerKiller = killer();
    long start = System.nanoTime();
    RobotFleet robotFleet = RobotFleet.start(all, settings.slam().seed());
    Optional<String> onTheWay;
    Optional<String> atEnd;
    try {
      onTheWay = observe(robotFleet, statistics, metrics, workerKiller, table);
    } finally {
      atEnd = robotFleet.stop();
    }
    statistics.latest();
    table.printTotals(statistics, robots, (System.nanoTime() - start) / NANOS_A_SECOND);
    Optional<String> failure = onTheWay.or(() -> atEnd);
    if (failure.isPresent()) {
      throw ExitException.failed(failure.get());
    }
  }

  private Optional<WorkerKiller> killer() {
    if (killEverySeconds.isEmpty()) {
      return Optional.empty();
    }
    Nimbus nimbus = cluster.nimbus();
    try {
      String id = nimbus.idOf(NAME);
      return Optional.of(
          new WorkerKiller(
              id, () -> nimbus.tasks(NAME), killEverySeconds.get(), System.nanoTime()));
    } catch (NimbusException e) {
      throw ExitException.failed(e.getMessage(), e);
    }
  }

  /**
   * Prints a line each minute until the time is over, or a robot drives no longer.
   *
   * @return why a robot drives no longer; empty if all do
   */
  private Optional<String> observe(
      RobotFleet robotFleet,
      SoakStatistics statistics,
      WorkerMetrics metrics,
      Optional<WorkerKiller> workerKiller,
      SoakTable table)
      throws InterruptedException {
    table.printHeader();
    Optional<String> failure = Optional.empty();
    for (int look = 1; look <= minutes * LOOKS_A_MINUTE && failure.isEmpty(); look++) {
      if (shutdownRequest.requested()) {
        return failure;
      }
      TimeUnit.SECONDS.sleep(LOOK_EVERY_SECONDS);
      table.observe(metrics.scrape(), robotFleet.waiting());
      if (look % LOOKS_A_MINUTE == 0) {
        table.printMinute(look / LOOKS_A_MINUTE, statistics);
      }
      workerKiller.flatMap(each -> each.killIfDue(System.nanoTime())).ifPresent(table::killed);
      failure = robotFleet.failure();
    }
    return failure;
  }
}
