package org.cartostream.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With processes that have a worker's command line, and do nothing. */
@Default
class WorkerKillerIT {

  private static final int EVERY_SECONDS = 60;

  private final String topology = "soak-1-" + ProcessHandle.current().pid();
  private final List<Process> processes = new ArrayList<>();
  private final List<Nimbus.Task> tasks = new ArrayList<>();
  private final WorkerKiller workerKiller =
      new WorkerKiller(topology, () -> tasks, EVERY_SECONDS, 0);

  @TempDir private Path folder;

  private static long seconds(int seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }

  /** A process as Storm starts it, and what Nimbus says that runs in it. */
  private Process worker(String id, int port, String... components) throws Exception {
    for (String component : components) {
      tasks.add(new Nimbus.Task(component, "here:" + port, 1));
    }
    return start("-Dstorm.id=" + id, "-Dworker.port=" + port);
  }

  private Process start(String... options) throws Exception {
    Path program = folder.resolve("Idle.java");
    Files.writeString(
        program,
        """
        class Idle {
          public static void main(String[] of) throws Exception {
            System.in.read();
          }
        }
        """);
    List<String> line = new ArrayList<>();
    line.add(ProcessHandle.current().info().command().orElseThrow());
    line.addAll(List.of(options));
    line.add(program.toString());
    Process process = new ProcessBuilder(line).start();
    processes.add(process);
    return process;
  }

  @AfterEach
  void stop() {
    processes.forEach(Process::destroyForcibly);
  }

  private static void assertDead(Process process) throws Exception {
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void workersDieInTurnAndNobodyElse() throws Exception {
    Process another = worker("soak-2-1", 6700);
    Process writer = start("-Dmain=LogWriter", "-Dstorm.id=" + topology, "-Dworker.port=6700");
    Process first = worker(topology, 6700, "dispatcher", "matchers");
    Process second = worker(topology, 6701, "publisher", "matchers");

    assertThat(workerKiller.killIfDue(seconds(59))).isEmpty();
    assertThat(workerKiller.killIfDue(seconds(60))).contains("here:6700: dispatcher, matchers");
    assertDead(first);
    assertThat(workerKiller.killIfDue(seconds(119))).isEmpty();
    assertThat(second.isAlive()).isTrue();
    assertThat(workerKiller.killIfDue(seconds(120))).contains("here:6701: matchers, publisher");
    assertDead(second);
    assertThat(another.isAlive()).isTrue();
    assertThat(writer.isAlive()).isTrue();
  }

  @Test
  void itIsStillTheTurnOfAWorkerThatIsBeingStarted() throws Exception {
    tasks.add(new Nimbus.Task("matchers", "here:6700", 1));
    assertThat(workerKiller.killIfDue(seconds(60))).isEmpty();
    Process started = worker(topology, 6700);
    assertThat(workerKiller.killIfDue(seconds(65))).contains("here:6700: matchers");
    assertDead(started);
  }
}
