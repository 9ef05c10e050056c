package org.cartostream.cli;

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
import org.cartostream.cli.collectives.Contender;
import org.cartostream.cli.scale.Machine;
import org.cartostream.cli.scale.MessageCost;
import org.cartostream.cli.scale.Model;
import org.cartostream.cli.scale.Rehearsals;
import org.cartostream.topology.Carrier;
import org.cartostream.topology.Mode;
import org.cartostream.topology.Rehearsal.Transfer;
import org.cartostream.topology.Rehearsal.Turn;
import org.cartostream.topology.ServiceSettings;

/**
 * Feeds the {@link Model} with what was measured.
 *
 * <p>Owns what was rehearsed so far, and the costs of words in each mode and over each carrier.
 */
final class ScaleModel {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;

  /** What the work of a rehearsal depends on. */
  private record Work(int particles, ScaleCase.Variant variant, int tasks) {}

  /** What words cost, between tasks of the topology and of a collective. */
  private record Words(MessageCost hop, MessageCost collective) {}

  private final ScaleBench.Plan plan;
  private final Function<ScaleCase, RootSettings> settings;
  private final Function<ScaleCase, ScaleRun> measuring;
  private final PrintWriter progress;
  private final BooleanSupplier stop;
  private final Map<Work, List<Turn>> rehearsed = new HashMap<>();
  private final Map<Carrier, MessageCost> collectives = new HashMap<>();
  private final Map<Mode, Double> hopNanos = new HashMap<>();

  /**
   * @param measuring runs a case once
   * @param stop is asked while it rehearses, which takes long; then it says what it has
   */
  ScaleModel(
      ScaleBench.Plan plan,
      Function<ScaleCase, RootSettings> settings,
      Function<ScaleCase, ScaleRun> measuring,
      PrintWriter progress,
      BooleanSupplier stop) {
    this.plan = plan;
    this.settings = settings;
    this.measuring = measuring;
    this.progress = progress;
    this.stop = stop;
  }

  /**
   * What the model says of the runs that were measured on this machine, for people.
   *
   * @param runs those of {@code way} among them
   * @param together the speed of each core here while all compute, over that of one alone
   */
  List<String> check(ScaleCase way, Map<ScaleCase, ScaleRun> runs, double together)
      throws IOException, InterruptedException {
    List<String> said = new ArrayList<>();
    Optional<Words> words = words(way);
    if (words.isEmpty()) {
      return said;
    }
    MessageCost hop = words.get().hop();
    MessageCost collective = words.get().collective();
    said.add(
        say(
            "  %s: a word between tasks of the topology takes %.0f us; one of a collective %.0f us"
                + " on its way, %.1f us of computing at each end, %.2f ns a byte",
            way.name(),
            hop.latencyNanos() / NANOS_PER_MICRO,
            collective.latencyNanos() / NANOS_PER_MICRO,
            collective.overheadNanos() / NANOS_PER_MICRO,
            collective.nanosPerByte()));
    double intake = turns(way.on(1)).stream().mapToLong(Turn::intakeNanos).average().orElse(0);
    said.add(
        say(
            "  %s: the dispatcher checks a reading in %.2f ms, which no number of tasks undercuts",
            way.name(), intake / NANOS_PER_MILLI));
    double besides = besidesNanos(way, runs.get(way.on(1)));
    said.add(
        say(
            "  %s: besides the topology's own work, this JVM computes %.2f ms a reading",
            way.name(), besides / NANOS_PER_MILLI));
    int cores = Runtime.getRuntime().availableProcessors();
    Machine here = new Machine(cores, together, besides, hop, collective);
    for (Map.Entry<ScaleCase, ScaleRun> run : runs.entrySet()) {
      ScaleCase each = run.getKey();
      if (each.on(1).equals(way.on(1))
          && each.tasks() <= each.particles()
          && !turns(each).isEmpty()) {
        double modelled = nanos(each, here) / NANOS_PER_MILLI;
        double measured = run.getValue().millis();
        said.add(
            say(
                "  %s, %d tasks on %d cores: %.2f ms modelled, %.2f ms measured: %+.0f %%",
                each.name(),
                each.tasks(),
                cores,
                modelled,
                measured,
                100 * (modelled / measured - 1)));
      }
    }
    return said;
  }

  /** What more cores would give, each with one task. */
  List<ScaleFigures> more(ScaleCase way, List<Integer> cores)
      throws IOException, InterruptedException {
    List<ScaleFigures> figures = new ArrayList<>();
    Optional<Words> words = words(way);
    if (words.isEmpty()) {
      return figures;
    }
    double serial = Model.serialNanos(turns(way.on(1)));
    for (int size : cores) {
      if (size <= way.particles() && !turns(way.on(size)).isEmpty()) {
        Machine machine = new Machine(size, 1, 0, words.get().hop(), words.get().collective());
        figures.add(figures(way.on(size), machine, serial));
      }
    }
    return figures;
  }

  private double nanos(ScaleCase each, Machine machine) throws IOException {
    return Model.nanosPerReading(each.mode(), turns(each), each.tasks(), machine);
  }

  /** What each reading takes; none if it is to stop. */
  private List<Turn> turns(ScaleCase each) throws IOException {
    Work work = new Work(each.particles(), each.variant(), each.tasks());
    List<Turn> turns = rehearsed.get(work);
    if (turns == null) {
      if (stop.getAsBoolean()) {
        return List.of();
      }
      progress.println("rehearsing with " + each.tasks() + " tasks");
      RootSettings its = settings.apply(each);
      turns =
          Rehearsals.least(
              new ServiceSettings(its.slam(), its.broker(), its.topology()),
              LogArgument.robot(plan.log()),
              each.tasks(),
              plan.firstReadings(),
              plan.passes(),
              stop);
      if (!turns.isEmpty()) {
        rehearsed.put(work, turns);
      }
    }
    return turns;
  }

  /**
   * What words cost, once one task is rehearsed; none if it is to stop: half a run is no figure.
   */
  private Optional<Words> words(ScaleCase way) throws IOException, InterruptedException {
    if (turns(way.on(1)).isEmpty()) {
      return Optional.empty();
    }
    MessageCost hop = hop(way);
    if (stop.getAsBoolean()) {
      return Optional.empty();
    }
    try {
      MessageCost collective = collective(way);
      return stop.getAsBoolean() ? Optional.empty() : Optional.of(new Words(hop, collective));
    } catch (IOException e) {
      if (stop.getAsBoolean()) {
        return Optional.empty(); // Ctrl-C has ended the members' processes, too.
      }
      throw e;
    }
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
      known = MessageCost.measured(contender, plan.broker());
      collectives.put(way.carrier(), known);
    }
    return known;
  }

  /**
   * With one task nobody is waited for: while it does not compute, its words are on their way, to
   * the resampler and back or to itself; if it does nothing ahead, and so a run of its own is made.
   * What came between does not count: of ten key frames the best.
   */
  private MessageCost hop(ScaleCase way) {
    Double known = hopNanos.get(way.mode());
    if (known == null) {
      ScaleRun run = measuring.apply(way.on(1).as(ScaleCase.Variant.IDLE));
      if (stop.getAsBoolean()) {
        return MessageCost.NONE; // It was interrupted, and may have no key frame.
      }
      int words = way.mode() == Mode.DATAFLOW ? 2 : 1;
      double millis = Math.max(0, run.idleP10Millis() - run.report().team().decideMillis());
      known = millis * NANOS_PER_MILLI / words;
      hopNanos.put(way.mode(), known);
    }
    return new MessageCost(known, 0, 0);
  }

  /**
   * What the JVM computed for each reading with one task, beyond what was rehearsed: the embedded
   * broker, the gateway, maps, Storm, compiler and collector. They share this machine's cores with
   * the tasks.
   */
  private double besidesNanos(ScaleCase way, ScaleRun alone) throws IOException {
    double all = alone.report().jvmPerReading().cpuMillis() * NANOS_PER_MILLI;
    return Math.max(0, all - Model.serialNanos(turns(way.on(1))));
  }

  private ScaleFigures figures(ScaleCase each, Machine machine, double serialNanos)
      throws IOException {
    List<Turn> turns = turns(each);
    List<Double> compute = new ArrayList<>();
    for (int task = 0; task < each.tasks(); task++) {
      int rank = task;
      compute.add(
          turns.stream().mapToLong(turn -> turn.computeNanos(rank)).average().orElse(0)
              / NANOS_PER_MILLI);
    }
    double millis = nanos(each, machine) / NANOS_PER_MILLI;
    double mean = compute.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    double slowest = Model.slowestComputeNanos(turns) / NANOS_PER_MILLI;
    double decide =
        turns.stream().mapToLong(Turn::decideNanos).average().orElse(0) / NANOS_PER_MILLI;
    return new ScaleFigures(
        each,
        true,
        serialNanos / NANOS_PER_MILLI,
        millis,
        compute,
        slowest,
        decide,
        millis - mean,
        null,
        null,
        turns.stream().filter(Turn::resampled).count(),
        turns.stream().flatMap(turn -> turn.transfers().stream()).mapToLong(Transfer::bytes).sum());
  }

  private static String say(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
