package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;

/** Stops a process for a while, as Ctrl-Z does, and a laptop that sleeps. */
public final class StoppedProcess {

  private StoppedProcess() {}

  /** It stands for so many seconds, and goes on. */
  public static void stop(Process process, int seconds) throws Exception {
    signal(process, "STOP");
    assertThat(process.waitFor(seconds, TimeUnit.SECONDS)).as("ended while it stood").isFalse();
    signal(process, "CONT");
  }

  private static void signal(Process process, String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }
}
