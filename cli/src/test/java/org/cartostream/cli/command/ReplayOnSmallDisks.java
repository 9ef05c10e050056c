package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.cli.SmallDisk;
import org.cartostream.run.Logs;
import org.cartostream.run.checkpoint.RunCheckpoints;

/**
 * A replay of the office's log, or a gateway, in a process of its own, some of whose folders are on
 * small disks: that of its results, of its checkpoints, or of temporary files. All is in the test's
 * folder.
 */
final class ReplayOnSmallDisks implements AutoCloseable {

  /** What is on a small disk. */
  enum Place {
    OUTPUT,
    CHECKPOINTS,
    TEMPORARY
  }

  /** As Linux says it. */
  static final String READ_ONLY = "Read-only file system";

  private static final Duration SOON = Duration.ofMinutes(3);

  /** As a user has it, and not that of the tests. */
  private static final String LOGGING = "-Dlogback.configurationFile=logback.xml";

  /** What they should give, by their particles. */
  private static final Map<Integer, Path> UNDISTURBED = new ConcurrentHashMap<>();

  private final Path folder;
  private final String engine;
  private final Map<Place, SmallDisk> disks = new LinkedHashMap<>();
  private final List<Process> processes = new ArrayList<>();
  private boolean isLong;

  /**
   * @param options of the mounts, beside their size
   */
  ReplayOnSmallDisks(Path folder, String engine, String options, Place... places)
      throws IOException {
    this.folder = folder;
    this.engine = engine;
    Files.createDirectories(out());
    for (Place place : places) {
      disks.put(place, SmallDisk.mount(mounted(place), "size=64m" + options));
    }
  }

  /**
   * One of whose folders can take nothing from the beginning.
   *
   * @param why {@link #READ_ONLY}, or as Linux says that it is full
   */
  static ReplayOnSmallDisks atStart(Path folder, String engine, Place place, String why)
      throws IOException {
    boolean isReadOnly = why.equals(READ_ONLY);
    ReplayOnSmallDisks replay =
        new ReplayOnSmallDisks(folder, engine, isReadOnly ? ",ro" : "", place);
    if (!isReadOnly) {
      replay.disk().fill();
    }
    return replay;
  }

  /** It takes more than a minute. */
  ReplayOnSmallDisks lastingLong() {
    isLong = true;
    return this;
  }

  private Path mounted(Place place) {
    return switch (place) {
      case OUTPUT -> out();
      case CHECKPOINTS -> out().resolve(RunCheckpoints.FOLDER);
      case TEMPORARY -> folder.resolve("tmp");
    };
  }

  /** The only one, or the first. */
  SmallDisk disk() {
    return disks().get(0);
  }

  List<SmallDisk> disks() {
    return List.copyOf(disks.values());
  }

  Path out() {
    return folder.resolve("out");
  }

  private Object[] command(String by, Path results, Object... more) {
    int particles = particles();
    List<Object> words = new ArrayList<>(List.of("replay", Logs.OFFICE, "--engine", by));
    words.addAll(List.of("--particles", particles, "--out", results));
    words.addAll(List.of("--set", "checkpoint.everySeconds=0.2"));
    if (by.equals("storm")) {
      words.addAll(
          List.of("--rate", isLong ? 1.8 : 16, "--set", "topology.mapIntervalSeconds=0.3"));
    }
    words.addAll(List.of(more));
    return words.toArray();
  }

  /** Enough for a run of some seconds, or of far more than a minute. */
  private int particles() {
    int ofSerial = isLong ? 50 : 300;
    return engine.equals("serial") ? ofSerial : 30;
  }

  /**
   * Starts it.
   *
   * @param environment beside the user's
   */
  Process start(Map<String, String> environment, Object... more) throws IOException {
    return begin(environment, command(engine, out(), more));
  }

  /** Starts the replay, and fills its disk once it is somewhere. */
  Process startAndFill() throws Exception {
    Process process = start(Map.of());
    progress().untilSomewhere(process);
    disk().fill();
    return process;
  }

  /** Starts the replay, whose disk is full for two seconds once it is somewhere. */
  Process startAndFillForTwoSeconds() throws Exception {
    Process process = startAndFill();
    process.waitFor(2, TimeUnit.SECONDS);
    disk().makeRoom();
    return process;
  }

  /** Starts the gateway of a live robot in its place. */
  Process startGateway(Object... more) throws IOException {
    List<Object> words = new ArrayList<>(List.of("gateway", "--robot", "r1", "--out", out()));
    words.addAll(List.of(more));
    return begin(Map.of(), words.toArray());
  }

  private Process begin(Map<String, String> environment, Object... command) throws IOException {
    Map<String, String> all = new HashMap<>(environment);
    SmallDisk there = disks.get(Place.TEMPORARY);
    String temporary = there == null ? "" : " -Djava.io.tmpdir=" + there.folder();
    String slow = isLong && engine.equals("serial") ? " -Xint" : ""; // A rate is Storm's alone.
    all.put("JAVA_TOOL_OPTIONS", LOGGING + temporary + slow);
    Process process = CartostreamProcess.start(output(), all, command);
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
    List<String> lines = said().lines().filter(line -> line.startsWith("cartostream: ")).toList();
    assertThat(lines).singleElement().asString().doesNotContain("Exception");
    return lines.get(0);
  }

  /** Its results are those of one thread that nothing disturbs, to the last byte. */
  void checkResults() throws IOException {
    Path serial = UNDISTURBED.computeIfAbsent(particles(), any -> undisturbed());
    for (String name : List.of("trajectory.tum", "live.tum", "map.pgm", "map.yaml")) {
      assertThat(out().resolve(name)).hasSameBinaryContentAs(serial.resolve(name));
    }
  }

  private Path undisturbed() {
    try {
      Path serial = Files.createTempDirectory("undisturbed");
      assertThat(Cartostream.run(command("serial", serial)).exitCode()).isZero();
      return serial;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws Exception {
    for (Process each : processes) {
      each.destroyForcibly().waitFor();
    }
    List<SmallDisk> mounted = new ArrayList<>(disks.values());
    Collections.reverse(mounted); // One may be in another.
    mounted.forEach(SmallDisk::close);
  }
}
