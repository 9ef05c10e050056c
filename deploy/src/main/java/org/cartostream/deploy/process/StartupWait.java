package org.cartostream.deploy.process;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.cartostream.deploy.host.ClusterException;

/**
 * Wait for a cluster's servers to start.
 *
 * @param unwanted true once the caller wants no cluster any more
 */
public record StartupWait(BooleanSupplier unwanted) {

  /** Wait that nobody breaks off. */
  public static final StartupWait UNINTERRUPTED = new StartupWait(() -> false);

  private static final long READY_SECONDS = 180;
  private static final long LOOK_EVERY_MILLIS = 200;
  private static final int LOOKS_TO_ONE_AT_THE_PROCESS = 5;
  private static final int LINES_OF_A_FAILURE = 15;

  /**
   * Returns when a server is ready.
   *
   * @param ready true once the server is ready
   * @throws ClusterException if the server has ended, is not ready in time, or is not wanted any
   *     more
   */
  public void await(ServerProcess serverProcess, BooleanSupplier ready) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
    for (int look = 1; ; look++) {
      if (unwanted.getAsBoolean()) {
        throw new ClusterException("interrupted while " + serverProcess + " was starting");
      }
      if (ready.getAsBoolean()) {
        return;
      }
      boolean late = System.nanoTime() > end;
      // Asking for a process may take a whole login by ssh.
      if (late || look % LOOKS_TO_ONE_AT_THE_PROCESS == 0) {
        failIfEnded(serverProcess, late);
      }
      pause();
    }
  }

  /** Fails if a server is late, or has ended. */
  private static void failIfEnded(ServerProcess serverProcess, boolean late) {
    boolean ended = serverProcess.pid() == 0;
    if (ended || late) {
      throw new ClusterException(
          serverProcess
              + (ended ? " ended" : " is not ready after " + READY_SECONDS + " s")
              + "; the end of its output:\n"
              + serverProcess.logTail(LINES_OF_A_FAILURE));
    }
  }

  /** Sleeps until something may have changed. */
  public static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while waiting for the cluster", e);
    }
  }
}
