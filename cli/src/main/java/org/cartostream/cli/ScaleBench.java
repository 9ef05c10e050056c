package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.cartostream.cli.scale.PureThreads;
import org.cartostream.gateway.Pace;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.Carrier;

/**
 * Runs a log serially and on tasks, in turns, so that a busy machine is busy for all of them, then
 * has more cores modelled.
 *
 * <p>Owns what is to be remarked below the tables.
 */
final class ScaleBench {

  /**
   * What is measured.
   *
   * @param settings with which the log is read
   * @param readings most scans to take
   * @param passes how often each is done, see {@link ScaleRun}
   * @param broker for tasks that talk through RabbitMQ; empty if none do
   * @param out for each run's files
   */
  record Plan(Path log, RootSettings settings, int readings, int passes, String broker, Path out) {

    /**
     * Those of them that are no refusals.
     *
     * @throws Failure if there are none
     */
    List<Reading> firstReadings() throws IOException {
      try (LaserLog scans = LogArgument.open(log, settings)) {
        List<Reading> first = scans.readings(readings);
        if (first.isEmpty()) {
          throw nothingIn();
        }
        return first;
      }
    }

    private Failure nothingIn() {
      return Failure.failed(
          "nothing can be measured by '%s': no scan taken from it is processed; 'replay' says why"
              .formatted(log));
    }
  }

  /**
   * How much faster two threads are than one.
   *
   * @param numbers that compute only
   * @param filters that run a filter of half the particles each
   */
  private record Pure(double numbers, double filters) {

    /** By the rule of {@link ScaleRun}. */
    static Pure of(List<Pure> passes) {
      return new Pure(
          ScaleRun.median(passes, Pure::numbers).numbers,
          ScaleRun.median(passes, Pure::filters).filters);
    }
  }

  private final Plan plan;
  private final Function<Map<String, String>, RootSettings> configuration;
  private final ScaleTable table;
  private final PrintWriter progress;
  private final Interruption interruption;
  private final ScaleModel model;
  private final List<String> remarks = new ArrayList<>();

  ScaleBench(
      Plan plan,
      Function<Map<String, String>, RootSettings> configuration,
      ScaleTable table,
      PrintWriter progress,
      Interruption interruption) {
    this.plan = plan;
    this.configuration = configuration;
    this.table = table;
    this.progress = progress;
    this.interruption = interruption;
    this.model =
        new ScaleModel(
            plan,
            this::settings,
            each -> run(each, Engine.Kind.STORM),
            progress,
            interruption::requested);
  }

  /** What is to be said below the tables. */
  List<String> remarks() {
    return List.copyOf(remarks);
  }

  /**
   * Measures and models ways that have the number of particles in common.
   *
   * @param ways with any number of tasks
   * @param tasks to measure, 1 among them
   * @param cores to model
   */
  void compare(List<ScaleCase> ways, List<Integer> tasks, List<Integer> cores)
      throws IOException, InterruptedException {
    List<ScaleCase> cases =
        ways.stream().flatMap(way -> tasks.stream().map(way::on)).distinct().toList();
    Map<ScaleCase.Variant, ScaleRun> serial = new LinkedHashMap<>();
    Map<ScaleCase, ScaleRun> runs = new LinkedHashMap<>();
    List<Pure> passes = new ArrayList<>();
    for (int pass = 0; pass < plan.passes; pass++) {
      passes.add(pure(ways.get(0).particles()));
      for (ScaleCase each : cases) {
        if (interruption.requested()) {
          return;
        }
        if (each.equals(firstOf(each.variant(), cases))) {
          serial.merge(each.variant(), run(each, Engine.Kind.SERIAL), ScaleRun::and);
        }
        if (!interruption.requested()) {
          runs.merge(each, run(each, Engine.Kind.STORM), ScaleRun::and);
        }
      }
    }
    if (interruption.requested()) {
      return; // Half a run is no figure.
    }
    Pure pure = Pure.of(passes);
    runs.forEach((each, run) -> table.add(run.figures(each, serial.get(each.variant()).millis())));
    remarkOnMachine(ways.get(0).particles(), pure);
    remarkOnTwoTasks(runs, serial, passes);
    remarkOnForced(runs);
    for (ScaleCase way : ways) {
      if (!interruption.requested()) {
        remarks.addAll(model.check(way, runs, pure.filters() / 2));
        model.more(way, cores).forEach(table::add);
      }
    }
  }

  private Pure pure(int particles) throws IOException, InterruptedException {
    Map<String, String> half = Map.of("slam.particles", Integer.toString((particles + 1) / 2));
    return new Pure(
        PureThreads.numbers(2),
        PureThreads.filters(2, configuration.apply(half).slam(), plan.firstReadings()));
  }

  private static ScaleCase firstOf(ScaleCase.Variant variant, List<ScaleCase> cases) {
    return cases.stream().filter(each -> each.variant().equals(variant)).findFirst().orElseThrow();
  }

  private ScaleRun run(ScaleCase each, Engine.Kind engine) {
    String name =
        engine == Engine.Kind.SERIAL
            ? "serial, " + each.particles() + " p " + each.variant().name()
            : each.name() + ", " + each.tasks() + " tasks";
    progress.println(name + ":");
    Report report =
        new Replay(
                settings(each),
                engine,
                Pace.MAX,
                LogArgument.robot(plan.log),
                plan.log,
                plan.readings,
                plan.out.resolve(name.strip().replaceAll("[ ,]+", "-")),
                Optional.empty())
            .run(scans -> Yardstick.of(scans, null, null), progress, interruption);
    if (report.readings().processed() == 0 && !interruption.requested()) {
      throw plan.nothingIn();
    }
    return ScaleRun.of(report);
  }

  private RootSettings settings(ScaleCase each) {
    Map<String, String> flags = new LinkedHashMap<>(each.settings());
    if (each.carrier() == Carrier.RABBITMQ) {
      flags.put("broker.uri", plan.broker);
    }
    return configuration.apply(flags);
  }

  private void remarkOnMachine(int particles, Pure pure) {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    remark(
        "%d particles: two threads of pure computing are %.2f times as fast as one here, two that"
            + " run a filter of half the particles each %.2f times; load %.1f on %d cores",
        particles,
        pure.numbers(),
        pure.filters(),
        system.getSystemLoadAverage(),
        system.getAvailableProcessors());
  }

  private void remarkOnTwoTasks(
      Map<ScaleCase, ScaleRun> runs, Map<ScaleCase.Variant, ScaleRun> serial, List<Pure> pure) {
    runs.forEach(
        (each, run) -> {
          if (each.tasks() == 2) {
            ScaleRun one = runs.get(each.on(1));
            ScaleRun alone = serial.get(each.variant());
            List<Double> ofPure = shares(run.timesAsFastAs(one), pure, Pure::numbers);
            List<Double> ofFilters = shares(run.timesAsFastAs(one), pure, Pure::filters);
            remark(
                "  %s: 2 tasks are %.2f times as fast as 1 task, %.2f of the pure threads and %.2f"
                    + " of the filters (medians of what each pass has: %s and %s, the cold one in"
                    + " brackets), and %.2f times as fast as serial; ms by pass: %s; with 1 task:"
                    + " %s",
                each.name(),
                ScaleRun.median(run.timesAsFastAs(one)),
                ScaleRun.median(ofPure),
                ScaleRun.median(ofFilters),
                ScaleRun.inOrder("%.2f", ofPure),
                ScaleRun.inOrder("%.2f", ofFilters),
                ScaleRun.median(run.timesAsFastAs(alone)),
                ScaleRun.inOrder("%.1f", run.millisOfPasses()),
                ScaleRun.inOrder("%.1f", one.millisOfPasses()));
          }
        });
  }

  /**
   * How much of what pure threads gain: by pass, for the machine is another one from minute to
   * minute, and what was measured in the same minute knows the same machine.
   */
  private static List<Double> shares(
      List<Double> timesAsFast, List<Pure> pure, ToDoubleFunction<Pure> figure) {
    return IntStream.range(0, timesAsFast.size())
        .mapToObj(pass -> timesAsFast.get(pass) / figure.applyAsDouble(pure.get(pass)))
        .toList();
  }

  private void remarkOnForced(Map<ScaleCase, ScaleRun> runs) {
    runs.forEach(
        (each, run) -> {
          ScaleRun adaptive = runs.get(each.as(ScaleCase.Variant.PLAIN));
          if (each.variant().equals(ScaleCase.Variant.FORCED) && adaptive != null) {
            remark(
                "  %s, %d tasks: %+.1f %% over resampling when it is needed",
                each.name(), each.tasks(), 100 * (run.millis() / adaptive.millis() - 1));
          }
        });
  }

  private void remark(String format, Object... values) {
    remarks.add(String.format(Locale.ROOT, format, values));
  }
}
