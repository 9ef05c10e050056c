package org.cartostream.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerListener;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.FinishedMessage;
import org.cartostream.broker.Teamwork;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.broker.register.Entry;
import org.cartostream.broker.register.Register;
import org.cartostream.gateway.FileSink;
import org.cartostream.gateway.Pace;
import org.cartostream.gateway.Replay;
import org.cartostream.gateway.ReplayReport;
import org.cartostream.slam.filter.Doubts;
import org.cartostream.slam.filter.LoopsClosed;
import org.cartostream.slam.log.LogEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole road: gateway, broker and Storm's topology. The gateway is in this JVM, and the others
 * at the run's {@link Venue}.
 *
 * <p>Owns gateway and venue for the time of one run.
 */
final class StormEngine implements Engine {

  private static final Logger LOG = LoggerFactory.getLogger(StormEngine.class);
  private static final int START_SECONDS = 180;

  private final RootSettings settings;
  private final Pace pace;
  private final String robot;
  private final Function<BrokerSettings, Venue> venues;
  private final int startSeconds;

  /**
   * @param venues opens the run's venue, given the broker's settings
   */
  StormEngine(
      RootSettings settings, Pace pace, String robot, Function<BrokerSettings, Venue> venues) {
    this(settings, pace, robot, venues, START_SECONDS);
  }

  /**
   * The same.
   *
   * @param startSeconds how long the service may take to register
   */
  StormEngine(
      RootSettings settings,
      Pace pace,
      String robot,
      Function<BrokerSettings, Venue> venues,
      int startSeconds) {
    this.settings = settings;
    this.pace = pace;
    this.robot = robot;
    this.venues = venues;
    this.startSeconds = startSeconds;
  }

  @Override
  public Cost run(Iterator<LogEntry> log, Ledger ledger, Path folder, Interruption interruption)
      throws IOException {
    if (interruption.requested()) {
      return nothing(0, null);
    }
    // Others may replay through the same broker: their readings are for their services.
    BrokerSettings own = settings.broker().withService("replay-" + robot);
    try (Venue venue = venues.apply(own)) {
      return through(venue, log, ledger, folder, interruption);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.failed("the run's thread was interrupted", e);
    }
  }

  private Cost through(
      Venue venue, Iterator<LogEntry> log, Ledger ledger, Path folder, Interruption interruption)
      throws IOException, InterruptedException {
    // First of all: a broker that is not there is told at once, and not after Storm's start.
    try (BrokerConnection own =
        BrokerConnection.open(venue.operator(), "command line", BrokerListener.NONE)) {
      Cost cost = served(venue, log, ledger, folder, interruption);
      own.deleteReadingsQueue();
      return cost;
    }
  }

  private Cost served(
      Venue venue, Iterator<LogEntry> log, Ledger ledger, Path folder, Interruption interruption)
      throws IOException, InterruptedException {
    LedgerListener listener = new LedgerListener(ledger);
    BrokerSettings broker = venue.robot();
    try (Replay replay =
        Replay.open(
            robot,
            pace,
            settings.gateway(),
            new SinkOnceBegun(new FileSink(folder), ledger),
            listener,
            outages -> BrokerConnection.open(broker, "gateway of " + robot, outages))) {
      interruption.whenRequested(replay::stop);
      if (interruption.requested()) {
        return nothing(0, null); // Storm would take some ten seconds to start and to stop.
      }
      ledger.remark("Storm starts");
      try (Venue.Served served = venue::stop) {
        ZooKeeperAccess own = venue.start(settings);
        try (Register register =
            Register.open(settings.register().access(own), settings.register())) {
          register.enter(Register.Kind.ROBOTS, Entry.ofThisProcess(robot, Entry.LOG));
          awaitService(register, broker.service(), interruption);
          ReplayReport report = replay.run(log);
          ledger.settle(report.counts(), report.refusedByReason());
          report.failure().ifPresent(ledger::fail);
          return cost(report, listener.liveHeapBytes());
        }
      }
    }
  }

  /**
   * Returns when the service has registered, or is not wanted any more: a busy cluster may need
   * longer to start its processes than a gateway waits for an answer. A service may run without
   * registering, so it is not waited for forever; and what is left of an earlier one's entry
   * counts, too. From then on the gateway waits as for any service.
   */
  private void awaitService(Register register, String service, Interruption interruption)
      throws InterruptedException {
    CountDownLatch there = new CountDownLatch(1);
    interruption.whenRequested(there::countDown);
    register.watch(
        Register.Kind.SERVICES,
        new Register.Watcher() {
          @Override
          public void arrived(Entry entry) {
            if (entry.id().equals(service)) {
              there.countDown();
            }
          }

          @Override
          public void left(Entry entry) {}
        });
    if (!there.await(startSeconds, TimeUnit.SECONDS)) {
      LOG.warn("{} has not registered {} s after its start", service, startSeconds);
    }
  }

  private static Cost cost(ReplayReport report, long heap) {
    Road road =
        new Road(
            report.outages(),
            report.resent(),
            report.duplicates(),
            report.finished().map(FinishedMessage::rebuilt).orElse(0L));
    return report
        .finished()
        .map(
            service ->
                new Cost(
                    service.stageNanos(),
                    service.resamplings(),
                    service.bytesMoved(),
                    service.evaluations(),
                    service.odometry(),
                    service.tasks(),
                    service.teamwork(),
                    service.loops(),
                    heap,
                    road))
        .orElse(nothing(heap, road));
  }

  private static Cost nothing(long heap, Road road) {
    return new Cost(Map.of(), 0, 0, 0, Doubts.NONE, 0, Teamwork.NONE, LoopsClosed.NONE, heap, road);
  }
}
