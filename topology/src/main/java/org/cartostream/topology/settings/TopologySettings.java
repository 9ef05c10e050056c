package org.cartostream.topology.settings;

import java.util.concurrent.TimeUnit;
import org.cartostream.settings.Setting;

/** Settings of the topology; nothing here changes a filter's answer. */
public record TopologySettings(
    @Setting(
            value = "2",
            min = 1,
            max = 1024,
            description = "How many tasks share each robot's particles.")
        int tasks,
    @Setting(
            value = "dataflow",
            description =
                "How the tasks decide which particles go on: dataflow (a task of its own decides for"
                    + " all) or bsp (all send all their weights, each decides the same).")
        ResamplingMode mode,
    @Setting(
            value = "memory",
            description =
                "What carries messages between the tasks in bsp: memory (one process), tcp or"
                    + " rabbitmq.")
        CollectiveTransport collectiveTransport,
    @Setting(
            value = "0.1",
            min = 0,
            max = 1_000_000,
            description =
                "By which share of the tasks' mean time the slowest may be above it before it gets"
                    + " fewer particles at the next resampling; 1000000 keeps their numbers equal.")
        double balanceTolerance,
    @Setting(
            value = "512",
            unit = "key frames",
            min = 0,
            max = 10_000,
            description =
                "Of so many the tasks keep the scans, so that a particle that changes tasks can take"
                    + " its poses along in place of map tiles where that is less; 0 for tiles"
                    + " only.")
        int rebuildKeyFrames,
    @Setting(
            value = "true",
            description =
                "Whether a task goes on working while slower ones are waited for, as if no particle"
                    + " were to die: scans enter maps, and the next reading is matched.")
        boolean workAhead,
    @Setting(
            value = "2",
            min = 1,
            max = 1000,
            description =
                "How many readings of one robot may wait behind the one that is processed, or is to"
                    + " come next.")
        int waitingReadings,
    @Setting(
            value = "4000",
            min = 1,
            max = 1_000_000,
            description =
                "How many messages of a robot the service takes ahead from the broker; of all robots"
                    + " from the embedded one. Half as many, of all, have a checkpoint taken.")
        int prefetchMessages,
    @Setting(
            value = "10",
            unit = "runs a minute",
            min = 1,
            max = 100_000,
            description =
                "How many runs a robot may begin within a minute; the first reading of one more is"
                    + " dropped, and its gateway sends it again after a while. A run's beginning"
                    + " costs all tasks as much as some readings.")
        int robotRunsPerMinute,
    @Setting(
            value = "1000",
            unit = "messages/s",
            min = 1,
            max = 1_000_000,
            description =
                "How many messages of one robot go to its filter in a second; more wait, up to a"
                    + " quarter of topology.prefetchMessages, and what is more than that is"
                    + " dropped. A reading counts once more for each 1000 beams. No laser sends a"
                    + " tenth of it.")
        int robotMessagesPerSecond,
    @Setting(
            value = "0",
            unit = "MB",
            min = 0,
            max = 1_000_000,
            description =
                "What the maps of one robot's run may take in memory, of all tasks together; when"
                    + " they take more, or one reading could add more, it is refused and all that"
                    + " follow. 0 for half the heap of each worker.")
        int robotMegabytes,
    @Setting(
            value = "2000",
            unit = "MB",
            min = 1,
            max = 1_000_000_000,
            description =
                "What the scans of one robot's run may take, which the publisher keeps in files of"
                    + " its temporary folder, so that loops can be closed: 4 bytes a beam of each key"
                    + " frame. When they are more, the readings that follow are refused. Checkpoints"
                    + " have them once more.")
        int robotScanMegabytes,
    @Setting(
            value = "30",
            unit = "%",
            min = 1,
            max = 100,
            description =
                "If collections of memory take more of a process's time, within 10 s, and leave more"
                    + " than topology.maxHeapPercent of its heap in use, the readings of the robot"
                    + " whose maps take most are refused from then on: soon the process would end.")
        int maxGcPercent,
    @Setting(
            value = "80",
            unit = "%",
            min = 1,
            max = 100,
            description = "See topology.maxGcPercent.")
        int maxHeapPercent,
    @Setting(
            value = "30",
            unit = "s",
            min = 1,
            max = 86_400,
            description =
                "The time for a reading. After a sixth of it, 8 s at most, the run is restored from its"
                    + " checkpoint; tasks that do not come back within ten times as long end it."
                    + " Less than gateway.answerTimeoutSeconds, so that the gateway learns why.")
        int readingTimeoutSeconds,
    @Setting(
            value = "30",
            unit = "s",
            min = 5,
            max = 86_400,
            description =
                "A task that handles one message for so long hangs: its worker ends with the task's"
                    + " stack in its log, is started again, and its runs are restored. Time in"
                    + " which the process is stopped does not count. At least"
                    + " topology.readingTimeoutSeconds; a restore may take longer.")
        int hungSeconds,
    @Setting(
            value = "3600",
            unit = "s",
            min = 1,
            max = 31_536_000,
            description =
                "A robot that is silent for longer, and is not in the registry, is forgotten, with"
                    + " its map and path.")
        int robotTimeoutSeconds,
    @Setting(
            value = "false",
            description =
                "Whether the topology is for one run, and ends when its robot is forgotten. What"
                    + " replay and sim submit to a cluster does, if they do not end it themselves.")
        boolean endsWithRobot,
    @Setting(
            value = "1",
            unit = "s",
            min = 0,
            max = 86_400,
            description =
                "Shortest time from one map of a robot to the next; it grows with the time that a"
                    + " map takes, so that poses are not held up.")
        double mapIntervalSeconds,
    @Setting(
            value = "30",
            min = 0,
            max = 1_000_000,
            description =
                "So many maps of a robot after a whole one the next is sent whole, too, to observers"
                    + " who came late; the robot gets what has changed. The map that a robot is"
                    + " localised in is sent to them so many map intervals after the last time."
                    + " 0: none.")
        int observerMaps,
    @Setting(
            value = "500",
            min = 0,
            max = 100_000,
            description =
                "So many of a robot's particles are sent to it, to be shown: drawn by their weights, 28"
                    + " bytes each. Of one that makes its map no more than it has. 0 for none.")
        int cloudParticles,
    @Setting(
            value = "0.5",
            unit = "s",
            min = 0,
            max = 86_400,
            description =
                "Shortest time from one such message of a robot in a known map to the next.")
        double cloudIntervalSeconds,
    @Setting(
            value = "10",
            min = 1,
            max = 1_000_000,
            description =
                "Readings from one such message of a robot that makes its map to the next, at least.")
        int cloudReadings,
    @Setting(
            value = "120",
            unit = "s",
            min = 1,
            max = 86_400,
            description =
                "How long after a run's end its last map and path are kept, in case the robot asks"
                    + " again. More than gateway.answerTimeoutSeconds, after which no robot asks.")
        int finalResultSeconds,
    @Setting(
            value = "1",
            min = 1,
            max = 1024,
            description = "How many processes (Storm's workers) a cluster spreads the tasks over.")
        int workers,
    @Setting(
            value = "",
            description =
                "Name or address at which each process shows its figures to Prometheus (/metrics)"
                    + " and its health (/health/live, /health/ready); empty for nowhere. Whoever"
                    + " reaches it can read them.")
        String metricsHost,
    @Setting(
            value = "0",
            min = 0,
            max = 65_435,
            description =
                "The port for that, or the next one that is free: several processes of a host get"
                    + " one each. 0 for any; the log says which.")
        int metricsPort) {

  private static final int PARTS = 6;

  /** Ratio of all processes' heaps to the memory of a run, if the setting is 0. */
  private static final int HEAP_PART = 2;

  /**
   * Maximum of {@link #patienceNanos}, however long a reading may take, nanoseconds: a restore
   * after it costs little, and does no harm if a task is only slow.
   */
  private static final long MAX_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(8);

  /**
   * Returns the time after which a reading that is not processed makes the dispatcher restore the
   * run, as a task may have died, nanoseconds.
   */
  public long patienceNanos() {
    return Math.min(partNanos(), MAX_PATIENCE_NANOS);
  }

  /** Returns the maximum memory of a run's maps in all processes together, bytes. */
  public long robotBytes() {
    return robotMegabytes == 0
        ? Runtime.getRuntime().maxMemory() / HEAP_PART * workers
        : (long) robotMegabytes << 20;
  }

  /** Returns the maximum memory of a run's scans, bytes. */
  public long robotScanBytes() {
    return (long) robotScanMegabytes << 20;
  }

  /** Returns the minimum time from one message with particles to the next, nanoseconds. */
  public long cloudIntervalNanos() {
    return (long) (cloudIntervalSeconds * TimeUnit.SECONDS.toNanos(1));
  }

  /** Returns a sixth of the time that a reading may take, nanoseconds. */
  public long partNanos() {
    return TimeUnit.SECONDS.toNanos(readingTimeoutSeconds) / PARTS;
  }
}
