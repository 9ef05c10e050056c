package org.cartostream.deploy.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Shell that reads a script from its standard input, so that no list of processes shows the
 * script's text.
 *
 * @param shell command of the shell, on this machine or another host
 * @param host name of the host, for messages
 */
record ShellScript(List<String> shell, String host) {

  /**
   * Runs a script to its end.
   *
   * @return the standard output of the script
   * @throws ClusterException if the script fails, or is not done in time
   */
  String run(String text, long seconds) {
    Process process = start();
    try {
      CompletableFuture<String> printed = read(process.getInputStream());
      CompletableFuture<String> errors = read(process.getErrorStream());
      CompletableFuture<Void> told =
          CompletableFuture.runAsync(
              () -> write(text, process.getOutputStream()), ShellScript::inThreadOfItsOwn);
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        throw new ClusterException(host + " does not answer within " + seconds + " s");
      }
      if (process.exitValue() != 0) {
        throw new ClusterException(
            "%s fails with %d: %s%s"
                .formatted(
                    host,
                    process.exitValue(),
                    printed.get(seconds, TimeUnit.SECONDS),
                    errors.get(seconds, TimeUnit.SECONDS).strip()));
      }
      told.get(seconds, TimeUnit.SECONDS);
      return printed.get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new ClusterException(host + " breaks off: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while " + host + " was at work", e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private Process start() {
    try {
      return new ProcessBuilder(shell).start();
    } catch (IOException e) {
      throw new ClusterException(host + " cannot be reached: " + e.getMessage(), e);
    }
  }

  private static CompletableFuture<String> read(InputStream in) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        ShellScript::inThreadOfItsOwn);
  }

  /**
   * Runs a job in a thread of its own, as the three jobs of a script block. Java's common pool has
   * two threads on a machine of three cores: both would read, and nobody would write the script
   * whose output is read.
   */
  private static void inThreadOfItsOwn(Runnable job) {
    Thread thread = new Thread(job, "script");
    thread.setDaemon(true);
    thread.start();
  }

  private static void write(String text, OutputStream to) {
    try (to) {
      to.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("it took only a part of the script", e);
    }
  }
}
