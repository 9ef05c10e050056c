package org.cartostream.bench.scale;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.cartostream.bench.collectives.Implementation;
import org.cartostream.bench.model.MachineModel;
import org.cartostream.bench.model.MessageCost;
import org.cartostream.bench.played.FilterRecorder;
import org.cartostream.bench.played.FilterRecording;
import org.cartostream.bench.played.PlayedFactory;
import org.cartostream.bench.recovery.RecoveryInput;
import org.cartostream.bench.recovery.ReplayedRun;
import org.cartostream.bench.recovery.ServiceUnderTest;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.cluster.ClusterOptions;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.gateway.replay.Pace;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Measurement of many workers on this machine: real processes on hosts that are network namespaces,
 * with real messages, whose filters play a recording and so need no processor. A run of messages
 * alone shows what these cost; with that the model is asked for the same case.
 *
 * <p>Owns the recording, and the figures.
 */
public final class PlayedScale {

  private static final String FILE = "bench-scale-played.csv";

  private static final int WORKER_HEAP_MEGABYTES = 160;

  /** Share of the readings before which nothing is timed. */
  private static final double COLD = 0.4;

  private static final long RUN_SECONDS = 1200;
  private static final long IDLE_SECONDS = 5;
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * Options of a measurement.
   *
   * @param log file of the log
   * @param readings maximum number of scans that are taken from it
   * @param hosts numbers of hosts with workers
   * @param workers numbers of workers, 1 among them
   * @param slower factors on the recorded times, above 0
   * @param workerTasks number of tasks of each worker; a worker alone has one task
   * @param strict true if a busy machine is refused
   */
  public record Options(
      Path log,
      int readings,
      List<Integer> hosts,
      List<Integer> workers,
      List<Double> slower,
      int workerTasks,
      boolean strict) {}

  private record Measured(double millis, MachineUsage.Usage usage, double idleCores) {

    /** Returns the computing time of all processes for a reading, milliseconds. */
    double cpuMillis() {
      return usage.ownSeconds() / usage.seconds() * millis;
    }

    PlayedModel.MessagesAlone alone() {
      return new PlayedModel.MessagesAlone(
          millis, Math.max(0, cpuMillis() - idleCores * millis));
    }
  }

  private final Options options;
  private final Function<Map<String, String>, RootSettings> configuration;
  private final Path folder;
  private final PrintWriter progress;
  private final ShutdownRequest shutdownRequest;
  private final List<PlayedCost> rows = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  /** Rows of one worker, by the factor on the times. */
  private final Map<Double, PlayedCost> ofOne = new HashMap<>();

  /** Run of messages alone with one worker; null before it. */
  private Measured one;

  public PlayedScale(
      Options options,
      Function<Map<String, String>, RootSettings> configuration,
      Path folder,
      PrintWriter progress,
      ShutdownRequest shutdownRequest) {
    this.options = options;
    this.configuration = configuration;
    this.folder = folder.toAbsolutePath().normalize();
    this.progress = progress;
    this.shutdownRequest = shutdownRequest;
  }

  /**
   * Measures and models; prints the table.
   *
   * @param particles number of particles
   * @return the file of the figures
   */
  public Path run(int particles, PrintWriter out) throws IOException, InterruptedException {
    requireIdle(new MachineUsage(List.of()), "before it begins");
    RootSettings settings = settings(particles, 1, 1);
    List<Reading> readings =
        new ScaleBench.ScaleOptions(options.log, settings, options.readings, 1, "", folder)
            .firstReadings();
    ServiceSettings service = settings.service(BrokerSettings.defaults());
    progress.println("recording " + particles + " particles in one thread");
    FilterRecording recording =
        FilterRecorder.mapping(
            service,
            InputLog.robotId(options.log),
            readings,
            ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime,
            2,
            shutdownRequest::requested);
    remarks.add(
        String.format(
            Locale.ROOT,
            "%d particles: one thread computes %.2f ms for a reading, of %d",
            particles,
            recording.millis() / readings.size(),
            readings.size()));
    double nanosPerByte = MessageCost.measured(Implementation.TCP_JVMS, "").nanosPerByte();
    PlayedModel model =
        new PlayedModel(
            service, recording, InputLog.robotId(options.log), readings, nanosPerByte);
    for (int hosts : options.hosts) {
      if (!shutdownRequest.requested()) {
        measure(hosts, recording, model, readings.size());
      }
    }
    PlayedCost.TABLE.print(out, rows);
    remarks.forEach(out::println);
    return PlayedCost.TABLE.writeCsv(folder.resolve(FILE), rows);
  }

  private RootSettings settings(int particles, int workers, int tasks) {
    return configuration.apply(
        Map.of(
            "slam.particles", Integer.toString(particles),
            "topology.workers", Integer.toString(workers),
            "topology.tasks", Integer.toString(tasks),
            "topology.balanceTolerance", "1000000", // As many particles as in the model.
            "gateway.answerTimeoutSeconds", Long.toString(RUN_SECONDS),
            "checkpoint.everySeconds", "3600"));
  }

  private void measure(int hosts, FilterRecording recording, PlayedModel model, int readings)
      throws IOException, InterruptedException {
    int most = options.workers.stream().mapToInt(each -> each).max().orElseThrow();
    Path place = Files.createDirectories(folder.resolve("hosts-" + hosts));
    try (NamespaceHosts some = NamespaceHosts.up(place, hosts, (most + hosts - 1) / hosts)) {
      Cluster cluster =
          Cluster.startOn(
              ClusterHome.of(place.resolve("cluster").toString()),
              new ClusterOptions(false, WORKER_HEAP_MEGABYTES, true),
              some.file(),
              progress::println,
              shutdownRequest::requested);
      try {
        measureOn(cluster, hosts, recording, model, readings);
      } finally {
        cluster.down();
      }
    }
  }

  private void measureOn(
      Cluster cluster, int hosts, FilterRecording recording, PlayedModel model, int readings)
      throws IOException, InterruptedException {
    for (int workers : options.workers) {
      if (shutdownRequest.requested() || (workers == 1 && ofOne.containsKey(0.0))) {
        continue; // One worker is the same on any number of hosts.
      }
      int particles = recording.particles();
      int tasks = workers == 1 ? 1 : workers * options.workerTasks;
      PlayedCost.Case each = new PlayedCost.Case(hosts, workers, tasks, particles, 0, readings);
      Measured messages = measured(cluster, each, recording);
      one = one == null ? messages : one;
      MachineModel machine = model.machine(tasks, one.alone(), messages.alone());
      row(each, messages, model, machine);
      remarks.add(sentence(each, machine, messages));
      for (double slower : options.slower) {
        if (!shutdownRequest.requested()) {
          PlayedCost.Case with =
              new PlayedCost.Case(hosts, workers, tasks, particles, slower, readings);
          row(with, measured(cluster, with, recording), model, machine);
          PlayedCost.TABLE.writeCsv(folder.resolve(FILE), rows);
        }
      }
    }
  }

  private static String sentence(
      PlayedCost.Case each, MachineModel machine, Measured messages) {
    return String.format(
        Locale.ROOT,
        "%d tasks of %d workers on %d hosts: a message takes %.2f ms on its way and %.1f us of computing at"
            + " each end, collections with it; besides, a reading takes %.2f ms; idle processes"
            + " compute %.2f s a second%s",
        each.tasks(),
        each.workers(),
        each.hosts(),
        machine.hop().latencyNanos() / NANOS_PER_MILLI,
        machine.hop().overheadNanos() / 1e3,
        machine.besidesNanos() / NANOS_PER_MILLI,
        messages.idleCores,
        messages.usage.isBusy() 
            ? "; the machine was busy: what a message computes is by CPU, its way is by the clock"
            : "");
  }

  /** Measures one service. */
  private Measured measured(Cluster cluster, PlayedCost.Case each, FilterRecording recording)
      throws IOException, InterruptedException {
    String name =
        String.format(
            Locale.ROOT, "played-%d-%d-%.0f", each.hosts(), each.workers(), 10 * each.slower());
    progress.println(name);
    RootSettings settings = settings(each.particles(), each.workers(), each.tasks());
    Path files = Files.createDirectories(folder.resolve(name));
    Thread thread = Thread.currentThread();
    ClassLoader usual = thread.getContextClassLoader();
    try (URLClassLoader played = PlayedFactory.write(recording, each.slower(), files.resolve("jar"))) {
      thread.setContextClassLoader(played); // By it the jar's factory is found, and submitted.
      try (ServiceUnderTest service =
          ServiceUnderTest.start(cluster, name, settings, files.resolve("checkpoints"))) {
        return timed(service, cluster, files, each.readings());
      }
    } finally {
      thread.setContextClassLoader(usual);
    }
  }

  private Measured timed(
      ServiceUnderTest service, Cluster cluster, Path files, int readings)
      throws IOException, InterruptedException {
    String name = files.getFileName().toString();
    RecoveryInput input = new RecoveryInput(options.log, options.readings, Pace.MAX);
    int cold = Math.max(1, (int) (COLD * readings));
    TimeUnit.SECONDS.sleep(IDLE_SECONDS); // They start up.
    MachineUsage idle = new MachineUsage(processes(cluster));
    TimeUnit.SECONDS.sleep(IDLE_SECONDS);
    MachineUsage.Usage whileIdle = idle.until();
    try (ReplayedRun run = service.replay(input, files.resolve("run"))) {
      require(run, service, cold, name);
      MachineUsage usage = new MachineUsage(processes(cluster));
      require(run, service, readings, name);
      MachineUsage.Usage used = usage.until();
      requireIdle(used, name);
      double millis =
          (double) (run.answeredAt(readings) - run.answeredAt(cold)) / (readings - cold);
      return new Measured(millis, used, whileIdle.ownSeconds() / whileIdle.seconds());
    }
  }

  private static void require(ReplayedRun run, ServiceUnderTest service, int answers, String name)
      throws InterruptedException {
    if (!run.awaitAnswers(answers, RUN_SECONDS)) {
      throw ExitException.failed(
          "%s has %d of %d answers after %d s; the gateway: %s; the workers: %s"
              .formatted(
                  name, run.answered(), answers, RUN_SECONDS, run.remarks(), service.log()));
    }
  }

  /** Returns the processes that take part: the cluster's, the gateway, and this one. */
  private static List<ProcessHandle> processes(Cluster cluster) {
    List<ProcessHandle> all = new ArrayList<>(List.of(ProcessHandle.current()));
    ProcessHandle.current().descendants().forEach(all::add);
    cluster.processes().values().stream()
        .flatMap(List::stream)
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .forEach(all::add);
    return all;
  }

  private void requireIdle(MachineUsage since, String when) throws InterruptedException {
    TimeUnit.SECONDS.sleep(IDLE_SECONDS);
    requireIdle(since.until(), when);
  }

  private void requireIdle(MachineUsage.Usage usage, String when) {
    if (usage.isBusy()) {
      String sentence =
          String.format(
              Locale.ROOT,
              "%s: other processes use %.0f %% of this machine's processors",
              when,
              100 * usage.others());
      if (options.strict) {
        throw ExitException.failed(sentence + "; --strict wants at most 10 %");
      }
      progress.println(sentence + ": times are disturbed, and say so");
    }
  }

  private PlayedCost row(
      PlayedCost.Case each, Measured run, PlayedModel model, MachineModel machine) {
    PlayedCost row =
        new PlayedCost(
            each,
            run.millis,
            run.cpuMillis(),
            run.usage,
            model.millis(each.tasks(), each.slower(), machine),
            model.millis(
                each.tasks(), each.slower(), PlayedModel.withCores(each.tasks(), machine)),
            ofOne.get(each.slower()));
    ofOne.putIfAbsent(each.slower(), row);
    rows.add(row);
    return row;
  }
}
