package org.cartostream.bench.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.engine.SerialEngine;
import org.cartostream.run.engine.StormEngine;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.files.OutputFolder;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.topology.local.LocalStorm;
import org.cartostream.web.observer.RunObserver;

/**
 * Runner of cases by every engine, in one JVM, with one local Storm cluster and one embedded
 * broker.
 *
 * <p>Owns cluster and broker. Runs of several cases may go side by side; runs of one case may not,
 * as they are of one robot.
 */
final class GoldenRuns implements AutoCloseable {

  private final Path out;
  private final EmbeddedBroker broker;
  private final LocalStorm storm;

  private GoldenRuns(Path out, EmbeddedBroker broker, LocalStorm storm) {
    this.out = out;
    this.broker = broker;
    this.storm = storm;
  }

  /**
   * Answer of a run.
   *
   * @param cost figures of the run: resamplings, loops, bytes moved and more
   */
  public record Answer(GoldenHashes hashes, Engine.Cost cost) {}

  /**
   * Starts broker and cluster.
   *
   * @param out folder in which each run has a folder {@code CASE/ENGINE}
   * @param cases number of cases
   */
  public static GoldenRuns start(Path out, int cases) {
    long topologies =
        List.of(GoldenEngine.values()).stream().filter(GoldenEngine::isTopology).count();
    EmbeddedBroker broker = EmbeddedBroker.start();
    try {
      // Each run has a slot, so that none waits until Storm has taken an earlier topology down.
      return new GoldenRuns(out, broker, LocalStorm.start(Math.toIntExact(cases * topologies)));
    } catch (RuntimeException e) {
      broker.close();
      throw e;
    }
  }

  /**
   * Runs a case by one engine.
   *
   * @throws ExitException if the run was given up, a reading is lost, or not as many tasks ran as
   *     were asked for
   */
  public Answer run(GoldenCase one, Path log, GoldenEngine engine, ShutdownRequest shutdownRequest)
      throws IOException {
    Path folder = out.resolve(one.name()).resolve(engine.toString());
    OutputFolder.prepare(folder);
    for (String name : GoldenHashes.FILES) {
      Files.deleteIfExists(folder.resolve(name));
    }
    RootSettings settings = one.settings(engine);
    RunMetrics runMetrics = new RunMetrics(one.readings(), System::nanoTime, RunObserver.NONE);
    try (LaserLog scans = InputLog.open(List.of(log), settings)) {
      Engine.Cost cost =
          engine(one, engine, settings)
              .run(runMetrics.watch(scans), runMetrics, folder, shutdownRequest);
      runMetrics.end();
      runMetrics
          .failure()
          .ifPresent(
              why -> {
                throw ExitException.failed(why);
              });
      ReadingCounts readings = runMetrics.snapshot().readings();
      if (readings.processed() + readings.refused() < one.readings()
          && !shutdownRequest.requested()) {
        throw ExitException.failed(
            "of %d readings %d were processed and %d refused"
                .formatted(one.readings(), readings.processed(), readings.refused()));
      }
      if (cost.tasks() != engine.tasks() && !shutdownRequest.requested()) {
        throw ExitException.failed(
            "it ran on " + cost.tasks() + " tasks, not on " + engine.tasks());
      }
      return new Answer(GoldenHashes.of(folder, runMetrics.livePath().poses()), cost);
    }
  }

  private Engine engine(GoldenCase one, GoldenEngine engine, RootSettings settings) {
    if (!engine.isTopology()) {
      return new SerialEngine(settings, one.name(), RunCheckpoints.none(), Optional.empty());
    }
    return new StormEngine(
        settings,
        Pace.MAX,
        one.name(),
        wanted -> new SharedDeployment(storm, shared(wanted, wanted.service() + "-" + engine)),
        Optional::empty,
        Optional.empty());
  }

  private BrokerSettings shared(BrokerSettings wanted, String service) {
    return wanted.withUri(broker.uri()).withService(service);
  }

  @Override
  public void close() {
    try {
      storm.close();
    } finally {
      broker.close();
    }
  }
}
