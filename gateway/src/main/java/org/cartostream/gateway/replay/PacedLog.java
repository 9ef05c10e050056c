package org.cartostream.gateway.replay;

import java.util.Iterator;
import java.util.function.BooleanSupplier;
import org.cartostream.gateway.ReadingCounter;
import org.cartostream.gateway.session.ReadingSource;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;

/**
 * A recorded log as a source of readings, each due at its time.
 *
 * <p>Owns the log's iterator, the next reading, and the time of the first; each later reading is
 * due after the first by its difference in stamps divided by the pace. Counts the readings, and the
 * lines that the log's reader refused.
 */
final class PacedLog implements ReadingSource {

  private final Iterator<LogEntry> log;
  private final BooleanSupplier isHeld;
  private final Pace pace;
  private final ReadingCounter counter;
  private LogEntry.Usable next;
  private boolean begun;
  private boolean stopped;
  private long firstStampNanos;
  private long firstSentNanos;

  /**
   * @param isHeld returns true while the log's next entry must not be read yet
   */
  PacedLog(Iterator<LogEntry> log, BooleanSupplier isHeld, Pace pace, ReadingCounter counter) {
    this.log = log;
    this.isHeld = isHeld;
    this.pace = pace;
    this.counter = counter;
  }

  @Override
  public Reading due(long nanoTime) {
    if (stopped) {
      return null;
    }
    while (next == null && !isHeld.getAsBoolean() && log.hasNext()) {
      LogEntry entry = log.next();
      if (entry instanceof LogEntry.Usable usable) {
        next = usable;
      } else if (entry instanceof LogEntry.Refused refused) {
        counter.read();
        counter.refused(refused.why().refusal().name());
      }
    }
    return next != null && dueInNanos(nanoTime) <= 0 ? next.reading() : null;
  }

  @Override
  public InitialPose carriedTo() {
    return next.carriedTo();
  }

  @Override
  public void sent(long nanoTime) {
    if (!begun) {
      begun = true;
      firstStampNanos = next.reading().stampNanos();
      firstSentNanos = nanoTime;
    }
    drop();
  }

  @Override
  public void drop() {
    counter.read();
    next = null;
  }

  @Override
  public long dueInNanos(long nanoTime) {
    if (next == null) {
      return Long.MAX_VALUE;
    }
    return begun
        ? firstSentNanos
            + pace.replayNanos(next.reading().stampNanos() - firstStampNanos)
            - nanoTime
        : 0;
  }

  @Override
  public boolean isExhausted() {
    return stopped || (next == null && !log.hasNext());
  }

  /**
   * Stops the log. A reading that was read and not sent is not counted, as if the log ended before
   * it.
   */
  @Override
  public void stop() {
    stopped = true;
  }
}
