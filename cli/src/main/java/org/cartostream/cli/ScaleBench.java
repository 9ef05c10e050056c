package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.cartostream.cli.collectives.Contender;
import org.cartostream.cli.scale.Machine;
import org.cartostream.cli.scale.MessageCost;
import org.cartostream.cli.scale.Model;
import org.cartostream.cli.scale.PureThreads;
import org.cartostream.cli.scale.Rehearsals;
import org.cartostream.gateway.Pace;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.Carrier;
import org.cartostream.topology.Mode;
import org.cartostream.topology.Rehearsal.Transfer;
import org.cartostream.topology.Rehearsal.Turn;
import org.cartostream.topology.ServiceSettings;

/**
 * Runs a log serially and on tasks, in turns, then models more cores.
 *
 * <p>Owns the costs of messages that were measured so far, and what is to be remarked.
 */
final class ScaleBench {

  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * What is measured.
   *
   * @param readings most scans to take
   * @param passes how often each is done; the least time of each reading counts
   * @param broker for tasks that talk through RabbitMQ; empty if none do
   * @param out for each run's files
   */
  record Plan(Path log, int readings, int passes, String broker, Path out) {}

  /**
   * What came of all passes of a case.
   *
   * @param report of the fastest pass
   * @param collectMillis of garbage collection in this JVM during that pass
   * @param leastNanos of each reading in any pass: what came between in one pass (a collection,
   *     another process) did not in another
   * @param idleMillis in which no task computed, median of the pass in which it was least
   */
  private record Run(Report report, double collectMillis, long[] leastNanos, double idleMillis) {

    double millis() {
      return LongStream.of(leastNanos).average().orElse(0) / NANOS_PER_MILLI;
    }

    Run and(Run other) {
      long[] least = leastNanos.clone();
      Arrays.setAll(least, i -> Math.min(leastNanos[i], other.leastNanos[i]));
      boolean faster = report.millisPerReading().mean() < other.report.millisPerReading().mean();
      double idle = Math.min(idleMillis, other.idleMillis);
      return faster
          ? new Run(report, collectMillis, least, idle)
          : new Run(other.report, other.collectMillis, least, idle);
    }
  }

  private final Plan plan;
  private final ConfigurationOptions configuration;
  private final ScaleTable table;
  private final PrintWriter progress;
  private final Interruption interruption;
  private final Map<Carrier, MessageCost> collectives = new HashMap<>();
  private final List<String> remarks = new ArrayList<>();

  ScaleBench(
      Plan plan,
      ConfigurationOptions configuration,
      ScaleTable table,
      PrintWriter progress,
      Interruption interruption) {
    this.plan = plan;
    this.configuration = configuration;
    this.table = table;
    this.progress = progress;
    this.interruption = interruption;
  }

  /** What is to be said below the tables. */
  List<String> remarks() {
    return List.copyOf(remarks);
  }

  /**
   * Measures and models ways that differ in how the tasks decide and talk, and in nothing else.
   *
   * @param ways with any number of tasks
   * @param tasks to measure, 1 among them
   * @param cores to model
   */
  void compare(List<ScaleCase> ways, List<Integer> tasks, List<Integer> cores)
      throws IOException, InterruptedException {
    List<ScaleCase> cases =
        ways.stream().flatMap(way -> tasks.stream().map(way::on)).distinct().toList();
    Map<ScaleCase, Run> fastest = new LinkedHashMap<>();
    Run serial = null;
    double[] pure = new double[plan.passes];
    for (int pass = 0; pass < plan.passes; pass++) {
      pure[pass] = PureThreads.speedup(2);
      Run again = run(ways.get(0), Engine.Kind.SERIAL);
      serial = serial == null ? again : serial.and(again);
      for (ScaleCase each : cases) {
        if (interruption.requested()) {
          return;
        }
        fastest.merge(each, run(each, Engine.Kind.STORM), Run::and);
      }
    }
    Arrays.sort(pure);
    double together = pure[pure.length / 2] / 2;
    double serialMillis = serial.millis();
    fastest.forEach((each, run) -> table.add(measured(each, run, serialMillis)));
    remarkOnMachine(ways.get(0), pure[pure.length / 2], fastest, serialMillis);
    model(ways, fastest, cores, together);
  }

  private Run run(ScaleCase each, Engine.Kind engine) {
    String name =
        (engine == Engine.Kind.SERIAL ? "serial" : each.way() + "-" + each.tasks())
            + "-"
            + each.particles()
            + (each.variant().name().isEmpty() ? "" : "-" + each.variant().name());
    progress.println(name + ":");
    long before = collectedMillis();
    Report report =
        new Replay(
                settings(each),
                engine,
                Pace.MAX,
                LogArgument.robot(plan.log),
                plan.log,
                plan.readings,
                plan.out.resolve(name.replace(' ', '-')),
                Optional.empty())
            .run(scans -> Yardstick.of(scans, null, null), progress, interruption);
    return new Run(
        report,
        collectedMillis() - before,
        report.serviceNanos().stream().mapToLong(Long::longValue).toArray(),
        report.team() == null ? 0 : report.team().idleP50Millis());
  }

  private RootSettings settings(ScaleCase each) {
    Map<String, String> flags = new LinkedHashMap<>(each.settings());
    if (each.carrier() == Carrier.RABBITMQ) {
      flags.put("broker.uri", plan.broker);
    }
    return configuration.settings(flags);
  }

  private static long collectedMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  private static ScaleFigures measured(ScaleCase each, Run run, double serialMillis) {
    TeamReport team = run.report.team();
    double perReading = (double) team.keyFrames() / run.report.readings().processed();
    return new ScaleFigures(
        each,
        false,
        serialMillis,
        run.millis(),
        team.computeMillis().stream().map(millis -> millis * perReading).toList(),
        team.slowestMillis() * perReading,
        team.decideMillis() * perReading,
        run.idleMillis,
        run.collectMillis / run.report.readings().processed(),
        run.report.resamplings(),
        run.report.bytesMoved());
  }

  private void remarkOnMachine(
      ScaleCase way, double pure, Map<ScaleCase, Run> runs, double serialMillis) {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    remark(
        "%d particles%s: two threads of pure computing are %.2f times as fast as one here; serial"
            + " %.2f ms; load %.1f on %d cores",
        way.particles(),
        way.variant().name().isEmpty() ? "" : ", " + way.variant().name(),
        pure,
        serialMillis,
        system.getSystemLoadAverage(),
        system.getAvailableProcessors());
    runs.forEach(
        (each, run) -> {
          if (each.tasks() == 2) {
            double overOne = runs.get(each.on(1)).millis() / run.millis();
            remark(
                "  %s: 2 tasks are %.2f times as fast as 1 task (%.2f of the pure threads), %.2f"
                    + " times as fast as serial (%.2f of them)",
                each.way(),
                overOne,
                overOne / pure,
                serialMillis / run.millis(),
                serialMillis / run.millis() / pure);
          }
        });
  }

  private void remark(String format, Object... values) {
    remarks.add(String.format(Locale.ROOT, format, values));
  }

  // --- model -------------------------------------------------------------------------------------

  private void model(
      List<ScaleCase> ways, Map<ScaleCase, Run> measured, List<Integer> cores, double together)
      throws IOException, InterruptedException {
    List<Reading> readings = readings();
    Map<Integer, List<Turn>> rehearsed = new HashMap<>();
    List<Integer> sizes = new ArrayList<>(List.of(1));
    measured.keySet().forEach(each -> sizes.add(each.tasks()));
    sizes.addAll(cores);
    for (int size : sizes.stream().distinct().toList()) {
      if (size <= ways.get(0).particles() && !interruption.requested()) {
        progress.println("rehearsing with " + size + " tasks");
        rehearsed.put(size, rehearse(ways.get(0).on(size), readings));
      }
    }
    double serial = Model.serialNanos(rehearsed.get(1));
    for (ScaleCase way : ways) {
      Run alone = measured.get(way.on(1));
      double beside = besideNanos(alone.report);
      MessageCost collective = collective(way);
      MessageCost hop = hop(way.mode(), alone);
      remark(
          "  %s: a word takes %.0f us between tasks of the topology; one of a collective %.0f us,"
              + " 2 x %.1f us of computing and %.2f ns a byte",
          way.way(),
          hop.latencyNanos() / 1000,
          collective.latencyNanos() / 1000,
          collective.overheadNanos() / 1000,
          collective.nanosPerByte());
      for (ScaleCase each : measured.keySet()) {
        if (each.on(1).equals(way.on(1)) && rehearsed.containsKey(each.tasks())) {
          Machine here = new Machine(machineCores(), together, hop, collective, beside);
          checkAgainst(measured.get(each), each, rehearsed.get(each.tasks()), here);
        }
      }
      for (int size : cores) {
        if (rehearsed.containsKey(size)) {
          Machine machine = new Machine(size, 1, hop, collective, beside);
          table.add(modelled(way.on(size), rehearsed.get(size), machine, serial));
        }
      }
    }
  }

  private static int machineCores() {
    return Runtime.getRuntime().availableProcessors();
  }

  private List<Reading> readings() throws IOException {
    List<Reading> readings = new ArrayList<>();
    try (LaserLog scans = LaserLog.open(plan.log)) {
      while (scans.hasNext() && readings.size() < plan.readings) {
        if (scans.next() instanceof LogEntry.Taken taken) {
          readings.add(taken.reading());
        }
      }
    }
    return readings;
  }

  private List<Turn> rehearse(ScaleCase each, List<Reading> readings) {
    RootSettings settings = settings(each);
    return Rehearsals.least(
        new ServiceSettings(settings.slam(), settings.broker(), settings.topology()),
        LogArgument.robot(plan.log),
        each.tasks(),
        readings,
        plan.passes);
  }

  private MessageCost collective(ScaleCase way) throws IOException, InterruptedException {
    if (way.carrier() == null) {
      return MessageCost.NONE;
    }
    MessageCost known = collectives.get(way.carrier());
    if (known == null) {
      Contender contender =
          switch (way.carrier()) {
            case MEMORY -> Contender.MEMORY;
            case TCP -> Contender.TCP_JVMS;
            case RABBITMQ -> Contender.RABBITMQ;
          };
      known = MessageCost.measured(contender, plan.broker);
      collectives.put(way.carrier(), known);
    }
    return known;
  }

  /**
   * With one task nobody is waited for: what is left are its words, to itself or there and back.
   */
  private static MessageCost hop(Mode mode, Run alone) {
    int words = mode == Mode.DATAFLOW ? 2 : 1;
    double millis = Math.max(0, alone.idleMillis - alone.report.team().decideMillis());
    return new MessageCost(millis * NANOS_PER_MILLI / words, 0, 0);
  }

  /** What the publisher computes for a reading, from the shares of the stages. */
  private static double besideNanos(Report report) {
    Map<String, Double> shares = report.stages();
    double computed = report.team().computeMillis().get(0) * report.team().keyFrames();
    double share = shares.getOrDefault("match", 0.0) + shares.getOrDefault("register", 0.0);
    return shares.getOrDefault("publish", 0.0)
        * computed
        / Math.max(share, 1e-9)
        / report.readings().processed()
        * NANOS_PER_MILLI;
  }

  private void checkAgainst(Run run, ScaleCase each, List<Turn> turns, Machine here) {
    double modelled =
        Model.nanosPerReading(each.mode(), turns, each.tasks(), here) / NANOS_PER_MILLI;
    remark(
        "  %s, %d tasks on %d cores: %.2f ms modelled, %.2f ms measured: %+.0f %%",
        each.way(),
        each.tasks(),
        here.cores(),
        modelled,
        run.millis(),
        100 * (modelled / run.millis() - 1));
  }

  private static ScaleFigures modelled(
      ScaleCase each, List<Turn> turns, Machine machine, double serialNanos) {
    double nanos = Model.nanosPerReading(each.mode(), turns, each.tasks(), machine);
    List<Double> compute = new ArrayList<>();
    for (int task = 0; task < each.tasks(); task++) {
      int rank = task;
      compute.add(
          turns.stream().mapToLong(turn -> turn.computeNanos(rank)).average().orElse(0)
              / NANOS_PER_MILLI);
    }
    return new ScaleFigures(
        each,
        true,
        serialNanos / NANOS_PER_MILLI,
        nanos / NANOS_PER_MILLI,
        compute,
        Model.slowestComputeNanos(turns) / NANOS_PER_MILLI,
        turns.stream().mapToLong(Turn::decideNanos).average().orElse(0) / NANOS_PER_MILLI,
        null,
        null,
        turns.stream().filter(Turn::resampled).count(),
        turns.stream().flatMap(turn -> turn.transfers().stream()).mapToLong(Transfer::bytes).sum());
  }
}
