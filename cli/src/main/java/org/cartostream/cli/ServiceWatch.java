package org.cartostream.cli;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.Replay;
import org.cartostream.topology.LocalService;

/**
 * Ends a replay as soon as a task of its service has failed: the robot itself would learn of it
 * only by an answer that does not come. Owns its thread.
 */
final class ServiceWatch implements AutoCloseable {

  private static final long PERIOD_MILLIS = 500;

  private final ScheduledExecutorService thread;

  private ServiceWatch(ScheduledExecutorService thread) {
    this.thread = thread;
  }

  static ServiceWatch over(LocalService service, Replay replay) {
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread daemon = new Thread(task, "service-watch");
              daemon.setDaemon(true);
              return daemon;
            });
    thread.scheduleWithFixedDelay(
        () -> service.fault().ifPresent(why -> replay.fail(sentence(why))),
        PERIOD_MILLIS,
        PERIOD_MILLIS,
        TimeUnit.MILLISECONDS);
    return new ServiceWatch(thread);
  }

  private static String sentence(String fault) {
    return fault.contains(OutOfMemoryError.class.getName())
        ? Failure.OUT_OF_MEMORY
        : "the service failed in its " + fault;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
