package org.cartostream.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.cli.cluster.ClusterHome;
import org.cartostream.gateway.BrokerConnector;
import org.cartostream.gateway.FileSink;
import org.cartostream.gateway.Pace;
import org.cartostream.gateway.Replay;
import org.cartostream.slam.log.LaserLog;

/**
 * A cluster on this machine, with a service that stays from one pass of a log to the next, so that
 * what Java has compiled stays compiled. Owns both, until it is closed.
 */
final class ServedCluster implements AutoCloseable {

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
  record Pass(List<Long> serviceNanos, double roadMillis, double cpuMillis) {

    double serviceMillis() {
      return serviceNanos.stream().mapToLong(Long::longValue).average().orElse(0) / NANOS_PER_MILLI;
    }
  }

  private final Cluster cluster;
  private final RootSettings settings;
  private final BrokerSettings named;
  private final String robot;

  private ServedCluster(
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
   * @param says hears what has been started
   * @param interruption of the start; then nothing is left of it
   */
  static ServedCluster up(
      Path home,
      boolean secure,
      RootSettings settings,
      String robot,
      Consumer<String> says,
      Interruption interruption) {
    Cluster cluster =
        Cluster.upHere(
            ClusterHome.of(home.toString()),
            new Cluster.Wish(secure, WORKER_HEAP_MEGABYTES),
            settings.topology().workers(),
            says,
            interruption::requested);
    BrokerSettings named = settings.broker().withService(robot);
    try {
      new ClusterVenue(cluster, named, robot).start(settings);
      return new ServedCluster(cluster, settings, named, robot);
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
  Pass pass(Path log, long limit, Path folder, Interruption interruption) {
    OutputFolder.prepare(folder);
    try (LaserLog scans = LogArgument.open(log, settings)) {
      Ledger ledger = new Ledger(Math.min(limit, scans.scanCount()), System::nanoTime);
      LedgerListener listener = new LedgerListener(ledger);
      BrokerConnector connector =
          outages ->
              BrokerConnection.open(
                  cluster.brokerForRobot(robot, named), "gateway of " + robot, outages);
      double cpuBefore = cpuMillis();
      try (Replay replay =
          Replay.open(
              robot, Pace.MAX, settings.gateway(), new FileSink(folder), listener, connector)) {
        interruption.whenRequested(replay::stop);
        Optional<String> failure = replay.run(ledger.watch(scans)).failure();
        if (failure.isPresent()) {
          throw Failure.failed(failure.get());
        }
      }
      ledger.end();
      Ledger.Snapshot end = ledger.snapshot();
      long processed = Math.max(1, end.readings().processed());
      return new Pass(
          ledger.serviceNanos(),
          end.seconds() * MILLIS_PER_SECOND / processed,
          (cpuMillis() - cpuBefore) / processed);
    } catch (IOException e) {
      throw Failure.of(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.failed("the pass was interrupted", e);
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
