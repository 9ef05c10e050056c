package org.cartostream.bench.scale;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cartostream.bench.model.MachineModel;
import org.cartostream.bench.model.MessageCost;
import org.cartostream.bench.model.ServiceModel;
import org.cartostream.bench.played.FilterRecording;
import org.cartostream.bench.played.PlayedFilters;
import org.cartostream.bench.sequential.SequentialTasks;
import org.cartostream.bench.sequential.SequentialTasks.ReadingTimes;
import org.cartostream.bench.sequential.TaskTimings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Model of played runs: the {@link ServiceModel} with the times of the same recording, and with
 * costs of messages by what the processes computed in runs of messages alone.
 *
 * <p>Owns the times of each number of tasks.
 */
final class PlayedModel {

  /** Ends of messages for each task and reading: key frame, weights, decision, ready. */
  private static final int MESSAGE_ENDS = 6;

  private static final int PASSES = 3;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MAX_LATENCY_NANOS = 1e9;
  private static final int HALVINGS = 40;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Run of messages alone.
   *
   * @param millis time of a reading
   * @param cpuMillis computing time of all processes for a reading, garbage collection with it, and
   *     without what they compute when they are idle
   */
  record MessagesAlone(double millis, double cpuMillis) {}

  private record Key(int tasks, double slower) {}

  private final ServiceSettings settings;
  private final FilterRecording recording;
  private final String robot;
  private final List<Reading> readings;
  private final int cold;
  private final double nanosPerByte;
  private final Map<Key, List<ReadingTimes>> times = new HashMap<>();

  /**
   * @param cold number of readings before those that count
   * @param nanosPerByte latency of a message for each of its bytes
   */
  PlayedModel(
      ServiceSettings settings,
      FilterRecording recording,
      String robot,
      List<Reading> readings,
      int cold,
      double nanosPerByte) {
    this.settings = settings;
    this.recording = recording;
    this.robot = robot;
    this.readings = readings;
    this.cold = cold;
    this.nanosPerByte = nanosPerByte;
  }

  /**
   * Costs of a number of tasks.
   *
   * @param hop cost of a message
   * @param besidesNanos computing time of broker, gateway and all else for a reading
   * @param left share of the processors that others leave where all are wanted, 0 to 1
   */
  record Costs(int tasks, MessageCost hop, double besidesNanos, double left) {

    /** Returns this machine: what is computed takes longer by what others have of it. */
    MachineModel here() {
      MessageCost slowed =
          new MessageCost(hop.latencyNanos(), hop.overheadNanos() / left, hop.nanosPerByte());
      int cores = Runtime.getRuntime().availableProcessors();
      return new MachineModel(cores, 1, besidesNanos / left, slowed, MessageCost.NONE, true);
    }

    /** Returns a machine with a core for each task, and as many as here for all else. */
    MachineModel withCores() {
      int cores = Runtime.getRuntime().availableProcessors() + tasks;
      return new MachineModel(cores, 1, besidesNanos, hop, MessageCost.NONE);
    }
  }

  /**
   * Returns the costs of a number of tasks: a message costs what more tasks made the processes
   * compute, and takes as long on its way as the run of messages alone says, beyond what they
   * computed.
   *
   * @param one run of messages alone with one task
   * @param all the same with {@code tasks}
   * @param left share of the processors that was left to the run, 0 to 1
   */
  Costs costs(int tasks, MessagesAlone one, MessagesAlone all, double left) {
    double overhead =
        tasks == 1
            ? 0
            : Math.max(0, all.cpuMillis - one.cpuMillis)
                * NANOS_PER_MILLI
                / (MESSAGE_ENDS * (tasks - 1));
    double own = TaskTimings.serialNanos(times(1, 0)) + MESSAGE_ENDS * overhead;
    double besides = Math.max(0, one.cpuMillis * NANOS_PER_MILLI - own);
    double least = 0;
    double most = MAX_LATENCY_NANOS;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (least + most) / 2;
      MessageCost hop = new MessageCost(middle, overhead, nanosPerByte);
      if (millis(tasks, 0, new Costs(tasks, hop, besides, left).here()) > all.millis) {
        most = middle;
      } else {
        least = middle;
      }
    }
    return new Costs(tasks, new MessageCost(least, overhead, nanosPerByte), besides, left);
  }

  /** Returns the modelled time of a reading, milliseconds. */
  double millis(int tasks, double slower, MachineModel machine) {
    return ServiceModel.nanosPerReading(
            ResamplingMode.DATAFLOW, times(tasks, slower), tasks, machine)
        / NANOS_PER_MILLI;
  }

  /**
   * Returns the times of tasks that play; what they really compute is measured, the least counts.
   */
  private List<ReadingTimes> times(int tasks, double slower) {
    return times.computeIfAbsent(
        new Key(tasks, slower),
        key -> {
          List<ReadingTimes> least = pass(key);
          for (int pass = 1; pass < PASSES; pass++) {
            least = TaskTimings.minimum(least, pass(key));
          }
          return least;
        });
  }

  private List<ReadingTimes> pass(Key key) {
    long[] played = new long[1];
    SequentialTasks tasks =
        new SequentialTasks(
            settings,
            new PlayedFilters(
                recording, key.slower, settings.filter(), () -> nanos -> played[0] += nanos),
            robot,
            key.tasks,
            () -> THREADS.getCurrentThreadCpuTime() + played[0]);
    List<ReadingTimes> all = new ArrayList<>();
    for (int i = 0; i < readings.size(); i++) {
      Optional<ReadingTimes> one = tasks.process(i + 1L, readings.get(i));
      if (i >= cold) {
        one.ifPresent(all::add);
      }
    }
    return all;
  }
}
