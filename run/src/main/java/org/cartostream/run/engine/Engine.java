package org.cartostream.run.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;

/** Engine that processes a log by the filter, and writes map and trajectory into a folder. */
public interface Engine {

  /** Kinds of engines. */
  enum Kind {
    /** Gateway, broker and Storm topology, as for a live robot. */
    STORM,
    /** The filter alone, in one thread. */
    SERIAL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Cost of a run besides its readings' times.
   *
   * @param stageNanos time by stage, summed over the tasks, nanoseconds; in the order in which a
   *     reading passes the stages
   * @param resamplings number of times that the particles were resampled
   * @param bytesMoved bytes of particles sent from task to task
   * @param evaluations number of poses that the scan matcher scored
   * @param meanParticles mean number of particles that were matched at a key frame
   * @param odometry how often odometry was doubted or replaced
   * @param tasks number of tasks that shared the particles
   * @param teamwork balance of the tasks' work
   * @param loops result of the loop closure at the end
   * @param liveHeapBytes bytes in this JVM's heap after a garbage collection at the end of the log;
   *     the filter is still in the heap, and so are Storm and the embedded broker if they run in
   *     this JVM
   * @param road what happened between gateway and broker; null without a broker
   * @param recovered restores of the run after failures; null if there is nothing to report
   * @param localisation how well the robot was localised in a known map; null if the run made a map
   */
  record Cost(
      Map<String, Long> stageNanos,
      long resamplings,
      long bytesMoved,
      long evaluations,
      double meanParticles,
      OdometryStatistics odometry,
      int tasks,
      TaskBalance teamwork,
      LoopClosureReport loops,
      long liveHeapBytes,
      BrokerStatistics road,
      Recovered recovered,
      LocalisationReport localisation) {

    /** Runs a garbage collection; returns the bytes in this JVM's heap after it. */
    static long measureLiveHeap() {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      return runtime.totalMemory() - runtime.freeMemory();
    }
  }

  /**
   * Counts of what happened on the connection from the gateway to the broker.
   *
   * @param outages number of times that the connection was lost
   * @param resent number of readings sent again after outages
   * @param duplicates number of answers that came a second time and were dropped
   */
  record BrokerStatistics(long outages, long resent, long duplicates) {}

  /**
   * Restores of a run after failures, see {@link RecoveryReport}.
   *
   * @param times number of restores
   * @param reading number of the last reading in the checkpoint of the latest restore
   * @param replayed number of readings that were processed again
   * @param seconds time from noticing the failures until all repeated readings were processed,
   *     seconds
   * @param notDurable the reading since which no checkpoint could be stored, and the reason; null
   *     if all checkpoints were stored
   */
  record Recovered(long times, long reading, long replayed, double seconds, String notDurable) {

    /**
     * Returns a service's report of its restores; null if there were none and every checkpoint
     * could be stored.
     */
    static Recovered of(RecoveryReport report) {
      String notDurable = report.notDurable().isEmpty() ? null : report.notDurable();
      return report.times() == 0 && notDurable == null
          ? null
          : new Recovered(
              report.times(),
              report.reading(),
              report.replayed(),
              report.nanos() / 1e9,
              notDurable);
    }
  }

  /**
   * Runs until the log's end or until the shutdown request, whichever comes first. In both cases
   * the files are written before the method returns.
   *
   * @param log entries of the log, which the metrics count already ({@link RunMetrics#watch})
   * @param runMetrics receives every reading's outcome
   * @param folder output folder for map and trajectory
   */
  Cost run(
      Iterator<LogEntry> log, RunMetrics runMetrics, Path folder, ShutdownRequest shutdownRequest)
      throws IOException;
}
