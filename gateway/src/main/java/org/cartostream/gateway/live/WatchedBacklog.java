package org.cartostream.gateway.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.carried.CarriedRobotSearch;
import org.cartostream.gateway.session.ReadingSource;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;

/**
 * The readings of a live robot that may be carried: those of the {@link Backlog}, each once a
 * {@link CarriedRobotSearch} knows that the robot stands where odometry says, or where it was
 * carried to. Readings that it refuses are skipped. A new run has a new search.
 *
 * <p>Owns the search, and the stamps of what it holds back. The session's thread uses it; {@link
 * #sentence}, {@link #held} and {@link #abandon} are for any thread.
 */
final class WatchedBacklog implements ReadingSource {

  /** Pause of the session's thread between two readings that the search takes, nanoseconds. */
  private static final long SEARCH_PAUSE_NANOS = 1_000_000;

  private final Backlog backlog;
  private final BiConsumer<Long, SkipReason> onSkipped;
  private final DrawnScans drawnScans;
  private CarriedRobotSearch search;

  /** Stamps of the readings in the search, and of the one that is due. */
  private final Deque<Long> stamps = new ArrayDeque<>();

  /** The reading to be sent next; null if none is known. */
  private LogEntry.Usable due;

  private volatile String sentence = "";
  private volatile int held;
  private volatile boolean isAbandoned;

  /**
   * @param search owned by this source
   * @param drawnScans the scans that the search has drawn
   * @param onSkipped takes the stamp of each reading that will not be sent, and why
   */
  WatchedBacklog(
      Backlog backlog,
      CarriedRobotSearch search,
      DrawnScans drawnScans,
      BiConsumer<Long, SkipReason> onSkipped) {
    this.drawnScans = drawnScans;
    this.backlog = backlog;
    this.search = search;
    this.onSkipped = onSkipped;
  }

  /** Returns for people why readings are held back; empty if none are. */
  String sentence() {
    return sentence;
  }

  /** Returns how many readings are held back. */
  int held() {
    return held;
  }

  @Override
  public Reading due(long nanoTime) {
    boolean isMore = true;
    while (due == null && isMore) {
      LogEntry entry = search.poll();
      if (entry instanceof LogEntry.Usable usable) {
        due = usable;
      } else if (entry != null) {
        onSkipped.accept(stamps.remove(), SkipReason.ROBOT_CARRIED);
      } else {
        isMore = !search.isHeld() && takeNext(nanoTime);
        isMore &= search.sentence().isEmpty(); // A search takes time: answers and stops come first.
      }
    }
    sentence = search.sentence();
    held = stamps.size();
    return due == null ? null : due.reading();
  }

  /** Passes the next reading, or the end, to the search; false if neither has come. */
  private boolean takeNext(long nanoTime) {
    Reading next = backlog.due(nanoTime);
    if (next != null) {
      backlog.sent(nanoTime);
      stamps.add(next.stampNanos());
      search.offer(new LogEntry.Usable(0, next));
      if (search.isHeld() || search.needsMore()) { // It may not be sent for long.
        backlog.keep(next);
      }
      return true;
    }
    boolean isEnd = backlog.isExhausted() && !search.isEmpty() && !isAbandoned;
    if (isEnd) {
      search.end();
    }
    return isEnd;
  }

  @Override
  public InitialPose carriedTo() {
    return due.carriedTo();
  }

  @Override
  public void sent(long nanoTime) {
    due = null;
    stamps.remove();
    held = stamps.size();
  }

  @Override
  public void drop() {
    sent(0);
  }

  @Override
  public void answered(Reading reading, Outcome outcome) {
    search.answered(reading, outcome);
  }

  @Override
  public boolean takesNewRun() {
    return backlog.takesNewRun();
  }

  @Override
  public void newRun() {
    search = search.anew();
    drawnScans.begin();
    skipHeld(SkipReason.ROBOT_CARRIED);
  }

  private void skipHeld(SkipReason why) {
    due = null;
    stamps.forEach(stamp -> onSkipped.accept(stamp, why));
    stamps.clear();
    held = 0;
    sentence = "";
  }

  /** Leaves what is held back to another process, which continues the run; from any thread. */
  void abandon() {
    isAbandoned = true;
  }

  /** Skips whatever is held back. */
  void skipAll() {
    skipHeld(SkipReason.GATEWAY_STOPPED);
  }

  @Override
  public long dueInNanos(long nanoTime) {
    boolean isSearching = !sentence.isEmpty() && backlog.size() > 0 && !search.isHeld();
    return isSearching ? SEARCH_PAUSE_NANOS : backlog.dueInNanos(nanoTime);
  }

  @Override
  public boolean isExhausted() {
    return due == null && search.isEmpty() && backlog.isExhausted();
  }

  @Override
  public void stop() {
    backlog.stop();
  }

  /** All key frames wait while the robot is searched for, too: the search may take its time. */
  @Override
  public void setServiceAway(boolean away) {
    backlog.setServiceAway(away || !sentence.isEmpty());
  }
}
