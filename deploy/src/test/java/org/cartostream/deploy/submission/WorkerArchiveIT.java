package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM with the libraries of workers, with an archive of their classes and without. */
@Nightly
class WorkerArchiveIT {

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String WORKER = "org.apache.storm.daemon.worker.Worker ";
  private static final int SECONDS = 120;

  @TempDir private Path folder;

  /** What a worker's JVM prints until it complains that it was not told what to run. */
  private String worker(WorkerArchive archive, String... classPath) throws Exception {
    String path = folder.resolve("a home/lib-worker") + "/*";
    return output(
        List.of(
            JAVA,
            archive.jvmOption(),
            "-XX:+UseParallelGC",
            "-Xlog:class+load",
            "-cp",
            String.join(":", path, String.join(":", classPath)),
            WORKER.strip()));
  }

  private String output(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.directory(folder.toFile()); // Where it logs.
    builder.environment().remove("JAVA_TOOL_OPTIONS"); // The JVM says that it takes them up.
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
    return said;
  }

  private static boolean isShared(String said, String type) {
    return said.lines().anyMatch(line -> line.contains(type + "source: shared objects file"));
  }

  private static List<String> complaints(String said) {
    return said.lines().filter(line -> line.contains("arning") || line.contains("rror:")).toList();
  }

  @Test
  void workersLoadTheirClassesFromItOnceItIsThere() throws Exception {
    StormHome home = new StormHome(folder.resolve("a home"));
    home.create(Map.of(), ClassPath.libraries());
    WorkerArchive archive = home.workerArchive();
    String without = worker(archive);
    assertThat(without).contains(WORKER + "source: file:");
    assertThat(isShared(without, "java.lang.Object ")).as("the JVM's own archive").isTrue();

    assertThat(output(List.of("sh", "-e", "-c", archive.script(JAVA)))).isEmpty();
    String with = worker(archive, home.folder().resolve("conf").toString());
    assertThat(isShared(with, WORKER)).isTrue();
    assertThat(complaints(with)).isEqualTo(complaints(without));

    Path jar;
    try (var jars = Files.list(home.folder().resolve("lib-worker"))) {
      jar = jars.findFirst().orElseThrow();
    }
    Files.delete(jar); // As if it were of another release.
    String stale = worker(archive);
    assertThat(stale).contains(WORKER + "source: file:");
    assertThat(complaints(stale)).isEqualTo(complaints(without));

    Path file = home.folder().resolve("worker.jsa");
    byte[] torn = new byte[10_000];
    Files.delete(file);
    Files.write(file, torn);
    String damaged = worker(archive);
    assertThat(damaged).contains(WORKER + "source: file:");
    assertThat(complaints(damaged)).isEqualTo(complaints(without));
  }
}
