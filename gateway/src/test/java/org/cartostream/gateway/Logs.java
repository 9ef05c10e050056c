package org.cartostream.gateway;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Scan;

/** Logs for tests: 10 readings a second, 0.1 m apart. */
public final class Logs {

  static final long STEP_NANOS = 100_000_000;

  private Logs() {}

  public static LogEntry taken(long i) {
    Scan scan = new Scan(Pose.ORIGIN, -1.5, 0.01, 0.1, 30, new float[] {1, 2, 3});
    return new LogEntry.Usable((int) i, new Reading(i * STEP_NANOS, FakeService.pose(i), scan));
  }

  public static LogEntry refused(long i) {
    return new LogEntry.Refused((int) i, ReadingRefusal.NO_BEAMS.because("line " + i));
  }

  public static Iterator<LogEntry> of(long readings) {
    return LongStream.rangeClosed(1, readings).mapToObj(Logs::taken).iterator();
  }

  public static Iterator<LogEntry> of(long lines, LongFunction<LogEntry> line) {
    return LongStream.rangeClosed(1, lines).mapToObj(line).iterator();
  }

  /** Without end, and without limit but the replay's own; tells how far it was read. */
  public static Iterator<LogEntry> endless(Consumer<Long> onRead) {
    AtomicLong i = new AtomicLong();
    return LongStream.generate(i::incrementAndGet)
        .peek(onRead::accept)
        .mapToObj(Logs::taken)
        .iterator();
  }
}
