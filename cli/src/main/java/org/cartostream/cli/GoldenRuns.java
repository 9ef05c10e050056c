package org.cartostream.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.EmbeddedBroker;
import org.cartostream.gateway.Pace;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.topology.LocalStorm;

/**
 * Runs cases by every engine, in one JVM: in one local cluster and through one embedded broker.
 *
 * <p>Owns cluster and broker. Runs of several cases may go side by side; those of one case may not,
 * for they are of one robot.
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
   * What a run has answered.
   *
   * @param cost what it cost besides
   */
  record Answer(GoldenHashes hashes, Engine.Cost cost) {}

  /**
   * Starts broker and cluster.
   *
   * @param out each run's files go into its folder {@code CASE/ENGINE}
   * @param cases how many there will be
   */
  static GoldenRuns start(Path out, int cases) {
    long topologies =
        List.of(GoldenEngine.values()).stream().filter(GoldenEngine::isTopology).count();
    EmbeddedBroker broker = EmbeddedBroker.start();
    try {
      // A slot for every run: so none waits until Storm has taken an earlier one down.
      return new GoldenRuns(out, broker, LocalStorm.start(Math.toIntExact(cases * topologies)));
    } catch (RuntimeException e) {
      broker.close();
      throw e;
    }
  }

  /**
   * Runs a case by one engine.
   *
   * @throws Failure if it was given up, a reading is lost, or other tasks did it than were asked
   *     for
   */
  Answer run(GoldenCase one, Path log, GoldenEngine engine, Interruption interruption)
      throws IOException {
    Path folder = out.resolve(one.name()).resolve(engine.toString());
    OutputFolder.prepare(folder);
    for (String name : GoldenHashes.FILES) {
      Files.deleteIfExists(folder.resolve(name));
    }
    RootSettings settings = one.settings(engine);
    Ledger ledger = new Ledger(one.readings(), System::nanoTime);
    try (LaserLog scans = LogArgument.open(log, settings)) {
      Engine.Cost cost =
          engine(one, engine, settings).run(ledger.watch(scans), ledger, folder, interruption);
      ledger.end();
      ledger
          .failure()
          .ifPresent(
              why -> {
                throw Failure.failed(why);
              });
      ReadingCounts readings = ledger.snapshot().readings();
      if (readings.processed() + readings.refused() < one.readings() && !interruption.requested()) {
        throw Failure.failed(
            "of %d readings %d were processed and %d refused"
                .formatted(one.readings(), readings.processed(), readings.refused()));
      }
      if (cost.tasks() != engine.tasks() && !interruption.requested()) {
        throw Failure.failed("it ran on " + cost.tasks() + " tasks, not on " + engine.tasks());
      }
      return new Answer(GoldenHashes.of(folder), cost);
    }
  }

  private Engine engine(GoldenCase one, GoldenEngine engine, RootSettings settings) {
    if (!engine.isTopology()) {
      return new SerialEngine(settings, one.name());
    }
    return new StormEngine(
        settings,
        Pace.MAX,
        one.name(),
        wanted -> new GoldenVenue(storm, shared(wanted, wanted.service() + "-" + engine)));
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
