package org.cartostream.bench.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.cluster.ClusterOptions;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.gateway.replay.LogGateway;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.gateway.session.BrokerConnector;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.deployment.ClusterDeployment;
import org.cartostream.run.engine.MetricsListener;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.files.OutputFolder;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.log.LaserLog;

/**
 * A cluster on this machine, with a service that stays from one pass of a log to the next, so that
 * what Java has compiled stays compiled. Owns both, until it is closed.
 */
public final class ServiceCluster implements AutoCloseable {

  private static final int WORKER_HEAP_MEGABYTES = 512;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MILLIS_PER_SECOND = 1000;

  /**
   * What came of one pass.
   *
   * @param serviceNanos of each reading, from its arrival at the service until its pose
   * @param roadMillis the whole pass, per reading
   * @param cpuMillis computed per reading by all processes of the cluster and by this one, in which
   *     the gateway is
   */
  public record Pass(List<Long> serviceNanos, double roadMillis, double cpuMillis) {

    public double serviceMillis() {
      return serviceNanos.stream().mapToLong(Long::longValue).average().orElse(0) / NANOS_PER_MILLI;
    }
  }

  private final Cluster cluster;
  private final RootSettings settings;
  private final BrokerSettings named;
  private final String robot;

  private ServiceCluster(
      Cluster cluster, RootSettings settings, BrokerSettings named, String robot) {
    this.cluster = cluster;
    this.settings = settings;
    this.named = named;
    this.robot = robot;
  }

  /**
   * Makes a cluster with just the slots that the settings want, and starts the service.
   *
   * @param home its folder, which must not be there yet
   * @param robot whose readings are served
   * @param progress receives what has been started
   * @param shutdownRequest of the start; then nothing is left of it
   */
  public static ServiceCluster up(
      Path home,
      boolean secure,
      RootSettings settings,
      String robot,
      Consumer<String> progress,
      ShutdownRequest shutdownRequest) {
    Cluster cluster =
        Cluster.startHere(
            ClusterHome.of(home.toString()),
            new ClusterOptions(secure, WORKER_HEAP_MEGABYTES, false),
            settings.topology().workers(),
            progress,
            shutdownRequest::requested);
    BrokerSettings named = settings.broker().withService(robot);
    try {
      new ClusterDeployment(cluster, named, robot).start(settings);
      return new ServiceCluster(cluster, settings, named, robot);
    } catch (RuntimeException e) {
      cluster.down();
      throw e;
    }
  }

  /**
   * Sends a log through the service, as fast as it takes it.
   *
   * @param limit most scans of it
   * @param folder for map and path
   */
  public Pass pass(Path log, long limit, Path folder, ShutdownRequest shutdownRequest) {
    OutputFolder.prepare(folder);
    try (LaserLog scans = InputLog.open(log, settings)) {
      RunMetrics runMetrics = new RunMetrics(Math.min(limit, scans.scanCount()), System::nanoTime);
      MetricsListener listener = new MetricsListener(runMetrics);
      BrokerConnector connector =
          outages ->
              BrokerConnection.open(
                  cluster.access().brokerForRobot(robot, named), "gateway of " + robot, outages);
      double cpuBefore = cpuMillis();
      try (LogGateway logGateway =
          LogGateway.open(
              robot, Pace.MAX, settings.gateway(), new FileSink(folder), listener, connector)) {
        shutdownRequest.whenRequested(logGateway::stop);
        Optional<String> failure = logGateway.run(runMetrics.watch(scans)).failure();
        if (failure.isPresent()) {
          throw ExitException.failed(failure.get());
        }
      }
      runMetrics.end();
      RunMetrics.Snapshot end = runMetrics.snapshot();
      long processed = Math.max(1, end.readings().processed());
      return new Pass(
          runMetrics.serviceNanos(),
          end.seconds() * MILLIS_PER_SECOND / processed,
          (cpuMillis() - cpuBefore) / processed);
    } catch (IOException e) {
      throw ExitException.of(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ExitException.failed("the pass was interrupted", e);
    }
  }

  private double cpuMillis() {
    return Stream.concat(
            cluster.processes().values().stream().flatMap(List::stream),
            Stream.of(ProcessHandle.current().pid()))
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .mapToDouble(Duration::toMillis)
        .sum();
  }

  /** Its folder's name. */
  @Override
  public String toString() {
    return cluster.folder().getFileName().toString();
  }

  @Override
  public void close() {
    cluster.down();
  }
}
