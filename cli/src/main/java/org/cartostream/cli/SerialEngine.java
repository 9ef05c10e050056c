package org.cartostream.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.broker.Codec;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.ReadingMessage;
import org.cartostream.broker.Teamwork;
import org.cartostream.gateway.FileSink;
import org.cartostream.slam.filter.Course;
import org.cartostream.slam.filter.LoopsClosed;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.filter.SerialFilter;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;

/**
 * The filter alone, in one thread, without broker and Storm.
 *
 * <p>Readings pass through the broker's codec all the same, so that this engine sees to the last
 * bit what the tasks of a topology see.
 */
final class SerialEngine implements Engine {

  private static final long ONLY_RUN = 1;

  private final RootSettings settings;
  private final String robot;

  SerialEngine(RootSettings settings, String robot) {
    this.settings = settings;
    this.robot = robot;
  }

  @Override
  public Cost run(Iterator<LogEntry> log, Ledger ledger, Path folder, Interruption interruption)
      throws IOException {
    SerialFilter filter = new SerialFilter(settings.slam(), robot);
    Codec codec = new Codec(settings.broker().maxMessageBytes());
    long sequence = 0;
    try {
      while (log.hasNext() && !interruption.requested()) {
        if (log.next() instanceof LogEntry.Taken taken) {
          sequence++;
          ledger.enter(process(filter, sequence, coded(codec, sequence, taken.reading())));
        }
      }
    } catch (UncheckedIOException e) {
      // As the gateway does: what the readings before it gave is kept.
      ledger.fail("the log cannot be read any further: " + e.getCause().getMessage());
    }
    LoopsClosed loops = end(filter.lineage().course(), folder, ledger);
    // In this order: the filter is still needed when its memory is measured.
    long liveHeapBytes = Cost.measureLiveHeap();
    return cost(filter.cost(), loops, liveHeapBytes);
  }

  private Reading coded(Codec codec, long sequence, Reading reading) {
    ReadingMessage message = new ReadingMessage(reading);
    Envelope sent = new Envelope(robot, ONLY_RUN, sequence, reading.stampNanos(), message);
    return ((ReadingMessage) codec.decode(codec.encode(sent)).body()).reading();
  }

  private static Outcome process(SerialFilter filter, long sequence, Reading reading) {
    long start = System.nanoTime();
    SerialFilter.Result result = filter.process(sequence, reading);
    if (result instanceof SerialFilter.Result.Processed processed) {
      return new Outcome.Processed(
          processed.pose(),
          processed.effectiveSampleSize(),
          processed.entropy(),
          processed.searched(),
          System.nanoTime() - start);
    }
    return Outcome.Refused.of(((SerialFilter.Result.Refused) result).why());
  }

  private static LoopsClosed end(Course open, Path folder, Ledger ledger) throws IOException {
    Course course = closed(open, ledger);
    write(course, folder, ledger);
    return course.loopsClosed();
  }

  /** The trajectory first: a map may be too large to be drawn, or for the heap. */
  private static void write(Course course, Path folder, Ledger ledger) throws IOException {
    List<PathPose> path = course.path();
    if (path.isEmpty()) {
      return;
    }
    FileSink files = new FileSink(folder);
    files.end(path);
    OccupancyGrid map;
    try {
      map = course.map().grid();
    } catch (IllegalStateException tooLarge) {
      ledger.fail(tooLarge.getMessage());
      return;
    }
    files.end(map, path);
  }

  /** As the service does: a path that is not closed is better than none. */
  private static Course closed(Course course, Ledger ledger) {
    try {
      return course.closed();
    } catch (RuntimeException | OutOfMemoryError e) {
      ledger.fail("the loops of path and map are not closed: that failed: " + e);
      return course;
    }
  }

  private static Cost cost(SerialFilter.Cost cost, LoopsClosed loops, long liveHeapBytes) {
    Map<String, Long> stages = new LinkedHashMap<>();
    stages.put("match", cost.matchNanos());
    stages.put("resample", cost.resampleNanos());
    stages.put("register", cost.registerNanos());
    return new Cost(
        stages,
        cost.resamplings(),
        0,
        cost.evaluations(),
        cost.odometry(),
        1,
        Teamwork.NONE,
        loops,
        liveHeapBytes,
        null);
  }
}
