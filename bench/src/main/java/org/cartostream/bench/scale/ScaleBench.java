package org.cartostream.bench.scale;

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
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.LogRun;
import org.cartostream.run.checkpoint.CheckpointUse;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.evaluation.GroundTruth;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.sensor.Reading;

/**
 * Measurement of the gain of tasks: runs a log serially and on tasks, in turns, so that a busy
 * machine is busy for all of them, then has more cores modelled.
 *
 * <p>Owns the remarks below the tables.
 */
public final class ScaleBench {

  /**
   * Options of a measurement.
   *
   * @param log file of the log
   * @param settings settings with which the log is read
   * @param readings maximum number of scans that are taken from the log
   * @param passes number of passes of each case, see {@link ScaleRun}
   * @param strict true if a busy machine is refused
   * @param broker address of the broker for tasks with RabbitMQ as transport; empty if there are
   *     none
   * @param out folder for each run's files
   */
  public record ScaleOptions(
      Path log,
      RootSettings settings,
      int readings,
      int passes,
      boolean strict,
      String broker,
      Path out) {

    /**
     * Returns the first readings of the log that are not refused.
     *
     * @throws ExitException if there are none
     */
    List<Reading> firstReadings() throws IOException {
      try (LaserLog scans = InputLog.open(List.of(log), settings)) {
        List<Reading> first = scans.readings(readings);
        if (first.isEmpty()) {
          throw nothingIn();
        }
        return first;
      }
    }

    private ExitException nothingIn() {
      return ExitException.failed(
          "nothing can be measured by '%s': no scan taken from it is processed; 'replay' says why"
              .formatted(log));
    }
  }

  /**
   * Speedup of two threads over one.
   *
   * @param numbers speedup of threads that only compute
   * @param filters speedup of threads that each run a filter of half the particles
   */
  private record ThreadSpeedup(double numbers, double filters) {

    /** Returns the speedup of some passes, by the rule of {@link ScaleRun}. */
    static ThreadSpeedup of(List<ThreadSpeedup> passes) {
      return new ThreadSpeedup(
          ScaleRun.median(passes, ThreadSpeedup::numbers).numbers,
          ScaleRun.median(passes, ThreadSpeedup::filters).filters);
    }
  }

  private final ScaleOptions scaleOptions;
  private final Function<Map<String, String>, RootSettings> configuration;
  private final ScaleTable table;
  private final PrintWriter progress;
  private final ShutdownRequest shutdownRequest;
  private final ScaleModel model;
  private final List<String> remarks = new ArrayList<>();

  public ScaleBench(
      ScaleOptions scaleOptions,
      Function<Map<String, String>, RootSettings> configuration,
      ScaleTable table,
      PrintWriter progress,
      ShutdownRequest shutdownRequest) {
    this.scaleOptions = scaleOptions;
    this.configuration = configuration;
    this.table = table;
    this.progress = progress;
    this.shutdownRequest = shutdownRequest;
    this.model =
        new ScaleModel(
            scaleOptions,
            this::settings,
            each -> run(each, Engine.Kind.STORM),
            progress,
            shutdownRequest::requested);
  }

  /** Returns the remarks below the tables. */
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  /**
   * Measures and models cases that have the number of particles in common.
   *
   * @param ways cases, with any number of tasks
   * @param tasks numbers of tasks to measure, 1 among them
   * @param cores numbers of cores to model
   */
  public void compare(List<ScaleCase> ways, List<Integer> tasks, List<Integer> cores)
      throws IOException, InterruptedException {
    List<ScaleCase> cases =
        ways.stream().flatMap(way -> tasks.stream().map(way::withTasks)).distinct().toList();
    Map<ScaleCase.Variant, ScaleRun> serial = new LinkedHashMap<>();
    Map<ScaleCase, ScaleRun> runs = new LinkedHashMap<>();
    List<ThreadSpeedup> passes = new ArrayList<>();
    MachineUsage usage = MachineUsage.ofThisProcess();
    for (int pass = 0; pass < scaleOptions.passes; pass++) {
      passes.add(pure(ways.get(0).particles()));
      for (ScaleCase each : cases) {
        if (shutdownRequest.requested()) {
          return;
        }
        if (each.equals(firstOf(each.variant(), cases))) {
          serial.merge(each.variant(), run(each, Engine.Kind.SERIAL), ScaleRun::plus);
        }
        if (!shutdownRequest.requested()) {
          runs.merge(each, run(each, Engine.Kind.STORM), ScaleRun::plus);
        }
      }
    }
    if (shutdownRequest.requested()) {
      return; // Half a run is no figure.
    }
    ThreadSpeedup threadSpeedup = ThreadSpeedup.of(passes);
    MachineUsage.Usage used = usage.until();
    used.requireIdle(scaleOptions.strict).ifPresent(remarks::add);
    runs.forEach(
        (each, run) ->
            table.add(run.figures(each, serial.get(each.variant()).millis(), used.isBusy())));
    remarkOnMachine(ways.get(0).particles(), threadSpeedup);
    remarkOnTwoTasks(runs, serial, passes);
    remarkOnForced(runs);
    for (ScaleCase way : ways) {
      if (!shutdownRequest.requested()) {
        remarks.addAll(model.compareWithMeasured(way, runs, threadSpeedup.filters() / 2));
        model.modelCores(way, cores, used.isBusy()).forEach(table::add);
      }
    }
  }

  private ThreadSpeedup pure(int particles) throws IOException, InterruptedException {
    Map<String, String> half = Map.of("slam.particles", Integer.toString((particles + 1) / 2));
    return new ThreadSpeedup(
        IndependentThreads.numbers(2),
        IndependentThreads.filters(
            2, configuration.apply(half).slam(), scaleOptions.firstReadings()));
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
    LogRun.Input input =
        new LogRun.Input(
            List.of(scaleOptions.log),
            scaleOptions.readings,
            InputLog.robotId(scaleOptions.log),
            Optional.empty(),
            Optional.empty());
    Path folder = scaleOptions.out.resolve(name.strip().replaceAll("[ ,]+", "-"));
    RunReport runReport =
        new LogRun(
                settings(each),
                engine,
                Pace.MAX,
                input,
                folder,
                Optional.empty(),
                CheckpointUse.OFF)
            .run(scans -> GroundTruth.of(scans, null, null), progress, shutdownRequest, List.of());
    if (runReport.readings().processed() == 0 && !shutdownRequest.requested()) {
      throw scaleOptions.nothingIn();
    }
    return ScaleRun.of(runReport);
  }

  private RootSettings settings(ScaleCase each) {
    Map<String, String> flags = new LinkedHashMap<>(each.settings());
    if ("rabbitmq".equals(each.transport())) {
      flags.put("broker.uri", scaleOptions.broker);
    }
    return configuration.apply(flags);
  }

  private void remarkOnMachine(int particles, ThreadSpeedup threadSpeedup) {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    remark(
        "%d particles: two threads of pure computing are %.2f times as fast as one here, two that"
            + " run a filter of half the particles each %.2f times; load %.1f on %d cores",
        particles,
        threadSpeedup.numbers(),
        threadSpeedup.filters(),
        system.getSystemLoadAverage(),
        system.getAvailableProcessors());
  }

  private void remarkOnTwoTasks(
      Map<ScaleCase, ScaleRun> runs,
      Map<ScaleCase.Variant, ScaleRun> serial,
      List<ThreadSpeedup> threadSpeedup) {
    runs.forEach(
        (each, run) -> {
          if (each.tasks() == 2) {
            ScaleRun one = runs.get(each.withTasks(1));
            ScaleRun alone = serial.get(each.variant());
            List<Double> ofPure =
                shares(run.timesAsFastAs(one), threadSpeedup, ThreadSpeedup::numbers);
            List<Double> ofFilters =
                shares(run.timesAsFastAs(one), threadSpeedup, ThreadSpeedup::filters);
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
   * Returns for each pass the speedup of tasks over that of independent threads. Figures of one
   * pass are compared, as the speed of the machine changes from minute to minute.
   */
  private static List<Double> shares(
      List<Double> timesAsFast,
      List<ThreadSpeedup> threadSpeedup,
      ToDoubleFunction<ThreadSpeedup> figure) {
    return IntStream.range(0, timesAsFast.size())
        .mapToObj(pass -> timesAsFast.get(pass) / figure.applyAsDouble(threadSpeedup.get(pass)))
        .toList();
  }

  private void remarkOnForced(Map<ScaleCase, ScaleRun> runs) {
    runs.forEach(
        (each, run) -> {
          ScaleRun adaptive = runs.get(each.withVariant(ScaleCase.Variant.PLAIN));
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
