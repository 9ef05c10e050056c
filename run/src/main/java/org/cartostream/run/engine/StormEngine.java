package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.gateway.replay.LogGateway;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.gateway.replay.ReplayReport;
import org.cartostream.gateway.session.LocalisationAttachment;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.deployment.Deployment;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;
import org.cartostream.topology.task.PauseTolerantClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Engine that processes a log by gateway, broker and Storm's topology. The gateway runs in this
 * JVM; broker and topology run where the run's {@link Deployment} starts them.
 *
 * <p>Owns gateway and deployment for the time of one run.
 */
public final class StormEngine implements Engine {

  private static final Logger LOG = LoggerFactory.getLogger(StormEngine.class);
  private static final int START_SECONDS = 180;

  private final RootSettings settings;
  private final Pace pace;
  private final String robot;
  private final Function<BrokerSettings, Deployment> deployments;
  private final Journals journals;
  private final Optional<KnownPlace> place;
  private final int startSeconds;

  /** Source of a run's journal; empty if the run keeps none. */
  public interface Journals {
    Optional<RunJournal> open() throws IOException;
  }

  /**
   * @param deployments opens the run's deployment, given the broker's settings
   * @param journals opens the run's journal: a new one, or that of the run that is resumed
   * @param place the known map in which the robot is localised; empty if the run makes a map
   */
  public StormEngine(
      RootSettings settings,
      Pace pace,
      String robot,
      Function<BrokerSettings, Deployment> deployments,
      Journals journals,
      Optional<KnownPlace> place) {
    this(settings, pace, robot, deployments, journals, place, START_SECONDS);
  }

  /**
   * Creates an engine that waits for the service for a given time.
   *
   * @param startSeconds maximum time to wait for the service's registration, seconds
   */
  StormEngine(
      RootSettings settings,
      Pace pace,
      String robot,
      Function<BrokerSettings, Deployment> deployments,
      Journals journals,
      Optional<KnownPlace> place,
      int startSeconds) {
    this.journals = journals;
    this.place = place;
    this.settings = settings;
    this.pace = pace;
    this.robot = robot;
    this.deployments = deployments;
    this.startSeconds = startSeconds;
  }

  @Override
  public Cost run(
      Iterator<LogEntry> log, RunMetrics runMetrics, Path folder, ShutdownRequest shutdownRequest)
      throws IOException {
    if (shutdownRequest.requested()) {
      return emptyCost(0, null, null);
    }
    // Other replays may use the same broker with services of their own.
    BrokerSettings own = settings.broker().withService("replay-" + robot);
    try (Deployment deployment = deployments.apply(own)) {
      return runAt(deployment, log, runMetrics, folder, shutdownRequest);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ExitException.failed("the run's thread was interrupted", e);
    }
  }

  private Cost runAt(
      Deployment deployment,
      Iterator<LogEntry> log,
      RunMetrics runMetrics,
      Path folder,
      ShutdownRequest shutdownRequest)
      throws IOException, InterruptedException {
    // First of all: a broker that is not there is reported at once, and not after Storm's start.
    try (BrokerConnection own =
        BrokerConnection.open(deployment.serviceBroker(), "command line", BrokerListener.NONE)) {
      CompletableFuture<String> fenced = deployment.claim(settings.registry(), runMetrics::status);
      Cost cost = runWithService(deployment, log, runMetrics, folder, shutdownRequest, fenced);
      if (deployment.isFenced()) {
        throw ExitException.failed(
            "the process at %s has taken the run of %s away; this one has ended, and has left topology, queues and files to it"
                .formatted(fenced.join(), robot));
      }
      own.deleteReadingsQueue();
      return cost;
    }
  }

  private Cost runWithService(
      Deployment deployment,
      Iterator<LogEntry> log,
      RunMetrics runMetrics,
      Path folder,
      ShutdownRequest shutdownRequest,
      CompletableFuture<String> fenced)
      throws IOException, InterruptedException {
    LocalisationAttachment localisation =
        place.isPresent() ? place.get().localisation(settings.localisation()) : null;
    LocalisedTrajectory way =
        localisation == null
            ? null
            : new LocalisedTrajectory(place.get(), localisation.map(), runMetrics, folder);
    MetricsListener listener =
        new MetricsListener(runMetrics, Optional.ofNullable(way), deployment::repair);
    BrokerSettings broker = deployment.robotBroker();
    try (LogGateway logGateway =
        LogGateway.open(
            new LogGateway.Options(
                robot,
                pace,
                settings.gateway(),
                new SinkAfterFirstReading(way == null ? new FileSink(folder) : way, runMetrics),
                listener,
                Optional.ofNullable(localisation)),
            outages -> BrokerConnection.open(broker, "gateway of " + robot, outages),
            PauseTolerantClock.tickingAsItIsRead(System::nanoTime))) {
      shutdownRequest.whenRequested(logGateway::stop);
      fenced.thenRun(logGateway::abandon);
      if (shutdownRequest.requested() || fenced.isDone()) {
        return emptyCost(0, null, null); // Storm would take some ten seconds to start and to stop.
      }
      runMetrics.status("Storm starts");
      try (Deployment.RunningService runningService = deployment::stop) {
        ZooKeeperAccess own = deployment.start(settings);
        try (Registry registry =
            Registry.open(settings.registry().access(own), settings.registry())) {
          registry.claim(
              Registry.Kind.ROBOTS,
              RegistryEntry.ofThisProcess(robot, RegistryEntry.LOG),
              false,
              runMetrics::status);
          awaitService(registry, broker.service(), shutdownRequest, fenced);
          if (fenced.isDone()) {
            return emptyCost(0, null, null); // The journal belongs to the other process.
          }
          ReplayReport report = replay(logGateway, log, runMetrics);
          runMetrics.replaceCounts(report.counts(), report.refusedByReason());
          report.failure().ifPresent(runMetrics::fail);
          return cost(report, listener.liveHeapBytes(), found(way, report));
        }
      }
    }
  }

  /**
   * Writes the files of a localised robot and returns its report; returns null if the run makes a
   * map.
   */
  private static LocalisationReport found(LocalisedTrajectory way, ReplayReport report)
      throws IOException {
    if (way == null) {
      return null;
    }
    way.write();
    return way.report(report.finished().map(FinishedMessage::drivenMetres).orElse(0.0));
  }

  private ReplayReport replay(LogGateway logGateway, Iterator<LogEntry> log, RunMetrics runMetrics)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Optional<RunJournal> opened = journals.open();
    if (opened.isEmpty()) {
      return logGateway.run(log, Optional.empty());
    }
    try (RunJournal journal = opened.get()) {
      boolean isOfARun = journal.before() > PriorGrid.READING; // A grid is no run.
      if (journal.answered() > journal.before() || isOfARun) {
        double seconds = (System.nanoTime() - start) / 1e9;
        runMetrics.resumed(new RunMetrics.Resumed(journal.answered(), seconds));
      }
      ReplayReport report = logGateway.run(log, opened);
      runMetrics.endedWith(journal.answered());
      return report;
    }
  }

  /**
   * Waits until the service has registered, the run is to end, or the time is up. A busy cluster
   * may take longer to start its processes than a gateway waits for an answer. The time is bounded
   * because a service may run without registering. A leftover entry of an earlier service counts,
   * too: after the wait, the gateway waits for answers as with any service.
   */
  private void awaitService(
      Registry registry,
      String service,
      ShutdownRequest shutdownRequest,
      CompletableFuture<String> fenced)
      throws InterruptedException {
    CountDownLatch there = new CountDownLatch(1);
    fenced.thenRun(there::countDown);
    shutdownRequest.whenRequested(there::countDown);
    registry.watch(
        Registry.Kind.SERVICES,
        new Registry.Watcher() {
          @Override
          public void arrived(RegistryEntry registryEntry) {
            if (registryEntry.id().equals(service)) {
              there.countDown();
            }
          }

          @Override
          public void left(RegistryEntry registryEntry) {}
        });
    if (!there.await(startSeconds, TimeUnit.SECONDS)) {
      LOG.warn("{} has not registered {} s after its start", service, startSeconds);
    }
  }

  private static Cost cost(ReplayReport report, long heap, LocalisationReport found) {
    BrokerStatistics brokerStatistics =
        new BrokerStatistics(report.outages(), report.resent(), report.duplicates());
    return report
        .finished()
        .map(
            service ->
                new Cost(
                    service.stageNanos(),
                    service.resamplings(),
                    service.bytesMoved(),
                    service.evaluations(),
                    service.meanParticles(),
                    service.odometry(),
                    service.tasks(),
                    service.taskBalance(),
                    service.loops(),
                    heap,
                    brokerStatistics,
                    Recovered.of(service.recovery()),
                    found))
        .orElse(emptyCost(heap, brokerStatistics, found));
  }

  private static Cost emptyCost(
      long heap, BrokerStatistics brokerStatistics, LocalisationReport found) {
    return new Cost(
        Map.of(),
        0,
        0,
        0,
        0,
        OdometryStatistics.NONE,
        0,
        TaskBalance.NONE,
        LoopClosureReport.NONE,
        heap,
        brokerStatistics,
        null,
        found);
  }
}
