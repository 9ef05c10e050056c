package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.cli.SmallDisk;
import org.cartostream.run.Logs;
import org.cartostream.run.checkpoint.RunCheckpoints;

/**
 * A replay of the office's log in a process of its own, one of whose folders is on a small disk:
 * that of its results, of its checkpoints, or of temporary files. All is in the test's folder.
 */
final class ReplayOnSmallDisks implements AutoCloseable {

  /** What is on the small disk. */
  enum Place {
    OUTPUT,
    CHECKPOINTS,
    TEMPORARY
  }

  private static final Duration SOON = Duration.ofMinutes(3);

  /** As a user has it, and not that of the tests. */
  private static final String LOGGING = "-Dlogback.configurationFile=logback.xml";

  private final Path folder;
  private final String engine;
  private final Place place;
  private final SmallDisk disk;
  private final List<Process> processes = new ArrayList<>();

  /**
   * @param options of the mount, beside its size
   */
  ReplayOnSmallDisks(Path folder, String engine, Place place, String options) throws IOException {
    this.folder = folder;
    this.engine = engine;
    this.place = place;
    Files.createDirectories(out());
    this.disk = SmallDisk.mount(mounted(), "size=8m" + options);
  }

  private Path mounted() {
    return switch (place) {
      case OUTPUT -> out();
      case CHECKPOINTS -> out().resolve(RunCheckpoints.FOLDER);
      case TEMPORARY -> folder.resolve("tmp");
    };
  }

  SmallDisk disk() {
    return disk;
  }

  Path out() {
    return folder.resolve("out");
  }

  private Object[] command(String by, Path results, Object... more) {
    int particles = engine.equals("serial") ? 100 : 30; // Enough for a run of some seconds.
    List<Object> words = new ArrayList<>(List.of("replay", Logs.OFFICE, "--engine", by));
    words.addAll(List.of("--particles", particles, "--out", results));
    words.addAll(List.of("--set", "checkpoint.everySeconds=0.2"));
    if (by.equals("storm")) {
      words.addAll(List.of("--rate", 8, "--set", "topology.mapIntervalSeconds=0.3"));
    }
    words.addAll(List.of(more));
    return words.toArray();
  }

  /**
   * Starts it.
   *
   * @param environment beside the user's
   */
  Process start(Map<String, String> environment, Object... more) throws IOException {
    Map<String, String> all = new HashMap<>(environment);
    String temporary = place == Place.TEMPORARY ? " -Djava.io.tmpdir=" + disk.folder() : "";
    all.put("JAVA_TOOL_OPTIONS", LOGGING + temporary);
    Process process = CartostreamProcess.start(output(), all, command(engine, out(), more));
    processes.add(process);
    return process;
  }

  private Path output() {
    return folder.resolve("output.txt");
  }

  ReplayProgress progress() {
    return new ReplayProgress(out().resolve(RunCheckpoints.FOLDER));
  }

  /** Its exit code, when it has ended; all that it said is printed. */
  int end(Process process) throws Exception {
    assertThat(process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    System.out.println(said());
    assertThat(said()).doesNotContain("\tat ", "unexpected");
    return process.exitValue();
  }

  String said() throws IOException {
    return Files.readString(output());
  }

  /** What it says at last, if it could not do its work. */
  String complaint() throws IOException {
    List<String> lines =
        said().lines().filter(line -> line.startsWith("cartostream: ")).toList();
    assertThat(lines).singleElement().asString().doesNotContain("Exception");
    return lines.get(0);
  }

  /** Its results are those of one thread that nothing disturbs, to the last byte. */
  void checkResults() throws IOException {
    Path serial = folder.resolve("serial");
    assertThat(Cartostream.run(command("serial", serial)).exitCode()).isZero();
    for (String name : List.of("trajectory.tum", "live.tum", "map.pgm", "map.yaml")) {
      assertThat(out().resolve(name)).hasSameBinaryContentAs(serial.resolve(name));
    }
  }

  @Override
  public void close() throws Exception {
    for (Process each : processes) {
      each.destroyForcibly().waitFor();
    }
    disk.close();
  }
}
