package org.cartostream.bench.recovery;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Outcome;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.gateway.replay.LogGateway;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.gateway.replay.ReplayListener;
import org.cartostream.gateway.replay.ReplayReport;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.run.checkpoint.CheckpointUse;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.web.observer.RunObserver;

/**
 * Main class of a process that replays a log to a running service, as {@code replay} does to a
 * service of its own; so it can be killed, and go on. It prints a line for each reading that is
 * answered, and at the end a line with the counts.
 */
final class GatewayProcess {

  /** Line for a reading that was answered. */
  static final String ANSWERED = "answered";

  /** Beginning of the line with the counts. */
  static final String COUNTS = "counts ";

  private GatewayProcess() {}

  /** Listener that prints each answer at once. */
  private static final class Printer implements ReplayListener {

    @Override
    public void onOutcome(Reading reading, Outcome outcome) {
      print(ANSWERED);
    }

    @Override
    public void onLogEnd() {}

    @Override
    public void onOutage(String why) {
      print("the broker is away: " + why);
    }

    @Override
    public void onReconnect() {
      print("the broker is back");
    }
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Returns the arguments of {@link #main}. */
  static List<String> words(
      Path home, RecoveryInput input, RootSettings settings, Path folder, CheckpointUse use) {
    List<String> words = new ArrayList<>();
    words.add(home.toString());
    words.add(input.log().toString());
    words.add(Long.toString(input.limit()));
    words.add(input.pace().equals(Pace.MAX) ? "max" : Double.toString(input.pace().factor()));
    words.add(folder.toString());
    words.add(use.name());
    settings.shown().forEach((key, value) -> words.add(key + "=" + value));
    return words;
  }

  /** Replays to the end of the log. */
  public static void main(String[] words) throws Exception {
    Cluster cluster = Cluster.at(ClusterHome.of(words[0]));
    RecoveryInput input =
        new RecoveryInput(Path.of(words[1]), Long.parseLong(words[2]), Pace.parse(words[3]));
    Path folder = Path.of(words[4]);
    Map<String, String> values = new TreeMap<>();
    for (String word : List.of(words).subList(6, words.length)) {
      int equals = word.indexOf('=');
      values.put(word.substring(0, equals), word.substring(equals + 1));
    }
    RootSettings settings = Settings.build(RootSettings.class, values);
    BrokerSettings broker = cluster.access().brokerForRobot(input.robot(), settings.broker());
    try (LaserLog scans = InputLog.open(List.of(input.log()), settings);
        RunCheckpoints checkpoints =
            new RunCheckpoints(
                CheckpointUse.valueOf(words[5]),
                settings.checkpoint(),
                folder,
                input.robot(),
                Settings.values(settings.slam()),
                System::nanoTime,
                GatewayProcess::print);
        RunJournal journal = checkpoints.journal(RunBeginning.anew()).orElseThrow();
        LogGateway gateway =
            LogGateway.open(
                new LogGateway.Options(
                    input.robot(),
                    input.pace(),
                    settings.gateway(),
                    new FileSink(folder),
                    new Printer(),
                    Optional.empty()),
                outages -> BrokerConnection.open(broker, "gateway", outages),
                System::nanoTime)) {
      RunMetrics counted =
          new RunMetrics(
              Math.min(input.limit(), scans.scanCount()), System::nanoTime, RunObserver.NONE);
      ReplayReport report = gateway.run(counted.watch(scans), Optional.of(journal));
      report.failure().ifPresent(GatewayProcess::print);
      ReadingCounts counts = report.counts();
      print(
          COUNTS
              + "%d %d %d %d %d"
                  .formatted(
                      counts.read(),
                      counts.processed(),
                      counts.refused(),
                      counts.skipped(),
                      counts.lost()));
    }
  }
}
