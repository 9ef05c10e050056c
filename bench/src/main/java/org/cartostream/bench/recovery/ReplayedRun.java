package org.cartostream.bench.recovery;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.run.checkpoint.CheckpointUse;
import org.cartostream.run.settings.RootSettings;

/**
 * Replay of a log through a service by a {@link GatewayProcess}. Owns that process, and the time of
 * each answer.
 */
public final class ReplayedRun implements AutoCloseable {

  private final Cluster cluster;
  private final RecoveryInput input;
  private final RootSettings settings;
  private final Path folder;

  /** Times at which readings had their answers, in order; milliseconds since 1970-01-01 UTC. */
  private final List<Long> answeredAt = new ArrayList<>();

  private final List<String> remarks = new ArrayList<>();
  private Process process;
  private boolean outputIsOver;
  private ReadingCounts counts;

  private ReplayedRun(Cluster cluster, RecoveryInput input, RootSettings settings, Path folder) {
    this.cluster = cluster;
    this.input = input;
    this.settings = settings;
    this.folder = folder;
  }

  /**
   * Begins a run.
   *
   * @param settings settings with the service's name
   * @param folder folder for the run's files
   */
  static ReplayedRun begin(Cluster cluster, RecoveryInput input, RootSettings settings, Path folder)
      throws IOException {
    ReplayedRun replayedRun = new ReplayedRun(cluster, input, settings, folder);
    replayedRun.start(CheckpointUse.WRITE);
    return replayedRun;
  }

  private void start(CheckpointUse use) throws IOException {
    List<String> command =
        Stream.concat(
                Stream.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    GatewayProcess.class.getName()),
                GatewayProcess.words(cluster.folder(), input, settings, folder, use).stream())
            .toList();
    Process started = new ProcessBuilder(command).redirectErrorStream(true).start();
    synchronized (this) {
      process = started;
      outputIsOver = false;
    }
    Thread reader = new Thread(() -> read(started), "output of a gateway");
    reader.setDaemon(true);
    reader.start();
  }

  private void read(Process from) {
    long answered = 0;
    try (BufferedReader lines = from.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answered += line.equals(GatewayProcess.ANSWERED) ? 1 : 0;
        take(line, answered);
      }
    } catch (IOException e) {
      take(e.toString(), answered);
    }
    synchronized (this) {
      outputIsOver = true;
      notifyAll();
    }
  }

  /** Takes a line of output. A resumed gateway begins with the answers that were there before. */
  private synchronized void take(String line, long answered) {
    if (line.startsWith(GatewayProcess.COUNTS)) {
      long[] all =
          Stream.of(line.substring(GatewayProcess.COUNTS.length()).split(" "))
              .mapToLong(Long::parseLong)
              .toArray();
      counts = new ReadingCounts(all[0], all[1], all[2], all[3], all[4]);
    } else if (!line.equals(GatewayProcess.ANSWERED)) {
      remarks.add(line);
    } else if (answered > answeredAt.size()) {
      answeredAt.add(System.currentTimeMillis());
    }
    notifyAll();
  }

  /** Returns the number of readings that were answered. */
  public synchronized int answered() {
    return answeredAt.size();
  }

  /**
   * Returns the time at which a reading was answered, milliseconds since 1970-01-01 UTC.
   *
   * @param reading number of the reading, from 1
   */
  public synchronized long answeredAt(int reading) {
    return answeredAt.get(reading - 1);
  }

  /** Returns the number of readings that were answered until a moment. */
  synchronized int answeredUntil(long millis) {
    return (int) answeredAt.stream().filter(each -> each <= millis).count();
  }

  /** Returns the longest time without an answer, from a moment on. */
  synchronized long longestWaitMillis(long since) {
    long longest = 0;
    long before = since;
    for (long at : answeredAt) {
      if (at > since) {
        longest = Math.max(longest, at - before);
        before = at;
      }
    }
    return longest;
  }

  /**
   * Waits until {@code count} readings were answered.
   *
   * @return false if that takes longer than the given time, or the gateway has ended
   */
  public synchronized boolean awaitAnswers(int count, long seconds) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (answeredAt.size() < count && !outputIsOver && System.nanoTime() - end < 0) {
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, end - System.nanoTime()));
    }
    return answeredAt.size() >= count;
  }

  /** Kills the gateway (kill -9). */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    synchronized (this) {
      while (!outputIsOver) {
        wait();
      }
    }
  }

  /** Starts another gateway, which goes on where the killed one was. */
  public void resume() throws IOException {
    start(CheckpointUse.RESUME);
  }

  /**
   * Waits until the run has ended.
   *
   * @return the counts of its readings; empty if the run takes too long, or the gateway ended
   *     without counts
   */
  public synchronized Optional<ReadingCounts> awaitEnd(long seconds) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!outputIsOver && System.nanoTime() - end < 0) {
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, end - System.nanoTime()));
    }
    return outputIsOver ? Optional.ofNullable(counts) : Optional.empty();
  }

  /** Returns the gateway's other output, line by line. */
  public synchronized List<String> remarks() {
    return List.copyOf(remarks);
  }

  /** Returns the folder with the run's files. */
  public Path folder() {
    return folder;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
