package org.cartostream.bench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.cartostream.bench.scale.PlayedScale;
import org.cartostream.bench.scale.ScaleBench;
import org.cartostream.bench.scale.ScaleCase;
import org.cartostream.bench.scale.ScaleTable;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.cli.options.CommandContext;
import org.cartostream.cli.options.ConfigurationOptions;
import org.cartostream.cli.options.OptionChecks;
import org.cartostream.topology.settings.ResamplingMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Command {@code bench scale}. */
@Command(
    name = "scale",
    description = {
      "Measure what spreading the particles over tasks gives on this machine, and work out by a"
          + " discrete-event model what it would give on more cores.",
      ""
    },
    footer = {
      "",
      "'compute' is the mean of the tasks, 'slowest' that of the slowest of each reading;"
          + " in 'rest' the mean task does not compute; in 'idle' (median) none does. The model"
          + " is fed with what each task computes for each reading, measured in one thread, the"
          + " least of the passes, and with measured costs of messages. It is checked against"
          + " what was measured. Its cores do not slow each other down, except in that check.",
      "",
      "With --hosts, workers are processes on hosts that are network namespaces of this machine"
          + " (as root), and their filters play what one thread recorded: each particle has its"
          + " weight after the time that it took, times --slower, by a timer that needs no"
          + " processor. So time is measured, and no bytes. A run of messages alone says what"
          + " these compute and how long they take; by that the model says what the same case"
          + " takes here, and with a core for each task. Of figures where other processes used"
          + " more than 10 % of the processors, it says 'busy'.",
      "",
      "Examples:",
      "  bench scale datasets/office.clf --particles 100 --tasks 1,2",
      "  bench scale datasets/office.clf --hosts 2 --workers 1,4 --slower 10"
    })
final class BenchScaleCommand implements Callable<Integer> {

  private static final String RABBITMQ = "rabbitmq";
  private static final List<Integer> ALL_TASKS = List.of(1, 2, 4, 8, 12, 16, 20);
  private static final List<Integer> ALL_PARTICLES = List.of(20, 60, 100, 1000);
  private static final List<Integer> ALL_CUTOFFS = List.of(60, 80, 100);

  @Spec private CommandSpec spec;
  @ParentCommand private CommandContext parent;

  @Mixin private LogParameter log;

  @Option(
      names = "--particles",
      paramLabel = "N",
      split = ",",
      defaultValue = "100",
      description = "Numbers of particles. Default: ${DEFAULT-VALUE}.")
  private List<Integer> particles;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,2",
      description = "Numbers of tasks to measure, 1 among them. Default: ${DEFAULT-VALUE}.")
  private List<Integer> tasks;

  @Option(
      names = "--cores",
      paramLabel = "N",
      split = ",",
      defaultValue = "4,8,12,16,20,32,64",
      description = "Numbers of tasks to model, each on its core. Default: ${DEFAULT-VALUE}.")
  private List<Integer> cores;

  @Option(
      names = "--modes",
      paramLabel = "M",
      split = ",",
      defaultValue = "DATAFLOW,BSP",
      description = "${COMPLETION-CANDIDATES}. Default: both.")
  private List<ResamplingMode> modes;

  @Option(
      names = "--transports",
      paramLabel = "T",
      split = ",",
      defaultValue = "memory",
      description = "Of the tasks' messages in bsp: memory, tcp, rabbitmq. Default: memory.")
  private List<String> transports;

  @Option(
      names = "--forced",
      description = "Measure resampling at every reading, too (thesis, figure 5.8).")
  private boolean forced;

  @Option(
      names = "--idle",
      description = "Measure tasks that wait idly for slower ones, too (topology.workAhead false).")
  private boolean idle;

  @Option(
      names = "--cutoffs",
      paramLabel = "N",
      split = ",",
      description =
          "Measure other bounds of the evaluations per particle, too (thesis, figures 5.7, 5.9).")
  private List<Integer> cutoffs = List.of();

  @Option(
      names = "--readings",
      paramLabel = "K",
      defaultValue = "100",
      description = "Take at most so many scans from the log. Default: 100.")
  private int readings;

  @Option(
      names = "--passes",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "How often each is done, in turns. If more than once, the first warms up; of the others"
              + " the median counts. Default: 4.")
  private int passes;

  @Option(
      names = "--full",
      description = {
        "Every number of tasks and particles, mode, transport and variant that is here and in the"
            + " thesis: takes hours."
      })
  private boolean full;

  @Option(
      names = "--hosts",
      paramLabel = "N",
      split = ",",
      description = "Play on so many hosts with workers, which are network namespaces.")
  private List<Integer> hosts = List.of();

  @Option(
      names = "--workers",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,4",
      description =
          "Numbers of processes that play, one with one task among them. Default: ${DEFAULT-VALUE}.")
  private List<Integer> workers;

  @Option(
      names = "--worker-tasks",
      paramLabel = "N",
      defaultValue = "1",
      description = "Tasks of each process that plays, if there are several. Default: 1.")
  private int workerTasks;

  @Option(
      names = "--slower",
      paramLabel = "X",
      split = ",",
      defaultValue = "1",
      description = "Factors on the times that are played. Default: ${DEFAULT-VALUE}.")
  private List<Double> slower;

  @Option(
      names = "--strict",
      description =
          "Refuse a machine of whose processors other processes use more than 10 %. Without it, such"
              + " figures say 'busy'.")
  private boolean strict;

  @Mixin private ResultFolderOption out;

  @Mixin private ConfigurationOptions configuration;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (full) {
      tasks = ALL_TASKS;
      particles = ALL_PARTICLES;
      transports = List.of("memory", "tcp", RABBITMQ);
      modes = List.of(ResamplingMode.values());
      cutoffs = ALL_CUTOFFS;
      forced = true;
      idle = true;
    }
    check();
    parent.shutdownRequest(); // A signal now makes a request: a broker must be stopped.
    Path figures = out.prepare();
    if (!hosts.isEmpty()) {
      return play(figures);
    }
    Optional<String> missing = LocalRabbitMq.missing();
    if (!transports.contains(RABBITMQ) || missing.isPresent()) {
      missing.ifPresent(why -> leaveOutRabbitMq(why));
      return measure("", figures);
    }
    try (LocalRabbitMq broker = LocalRabbitMq.started()) {
      return measure(broker.uri(), figures);
    }
  }

  private void check() {
    tasks = withOne(tasks); // One task shows what a message costs.
    OptionChecks.atLeastOne("--passes", passes);
    OptionChecks.atLeastOne("--readings", readings);
    OptionChecks.atLeastOne("--tasks", tasks);
    OptionChecks.atLeastOne("--cores", cores);
    OptionChecks.atLeastOne("--particles", particles);
    OptionChecks.atLeastOne("--cutoffs", cutoffs);
    OptionChecks.atLeastOne("--hosts", hosts);
    OptionChecks.atLeastOne("--workers", workers);
    OptionChecks.atLeastOne("--worker-tasks", workerTasks);
    slower.forEach(factor -> OptionChecks.moreThanZero("--slower", factor));
  }

  private int play(Path figures) throws IOException, InterruptedException {
    PrintWriter screen = spec.commandLine().getOut();
    PlayedScale.Options options =
        new PlayedScale.Options(
            log.file(), readings, hosts, withOne(workers), slower, workerTasks, strict);
    List<Path> written = new ArrayList<>();
    for (int count : particles) {
      if (!parent.shutdownRequest().requested()) {
        written.add(
            new PlayedScale(
                    options,
                    configuration::settings,
                    figures.resolve(count + "-particles"),
                    spec.commandLine().getErr(),
                    parent.shutdownRequest())
                .run(count, screen));
      }
    }
    ResultFolderOption.printWritten(written, screen);
    return parent.shutdownRequest().exitCode();
  }

  private static List<Integer> withOne(List<Integer> counts) {
    Set<Integer> withOne = new LinkedHashSet<>(List.of(1));
    withOne.addAll(counts);
    return List.copyOf(withOne);
  }

  private void leaveOutRabbitMq(String why) {
    if (transports.contains(RABBITMQ)) {
      spec.commandLine().getErr().println(why + ": it is left out");
      transports = transports.stream().filter(each -> !each.equals(RABBITMQ)).toList();
    }
  }

  private int measure(String broker, Path figures) throws IOException, InterruptedException {
    PrintWriter screen = spec.commandLine().getOut();
    ScaleTable table = new ScaleTable();
    ScaleBench bench =
        new ScaleBench(
            new ScaleBench.ScaleOptions(
                log.file(),
                configuration.settings(Map.of()),
                readings,
                passes,
                strict,
                broker,
                figures),
            configuration::settings,
            table,
            spec.commandLine().getErr(),
            parent.shutdownRequest());
    for (int count : particles) {
      if (!parent.shutdownRequest().requested()) {
        bench.compare(ways(count), tasks, cores);
      }
    }
    table.print(screen, false);
    table.print(screen, true);
    bench.remarks().forEach(screen::println);
    ResultFolderOption.printWritten(table.write(figures), screen);
    return parent.shutdownRequest().exitCode();
  }

  private List<ScaleCase.Variant> variants() {
    List<ScaleCase.Variant> variants = new ArrayList<>(List.of(ScaleCase.Variant.PLAIN));
    if (forced) {
      variants.add(ScaleCase.Variant.FORCED);
    }
    if (idle) {
      variants.add(ScaleCase.Variant.IDLE);
    }
    cutoffs.forEach(cutoff -> variants.add(ScaleCase.Variant.cutoff(cutoff)));
    return variants;
  }

  private List<ScaleCase> ways(int count) {
    List<ScaleCase> ways = new ArrayList<>();
    for (ScaleCase.Variant variant : variants()) {
      for (ResamplingMode mode : modes) {
        if (mode == ResamplingMode.DATAFLOW) {
          ways.add(new ScaleCase(count, variant, mode, null, 1));
        } else {
          transports.forEach(
              transport -> ways.add(new ScaleCase(count, variant, mode, transport, 1)));
        }
      }
    }
    return ways;
  }
}
