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

/** An engine: processes a log by the filter, and writes map and trajectory into a folder. */
public interface Engine {

  /** The ways to run. */
  enum Kind {
    /** Broker and Storm topology, as for a robot. */
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
   * @param stageNanos nanoseconds by stage, summed over tasks, in the order of the road
   * @param resamplings how often the particles were resampled
   * @param bytesMoved bytes of particles sent from task to task
   * @param evaluations poses scored by the scan matcher
   * @param meanParticles how many were matched at a key frame, on average
   * @param odometry how often it was doubted
   * @param tasks that shared the particles
   * @param teamwork how they worked side by side
   * @param loops of the path that were closed at the end
   * @param liveHeapBytes what the heap of this JVM held, after a collection, at the end of the log,
   *     with the filter (and with Storm and the embedded broker, where they run) still in it
   * @param road what happened between gateway and broker; null without one
   * @param recovered what the run's restores cost; null if there were none
   * @param localisation how far the robot was found; null if it was mapped
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

    /** Bytes that the heap of this JVM holds after a collection. */
    static long measureLiveHeap() {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      return runtime.totalMemory() - runtime.freeMemory();
    }
  }

  /**
   * Counts of what happened on the connection from the gateway to the broker.
   *
   * @param outages how often the broker went away
   * @param resent readings sent again afterwards
   * @param duplicates answers that came a second time, and were dropped
   */
  record BrokerStatistics(long outages, long resent, long duplicates) {}

  /**
   * Restores of a run after failures, see {@link RecoveryReport}.
   *
   * @param times how often it was restored
   * @param reading the last one in the checkpoint from which it went on the last time
   * @param replayed readings that were processed again
   * @param seconds from when failures were noticed until the run had come as far again
   * @param notDurable since which reading no checkpoint could be stored, and why; null if all is
   *     well
   */
  record Recovered(long times, long reading, long replayed, double seconds, String notDurable) {

    /** Null if the run was never restored, and is in a checkpoint. */
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
   * Runs until the log's end, or until the interruption, whichever comes first; in both cases the
   * files are written before it returns.
   *
   * @param log readings that the metrics watch already ({@link RunMetrics#watch})
   * @param runMetrics where every reading's outcome is entered
   * @param folder for map and trajectory
   */
  Cost run(
      Iterator<LogEntry> log, RunMetrics runMetrics, Path folder, ShutdownRequest shutdownRequest)
      throws IOException;
}
