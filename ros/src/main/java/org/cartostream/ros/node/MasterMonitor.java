package org.cartostream.ros.node;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitor of a node's master, or in ROS 2 of the rosbridge server, which also logs the node's
 * troubles.
 *
 * <p>Owns the newest state of the master and of each topic in trouble, for each publisher of a
 * topic. Thread-safe.
 */
public final class MasterMonitor implements RosNodeListener {

  private static final Logger LOG = LoggerFactory.getLogger(MasterMonitor.class);

  /** Time after which the same trouble is logged again; connections try every few seconds. */
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Maximum number of troubles that are remembered and logged at a time. */
  private static final int MAX_TROUBLES = 100;

  private record ReportedTrouble(String why, long reportedAtNanos) {

    boolean isRecent(String again, long nowNanos) {
      return why.equals(again) && nowNanos - reportedAtNanos < QUIET_NANOS;
    }
  }

  private final Consumer<String> warnings;
  private final Consumer<String> news;
  private final LongSupplier nanos;
  private final Map<String, ReportedTrouble> reportedTroubles = new HashMap<>();
  private ReportedTrouble absence = new ReportedTrouble("", 0);
  private boolean masterUp;
  private boolean announcedUp;
  private String awayReason = "no ROS graph has answered yet";
  private Runnable end = () -> {};
  private String ended = "";
  private boolean failed;

  public MasterMonitor() {
    this(LOG::warn, LOG::info, System::nanoTime);
  }

  /**
   * @param nanos clock, nanoseconds since an arbitrary time
   */
  MasterMonitor(Consumer<String> warnings, Consumer<String> news, LongSupplier nanos) {
    this.warnings = warnings;
    this.news = news;
    this.nanos = nanos;
  }

  /**
   * Notes that the master is away. Repeated outages for the same reason are logged only now and
   * then.
   */
  @Override
  public synchronized void onMasterAway(String why) {
    masterUp = false;
    awayReason = why;
    long now = nanos.getAsLong();
    if (!absence.isRecent(why, now)) {
      absence = new ReportedTrouble(why, now);
      announcedUp = false;
      warnings.accept(why);
    }
  }

  @Override
  public synchronized void onMasterBack() {
    masterUp = true;
    if (!announcedUp) {
      announcedUp = true;
      news.accept("the robot's ROS graph is there");
    }
    notifyAll();
  }

  @Override
  public synchronized void onTrouble(String subject, String why) {
    ReportedTrouble before = reportedTroubles.get(subject);
    long now = nanos.getAsLong();
    if (before != null && before.isRecent(why, now)) {
      return;
    }
    if (reportedTroubles.size() >= MAX_TROUBLES) {
      // A publisher that is started again has a new address.
      reportedTroubles.values().removeIf(each -> now - each.reportedAtNanos() >= QUIET_NANOS);
    }
    if (reportedTroubles.containsKey(subject) || reportedTroubles.size() < MAX_TROUBLES) {
      reportedTroubles.put(subject, new ReportedTrouble(why, now));
      warnings.accept(subject + ": " + why);
    }
  }

  @Override
  public void onShutdown(String why) {
    end(why, false);
  }

  @Override
  public void onFailure(String why) {
    end(why, true);
  }

  /** Ends the node at the first request only: a second stop would make the ending run give up. */
  private void end(String why, boolean isFailure) {
    warnings.accept(why);
    Runnable then;
    synchronized (this) {
      if (!ended.isEmpty()) {
        return;
      }
      ended = why;
      failed = isFailure;
      then = end;
      notifyAll();
    }
    then.run();
  }

  /**
   * Runs {@code then} when this node has to end, by request or failure; at once if it had to
   * before.
   */
  public void whenEnded(Runnable then) {
    synchronized (this) {
      end = then;
      if (ended.isEmpty()) {
        return;
      }
    }
    then.run();
  }

  /** Returns why the node failed, for people; empty if it did not. */
  public synchronized String failure() {
    return failed ? ended : "";
  }

  /** Waits until the master answers; false if it does not in time. */
  public synchronized boolean awaitMaster(long millis) throws InterruptedException {
    if (!masterUp) {
      wait(millis);
    }
    return masterUp;
  }

  /** Returns why the master is away, for people; empty if it is there. */
  public synchronized String awayReason() {
    return masterUp ? "" : awayReason;
  }
}
