package org.cartostream.run.engine;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.gateway.replay.LogGateway;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.gateway.replay.ReplayReport;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.Logs;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.web.observer.RunObserver;

/** A gateway that replays the beginning of a log, in a class loader of its own. */
public final class NeighbourGateway {

  static final String ROBOT = "r1";
  static final int READINGS = 40;
  static final RootSettings SETTINGS =
      Settings.build(RootSettings.class, Map.of("slam.particles", "5"));

  private NeighbourGateway() {}

  /**
   * Returns what became of the readings, and of the run if it failed.
   *
   * @param folder for the map and the path
   */
  public static String replay(String broker, Path folder) throws Exception {
    BrokerSettings settings = SETTINGS.broker().withUri(broker);
    RunMetrics runMetrics = new RunMetrics(READINGS, System::nanoTime, RunObserver.NONE);
    LogGateway.Options options =
        new LogGateway.Options(
            ROBOT,
            Pace.MAX,
            SETTINGS.gateway(),
            new FileSink(folder),
            new MetricsListener(runMetrics, Optional.empty(), Optional::empty),
            Optional.empty());
    try (LaserLog log = CarmenLog.open(Logs.OFFICE, CarmenSettings.defaults());
        LogGateway gateway =
            LogGateway.open(
                options,
                outages -> BrokerConnection.open(settings, "gateway of " + ROBOT, outages),
                System::nanoTime)) {
      ReplayReport report =
          gateway.run(
              runMetrics.watch(Stream.generate(log::next).limit(READINGS).iterator()),
              Optional.empty());
      return report.counts() + report.failure().orElse("");
    }
  }
}
