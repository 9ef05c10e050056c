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
import org.cartostream.run.files.OutputFolder;
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

  /**
   * A service on a cluster.
   *
   * @param files folder for the files of its runs
   */
  private record Served(Cluster cluster, ServiceUnderTest service, Path files) {}

  /**
   * A run that was measured.
   *
   * @param millis time of a reading
   * @param usage use of the processors meanwhile
   */
  private record Measured(double millis, MachineUsage.Usage usage) {

    /** Returns the computing time of all processes for a reading, milliseconds. */
    double cpuMillis() {
      return usage.ownSeconds() / usage.seconds() * millis;
    }

    PlayedModel.MessagesAlone without(double idleCores) {
      return new PlayedModel.MessagesAlone(millis, Math.max(0, cpuMillis() - idleCores * millis));
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
  private PlayedModel.MessagesAlone one;

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
    MachineUsage before = new MachineUsage(List.of());
    TimeUnit.SECONDS.sleep(IDLE_SECONDS);
    before.until().requireIdle(options.strict).ifPresent(progress::println);
    RootSettings settings = settings(particles, 1, 1);
    List<Reading> readings =
        new ScaleBench.ScaleOptions(options.log, settings, options.readings, 1, false, "", folder)
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
            service,
            recording,
            InputLog.robotId(options.log),
            readings,
            cold(readings.size()),
            nanosPerByte);
    for (int hosts : options.hosts) {
      if (!shutdownRequest.requested()) {
        measure(hosts, recording, model, readings.size());
      }
    }
    PlayedCost.TABLE.print(out, rows);
    remarks.forEach(out::println);
    return PlayedCost.TABLE.writeCsv(folder.resolve(FILE), rows);
  }

  private static int cold(int readings) {
    return Math.max(1, (int) (COLD * readings));
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
      if (shutdownRequest.requested() || (workers == 1 && one != null)) {
        continue; // One worker is the same on any number of hosts.
      }
      int tasks = workers == 1 ? 1 : workers * options.workerTasks;
      PlayedCost.Case each =
          new PlayedCost.Case(hosts, workers, tasks, recording.particles(), 0, readings);
      Path files = Files.createDirectories(folder.resolve("%d-%d".formatted(hosts, workers)));
      Path slower = files.resolve("slower");
      Thread thread = Thread.currentThread();
      ClassLoader usual = thread.getContextClassLoader();
      try (URLClassLoader played = PlayedFactory.write(recording, slower, files.resolve("jar"))) {
        thread.setContextClassLoader(played); // By it the jar's factory is found, and submitted.
        String name = "played-%d-%d".formatted(hosts, workers);
        progress.println(name);
        RootSettings settings = settings(each.particles(), workers, tasks);
        try (ServiceUnderTest service =
            ServiceUnderTest.start(cluster, name, settings, files.resolve("checkpoints"))) {
          measure(new Served(cluster, service, files), each, model);
        }
      } finally {
        thread.setContextClassLoader(usual);
      }
    }
  }

  private void measure(Served served, PlayedCost.Case each, PlayedModel model)
      throws IOException, InterruptedException {
    run(served, each); // Until the compiler has compiled.
    MachineUsage idle = new MachineUsage(processes(served.cluster));
    TimeUnit.SECONDS.sleep(IDLE_SECONDS);
    MachineUsage.Usage whileIdle = idle.until();
    double idleCores = whileIdle.ownSeconds() / whileIdle.seconds();
    Measured alone = run(served, each);
    one = one == null ? alone.without(idleCores) : one;
    PlayedModel.Costs costs =
        model.costs(each.tasks(), one, alone.without(idleCores), alone.usage.left(idleCores));
    row(each, alone, model, costs);
    remarks.add(sentence(each, costs, idleCores, alone.usage));
    for (double slower : options.slower) {
      if (!shutdownRequest.requested()) {
        PlayedCost.Case with = each.slower(slower);
        row(with, run(served, with), model, costs);
        PlayedCost.TABLE.writeCsv(folder.resolve(FILE), rows);
      }
    }
  }

  private static String sentence(
      PlayedCost.Case each, PlayedModel.Costs costs, double idleCores, MachineUsage.Usage usage) {
    return String.format(
        Locale.ROOT,
        "%d tasks of %d workers on %d hosts: a message takes %.2f ms on its way and %.1f us of"
            + " computing at each end, collections with it; besides, a reading takes %.2f ms; idle"
            + " processes compute %.2f s a second%s",
        each.tasks(),
        each.workers(),
        each.hosts(),
        costs.hop().latencyNanos() / NANOS_PER_MILLI,
        costs.hop().overheadNanos() / 1e3,
        costs.besidesNanos() / NANOS_PER_MILLI,
        idleCores,
        usage.isBusy() ? "; by CPU, as the machine was busy" : "");
  }

  /** Runs the log through a service once. */
  private Measured run(Served served, PlayedCost.Case each)
      throws IOException, InterruptedException {
    Files.writeString(served.files.resolve("slower"), Double.toString(each.slower()));
    RecoveryInput input = new RecoveryInput(options.log, options.readings, Pace.MAX);
    int cold = cold(each.readings());
    Path files = served.files.resolve("run-" + rows.size());
    OutputFolder.prepare(files);
    try (ReplayedRun run = served.service.replay(input, files)) {
      require(run, served.service, cold);
      MachineUsage usage = new MachineUsage(processes(served.cluster));
      require(run, served.service, each.readings());
      MachineUsage.Usage used = usage.until();
      used.requireIdle(options.strict).ifPresent(progress::println);
      double millis =
          (double) (run.answeredAt(each.readings()) - run.answeredAt(cold))
              / (each.readings() - cold);
      run.awaitEnd(RUN_SECONDS);
      return new Measured(millis, used);
    }
  }

  private static void require(ReplayedRun run, ServiceUnderTest service, int answers)
      throws InterruptedException {
    if (!run.awaitAnswers(answers, RUN_SECONDS)) {
      throw ExitException.failed(
          "there are %d of %d answers after %d s; the gateway: %s; the workers: %s"
              .formatted(run.answered(), answers, RUN_SECONDS, run.remarks(), service.log()));
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

  private void row(PlayedCost.Case each, Measured run, PlayedModel model, PlayedModel.Costs costs) {
    PlayedCost row =
        new PlayedCost(
            each,
            run.millis,
            run.cpuMillis(),
            run.usage,
            model.millis(each.tasks(), each.slower(), costs.here()),
            model.millis(each.tasks(), each.slower(), costs.withCores()),
            ofOne.get(each.slower()));
    ofOne.putIfAbsent(each.slower(), row);
    rows.add(row);
  }
}
