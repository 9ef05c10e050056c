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
 * A replay of a log through a service by a {@link GatewayProcess}. Owns that process, and the time
 * of each answer.
 */
final class ReplayedRun implements AutoCloseable {

  private final Cluster cluster;
  private final RecoveryInput input;
  private final RootSettings settings;
  private final Path folder;

  /** Time at which each reading had its answer, in order; milliseconds since 1970. */
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
   * @param settings with the service's name
   * @param folder for its files
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

  /** One that goes on begins with the answers that were there before. */
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
   * Time at which a reading was answered, milliseconds since 1970.
   *
   * @param reading from 1 on
   */
  synchronized long answeredAt(int reading) {
    return answeredAt.get(reading - 1);
  }

  /** Returns the number of readings that were answered until a moment. */
  synchronized int answeredUntil(long millis) {
    return (int) answeredAt.stream().filter(each -> each <= millis).count();
  }

  /** The longest time without an answer, beginning at a moment. */
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
   * @return false if that took too long, or the gateway has ended
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

  /** Has another gateway go on where the one that was killed was. */
  public void resume() throws IOException {
    start(CheckpointUse.RESUME);
  }

  /**
   * Returns when the run has ended.
   *
   * @return the counts of its readings; empty if it took too long, or the gateway ended without
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

  /** The folder with its files. */
  public Path folder() {
    return folder;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
