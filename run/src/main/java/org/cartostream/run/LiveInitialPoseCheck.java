package org.cartostream.run;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.Outcome;
import org.cartostream.run.initialpose.InitialPoseCheck;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.web.observer.RunObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Check whether a live robot's first scans fit its stated initial pose in the map that its run
 * continues. If they do not, a warning is logged. The check has its own thread, which ends with the
 * check.
 */
final class LiveInitialPoseCheck implements RunObserver {

  private static final Logger LOG = LoggerFactory.getLogger(LiveInitialPoseCheck.class);

  /** Maximum number of readings that wait to be checked; further ones are skipped. */
  private static final int MAX_WAITING = 100;

  private final InitialPoseCheck check;

  /** Worker of the check; readings that come after the check has ended are dropped. */
  private final ThreadPoolExecutor worker =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(MAX_WAITING),
          work -> {
            Thread thread = new Thread(work, "start-check");
            thread.setDaemon(true);
            return thread;
          },
          new ThreadPoolExecutor.DiscardPolicy());

  private boolean isBegun;

  LiveInitialPoseCheck(InitialPoseCheck check) {
    this.check = check;
  }

  /**
   * Ends the check when the robot begins a second run: that run's map is empty, so no scan can fit
   * it.
   */
  @Override
  public void begin(String robot, long scans) {
    if (isBegun) {
      worker.shutdownNow();
    }
    isBegun = true;
  }

  @Override
  public void outcome(long number, Reading reading, Outcome outcome) {
    if (outcome instanceof Outcome.Processed) {
      worker.execute(() -> take(reading));
    }
  }

  private void take(Reading reading) {
    check.take(reading).filter(sentence -> !worker.isShutdown()).ifPresent(LOG::warn);
    if (check.isDecided()) {
      worker.shutdownNow();
    }
  }

  @Override
  public void end(String failure) {
    worker.shutdownNow();
  }
}
