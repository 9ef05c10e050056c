package org.cartostream.bench.scale;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.cartostream.bench.collectives.Implementation;
import org.cartostream.bench.model.MachineModel;
import org.cartostream.bench.model.MessageCost;
import org.cartostream.bench.model.ServiceModel;
import org.cartostream.bench.sequential.SequentialTasks.ReadingTimes;
import org.cartostream.bench.sequential.SequentialTasks.Transfer;
import org.cartostream.bench.sequential.TaskTimings;
import org.cartostream.run.files.InputLog;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Model of cases on more cores: feeds the {@link ServiceModel} with measured times and costs of
 * messages.
 *
 * <p>Owns the times measured so far, and the costs of messages in each mode and over each
 * transport.
 */
final class ScaleModel {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;

  /** Key of the times of tasks: everything that these depend on. */
  private record TimingKey(int particles, ScaleCase.Variant variant, int tasks) {}

  /** Costs of a message between tasks, in the topology and in a collective call. */
  private record MessageCosts(MessageCost hop, MessageCost collective) {}

  private final ScaleBench.ScaleOptions scaleOptions;
  private final Function<ScaleCase, RootSettings> settings;
  private final Function<ScaleCase, ScaleRun> measuring;
  private final PrintWriter progress;
  private final BooleanSupplier stop;
  private final Map<TimingKey, List<ReadingTimes>> timings = new HashMap<>();
  private final Map<String, MessageCost> collectives = new HashMap<>();
  private final Map<ResamplingMode, Double> hopNanos = new HashMap<>();

  /**
   * @param measuring runs a case once
   * @param stop is asked during measurements, which take long; if true, the times measured so far
   *     are used
   */
  ScaleModel(
      ScaleBench.ScaleOptions scaleOptions,
      Function<ScaleCase, RootSettings> settings,
      Function<ScaleCase, ScaleRun> measuring,
      PrintWriter progress,
      BooleanSupplier stop) {
    this.scaleOptions = scaleOptions;
    this.settings = settings;
    this.measuring = measuring;
    this.progress = progress;
    this.stop = stop;
  }

  /**
   * Compares the model's predictions with the runs that were measured on this machine; returns
   * sentences for people.
   *
   * @param way a way to run the log: mode and transport, with any number of tasks
   * @param runs measured runs, those of {@code way} among them
   * @param together speed of each core here while all compute, over that of a core that computes
   *     alone
   */
  List<String> compareWithMeasured(ScaleCase way, Map<ScaleCase, ScaleRun> runs, double together)
      throws IOException, InterruptedException {
    List<String> remarks = new ArrayList<>();
    Optional<MessageCosts> messageCosts = messageCosts(way);
    if (messageCosts.isEmpty()) {
      return remarks;
    }
    MessageCost hop = messageCosts.get().hop();
    MessageCost collective = messageCosts.get().collective();
    remarks.add(
        format(
            "  %s: a message between tasks of the topology takes %.0f us; one of a collective %.0f us"
                + " on its way, %.1f us of computing at each end, %.2f ns a byte",
            way.name(),
            hop.latencyNanos() / NANOS_PER_MICRO,
            collective.latencyNanos() / NANOS_PER_MICRO,
            collective.overheadNanos() / NANOS_PER_MICRO,
            collective.nanosPerByte()));
    double intake =
        turns(way.withTasks(1)).stream().mapToLong(ReadingTimes::intakeNanos).average().orElse(0);
    remarks.add(
        format(
            "  %s: the dispatcher checks a reading in %.2f ms, which no number of tasks undercuts",
            way.name(), intake / NANOS_PER_MILLI));
    double besides = besidesNanos(way, runs.get(way.withTasks(1)));
    remarks.add(
        format(
            "  %s: besides the topology's own work, this JVM computes %.2f ms a reading",
            way.name(), besides / NANOS_PER_MILLI));
    int cores = Runtime.getRuntime().availableProcessors();
    MachineModel here = new MachineModel(cores, together, besides, hop, collective);
    for (Map.Entry<ScaleCase, ScaleRun> run : runs.entrySet()) {
      ScaleCase each = run.getKey();
      if (each.withTasks(1).equals(way.withTasks(1))
          && each.tasks() <= each.particles()
          && !turns(each).isEmpty()) {
        double modelled = nanos(each, here) / NANOS_PER_MILLI;
        double measured = run.getValue().millis();
        remarks.add(
            format(
                "  %s, %d tasks on %d cores: %.2f ms modelled, %.2f ms measured: %+.0f %%",
                each.name(),
                each.tasks(),
                cores,
                modelled,
                measured,
                100 * (modelled / measured - 1)));
      }
    }
    return remarks;
  }

  /**
   * Models the cost of a case with other numbers of cores, each with one task.
   *
   * @param busy true if other processes used the machine meanwhile: what tasks compute is by CPU
   *     all the same, but a message is on its way for longer
   */
  List<ScaleCost> modelCores(ScaleCase way, List<Integer> cores, boolean busy)
      throws IOException, InterruptedException {
    List<ScaleCost> figures = new ArrayList<>();
    Optional<MessageCosts> messageCosts = messageCosts(way);
    if (messageCosts.isEmpty()) {
      return figures;
    }
    double serial = TaskTimings.serialNanos(turns(way.withTasks(1)));
    for (int size : cores) {
      if (size <= way.particles() && !turns(way.withTasks(size)).isEmpty()) {
        MachineModel machineModel =
            new MachineModel(size, 1, 0, messageCosts.get().hop(), messageCosts.get().collective());
        figures.add(figures(way.withTasks(size), machineModel, serial, busy));
      }
    }
    return figures;
  }

  private double nanos(ScaleCase each, MachineModel machineModel) throws IOException {
    return ServiceModel.nanosPerReading(each.mode(), turns(each), each.tasks(), machineModel);
  }

  /** Returns the times of each reading; none if the measurement was stopped. */
  private List<ReadingTimes> turns(ScaleCase each) throws IOException {
    TimingKey timingKey = new TimingKey(each.particles(), each.variant(), each.tasks());
    List<ReadingTimes> readingTimeses = timings.get(timingKey);
    if (readingTimeses == null) {
      if (stop.getAsBoolean()) {
        return List.of();
      }
      progress.println("measuring tasks in one thread: " + each.tasks() + " tasks");
      RootSettings its = settings.apply(each);
      readingTimeses =
          TaskTimings.minimum(
              new ServiceSettings(its.slam(), its.broker(), its.topology()),
              InputLog.robotId(scaleOptions.log()),
              each.tasks(),
              scaleOptions.firstReadings(),
              scaleOptions.passes(),
              stop);
      if (!readingTimeses.isEmpty()) {
        timings.put(timingKey, readingTimeses);
      }
    }
    return readingTimeses;
  }

  /**
   * Returns the costs of messages, after one task was measured; empty if the measurement was
   * stopped, as half a run is no figure.
   */
  private Optional<MessageCosts> messageCosts(ScaleCase way)
      throws IOException, InterruptedException {
    if (turns(way.withTasks(1)).isEmpty()) {
      return Optional.empty();
    }
    MessageCost hop = hop(way);
    if (stop.getAsBoolean()) {
      return Optional.empty();
    }
    try {
      MessageCost collective = collective(way);
      return stop.getAsBoolean()
          ? Optional.empty()
          : Optional.of(new MessageCosts(hop, collective));
    } catch (IOException e) {
      if (stop.getAsBoolean()) {
        return Optional.empty(); // Ctrl-C has ended the members' processes, too.
      }
      throw e;
    }
  }

  private MessageCost collective(ScaleCase way) throws IOException, InterruptedException {
    if (way.transport() == null) {
      return MessageCost.NONE;
    }
    MessageCost known = collectives.get(way.transport());
    if (known == null) {
      Implementation implementation =
          switch (way.transport()) {
            case "memory" -> Implementation.MEMORY;
            case "tcp" -> Implementation.TCP_JVMS;
            case "shared-memory" -> Implementation.SHARED_MEMORY_JVMS;
            case "rabbitmq" -> Implementation.RABBITMQ;
            default -> throw new IOException("no model of transport '" + way.transport() + "'");
          };
      known = MessageCost.measured(implementation, scaleOptions.broker());
      collectives.put(way.transport(), known);
    }
    return known;
  }

  /**
   * Returns the cost of a message between tasks of the topology. It is measured with one task that
   * does nothing ahead, in a run of its own: there nobody waits for another task, and while the
   * task does not compute, its messages are on their way, to the resampler and back or to itself.
   * Of ten key frames the best counts, so that nothing else came between.
   */
  private MessageCost hop(ScaleCase way) {
    Double known = hopNanos.get(way.mode());
    if (known == null) {
      ScaleRun run = measuring.apply(way.withTasks(1).withVariant(ScaleCase.Variant.IDLE));
      if (stop.getAsBoolean()) {
        return MessageCost.NONE; // It was interrupted, and may have no key frame.
      }
      int messages = way.mode() == ResamplingMode.DATAFLOW ? 2 : 1;
      double millis = Math.max(0, run.idleP10Millis() - run.report().team().decideMillis());
      known = millis * NANOS_PER_MILLI / messages;
      hopNanos.put(way.mode(), known);
    }
    return new MessageCost(known, 0, 0);
  }

  /**
   * Returns the JVM's computing time for each reading with one task, beyond the times of the task
   * itself: embedded broker, gateway, maps, Storm, compiler and garbage collector share this
   * machine's cores with the tasks.
   */
  private double besidesNanos(ScaleCase way, ScaleRun alone) throws IOException {
    double all = alone.report().jvmPerReading().cpuMillis() * NANOS_PER_MILLI;
    return Math.max(0, all - TaskTimings.serialNanos(turns(way.withTasks(1))));
  }

  private ScaleCost figures(
      ScaleCase each, MachineModel machineModel, double serialNanos, boolean busy)
      throws IOException {
    List<ReadingTimes> readingTimeses = turns(each);
    List<Double> compute = new ArrayList<>();
    for (int task = 0; task < each.tasks(); task++) {
      int rank = task;
      compute.add(
          readingTimeses.stream()
                  .mapToLong(readingTimes -> readingTimes.computeNanos(rank))
                  .average()
                  .orElse(0)
              / NANOS_PER_MILLI);
    }
    double millis = nanos(each, machineModel) / NANOS_PER_MILLI;
    double mean = compute.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    double slowest = TaskTimings.slowestComputeNanos(readingTimeses) / NANOS_PER_MILLI;
    double decide =
        readingTimeses.stream().mapToLong(ReadingTimes::decideNanos).average().orElse(0)
            / NANOS_PER_MILLI;
    return new ScaleCost(
        each,
        true,
        busy,
        serialNanos / NANOS_PER_MILLI,
        millis,
        compute,
        slowest,
        decide,
        millis - mean,
        null,
        null,
        readingTimeses.stream().filter(ReadingTimes::resampled).count(),
        readingTimeses.stream()
            .flatMap(readingTimes -> readingTimes.transfers().stream())
            .mapToLong(Transfer::bytes)
            .sum());
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
