package org.cartostream.topology.settings;

import java.util.concurrent.TimeUnit;
import org.cartostream.settings.Setting;

/** Settings of the topology; nothing here changes a filter's answer. */
public record TopologySettings(
    @Setting(
            value = "2",
            min = 1,
            max = 1024,
            description = "Number of tasks that share each robot's particles.")
        int tasks,
    @Setting(
            value = "dataflow",
            description =
                "Mode of resampling: dataflow (one task decides for all) or bsp (every task gets"
                    + " all weights, and each makes the same decision).")
        ResamplingMode mode,
    @Setting(
            value = "memory",
            description =
                "Transport of messages between the tasks in bsp: memory (one process), shared-memory"
                    + " (tcp between hosts), tcp, rabbitmq, or the name of a plug-in.")
        String collectiveTransport,
    @Setting(
            value = "0.1",
            min = 0,
            max = 1_000_000,
            description =
                "Share by which the slowest task's time may exceed the mean before it gets fewer"
                    + " particles at the next resampling; 1000000 keeps their numbers equal.")
        double balanceTolerance,
    @Setting(
            value = "512",
            unit = "key frames",
            min = 0,
            max = 10_000,
            description =
                "Number of latest key frames whose scans each task keeps, so that a particle can"
                    + " move to another task as its poses where they are fewer bytes than map"
                    + " tiles; 0 for tiles only.")
        int rebuildKeyFrames,
    @Setting(
            value = "true",
            description =
                "Whether a task works ahead while it waits for slower ones, as if every particle"
                    + " survived: it enters scans into maps, and matches the next reading.")
        boolean workAhead,
    @Setting(
            value = "2",
            min = 1,
            max = 1000,
            description =
                "Maximum number of one robot's readings that wait behind the one that is processed,"
                    + " or is to come next.")
        int waitingReadings,
    @Setting(
            value = "4000",
            min = 1,
            max = 1_000_000,
            description =
                "Maximum number of a robot's messages that the broker delivers unacknowledged (the"
                    + " embedded one: of all robots'). Half as many in no checkpoint cause one.")
        int prefetchMessages,
    @Setting(
            value = "10",
            unit = "runs a minute",
            min = 1,
            max = 100_000,
            description =
                "Maximum number of runs that a robot may begin within a minute, as each costs all"
                    + " tasks as much as some readings. The first reading of one more is dropped,"
                    + " and its gateway sends it again after a while.")
        int robotRunsPerMinute,
    @Setting(
            value = "1000",
            unit = "messages/s",
            min = 1,
            max = 1_000_000,
            description =
                "Maximum rate of one robot's messages to its filter; a reading counts once more for"
                    + " each 1000 beams. More wait, up to a quarter of topology.prefetchMessages,"
                    + " and the rest is dropped. No laser sends a tenth of the default.")
        int robotMessagesPerSecond,
    @Setting(
            value = "0",
            unit = "MB",
            min = 0,
            max = 1_000_000,
            description =
                "Maximum memory for the maps of one robot's run, of all tasks together. A reading"
                    + " that exceeds it, or could, is refused, and so are all that follow. 0 for"
                    + " half the heap of each worker.")
        int robotMegabytes,
    @Setting(
            value = "2000",
            unit = "MB",
            min = 1,
            max = 1_000_000_000,
            description =
                "Maximum disk space for the scans of one robot's run, which the publisher keeps in"
                    + " its temporary folder to close loops: 4 bytes a beam of each key frame."
                    + " Beyond it, readings are refused. Checkpoints hold the scans once more.")
        int robotScanMegabytes,
    @Setting(
            value = "30",
            unit = "%",
            min = 1,
            max = 100,
            description =
                "Maximum share of a process's time, over 10 s, for garbage collection that leaves"
                    + " more than topology.maxHeapPercent of the heap in use. Beyond it, as the"
                    + " process would soon end, readings of the robot with the largest maps are"
                    + " refused.")
        int maxGcPercent,
    @Setting(
            value = "80",
            unit = "%",
            min = 1,
            max = 100,
            description = "Share of the heap in use from which topology.maxGcPercent counts.")
        int maxHeapPercent,
    @Setting(
            value = "30",
            unit = "s",
            min = 1,
            max = 86_400,
            description =
                "Maximum time for a reading. After a sixth of it, 8 s at most, the run is restored"
                    + " from its checkpoint; if tasks are missing after ten times it, the run ends."
                    + " Less than gateway.answerTimeoutSeconds, so that the gateway learns why.")
        int readingTimeoutSeconds,
    @Setting(
            value = "30",
            unit = "s",
            min = 5,
            max = 86_400,
            description =
                "Time with one message after which a task hangs: its worker ends with the task's"
                    + " stack in its log and is started again, and its runs are restored. Time in"
                    + " which the process is stopped does not count. At least"
                    + " topology.readingTimeoutSeconds; a restore may take longer.")
        int hungSeconds,
    @Setting(
            value = "3600",
            unit = "s",
            min = 1,
            max = 31_536_000,
            description =
                "Silence after which a robot that is not in the registry is forgotten, with its map"
                    + " and path.")
        int robotTimeoutSeconds,
    @Setting(
            value = "false",
            description =
                "Whether the topology is for one run, and ends when its robot is forgotten; set by"
                    + " replay and sim on a cluster, in case they do not end it themselves.")
        boolean endsWithRobot,
    @Setting(
            value = "1",
            unit = "s",
            min = 0,
            max = 86_400,
            description =
                "Minimum time from one map of a robot to the next; longer if a map takes long, so"
                    + " that poses are not held up.")
        double mapIntervalSeconds,
    @Setting(
            value = "30",
            min = 0,
            max = 1_000_000,
            description =
                "Number of maps of a robot after which observers that came late are sent a whole"
                    + " one; the robot gets only what has changed. A known map is sent to them"
                    + " after as many times topology.mapIntervalSeconds. 0 for none.")
        int observerMaps,
    @Setting(
            value = "500",
            min = 0,
            max = 100_000,
            description =
                "Maximum number of a robot's particles that are sent for display, drawn by their"
                    + " weights, 28 bytes each; in mapping at most the filter's. 0 for none.")
        int cloudParticles,
    @Setting(
            value = "0.5",
            unit = "s",
            min = 0,
            max = 86_400,
            description = "Minimum time between two messages with particles in localisation.")
        double cloudIntervalSeconds,
    @Setting(
            value = "10",
            min = 1,
            max = 1_000_000,
            description =
                "Minimum number of readings between two messages with particles in mapping.")
        int cloudReadings,
    @Setting(
            value = "120",
            unit = "s",
            min = 1,
            max = 86_400,
            description =
                "Time after a run's end for which its map and path are kept, in case the robot asks"
                    + " again. More than gateway.answerTimeoutSeconds, after which no robot asks.")
        int finalResultSeconds,
    @Setting(
            value = "1",
            min = 1,
            max = 1024,
            description = "Number of processes (Storm's workers) of the service on a cluster.")
        int workers,
    @Setting(
            value = "",
            description =
                "Name or address at which each process serves its metrics to Prometheus (/metrics)"
                    + " and its health (/health/live, /health/ready), to whoever reaches it; empty"
                    + " for none.")
        String metricsHost,
    @Setting(
            value = "0",
            min = 0,
            max = 65_435,
            description =
                "TCP port at topology.metricsHost, or the next free one, as several processes of a"
                    + " host need one each; 0 for any, which the log names.")
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
