package org.cartostream.run.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.run.Logs;
import org.cartostream.run.engine.SerialEngine;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A serial run that ended early goes on to the bytes of one that did not. */
@Quick
class SerialResumeTest {

  private static final int READINGS = 60;
  private static final long SEED = 30;
  private static final List<String> FILES = List.of("trajectory.tum", "map.pgm", "map.yaml");
  private static final Random RANDOM = new Random(SEED);

  private static Map<String, byte[]> undisturbed;
  private static List<StampedPose> undisturbedOnTheWay;

  @TempDir private Path folder;

  private final List<String> notices = new ArrayList<>();

  @BeforeAll
  static void runUndisturbed(@TempDir Path whole) throws IOException {
    try (RunCheckpoints none = RunCheckpoints.none()) {
      undisturbedOnTheWay =
          run(whole, none, "5", READINGS, UnaryOperator.identity()).livePath().poses();
    }
    undisturbed = contents(whole);
  }

  private static Map<String, byte[]> contents(Path folder) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    for (String name : FILES) {
      contents.put(name, Files.readAllBytes(folder.resolve(name)));
    }
    return contents;
  }

  private RunCheckpoints checkpoints(CheckpointUse use, String seed) {
    // Always due.
    return new RunCheckpoints(
        use,
        CheckpointSettings.every(1e-9),
        folder,
        "office",
        Map.of("slam.seed", seed),
        System::nanoTime,
        notices::add);
  }

  private static RunMetrics run(
      Path folder,
      RunCheckpoints checkpoints,
      String particles,
      int readings,
      UnaryOperator<Reading> change)
      throws IOException {
    return run(folder, checkpoints, particles, readings, change, new ShutdownRequest());
  }

  private static RunMetrics run(
      Path folder,
      RunCheckpoints checkpoints,
      String particles,
      int readings,
      UnaryOperator<Reading> change,
      ShutdownRequest shutdownRequest)
      throws IOException {
    // Resampling, and refusals, before and after a cut.
    RootSettings settings =
        Settings.build(
            RootSettings.class, Map.of("slam.particles", particles, "slam.resampleBelow", "0.9"));
    RunMetrics runMetrics = new RunMetrics(readings, System::nanoTime, RunObserver.NONE);
    try (LaserLog office = CarmenLog.open(Logs.OFFICE, CarmenSettings.defaults())) {
      new SerialEngine(settings, "office", checkpoints, Optional.empty())
          .run(runMetrics.watch(changed(office, change)), runMetrics, folder, shutdownRequest);
    }
    return runMetrics;
  }

  private static Iterator<LogEntry> changed(Iterator<LogEntry> log, UnaryOperator<Reading> change) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return log.hasNext();
      }

      @Override
      public LogEntry next() {
        LogEntry entry = log.next();
        return entry instanceof LogEntry.Usable usable
            ? new LogEntry.Usable(usable.line(), change.apply(usable.reading()))
            : entry;
      }
    };
  }

  /** After one death, and after a second one. */
  @RepeatedTest(2)
  void itGoesOnToTheSameBytes() throws Exception {
    int first = 1 + RANDOM.nextInt(READINGS - 2);
    int second = first + RANDOM.nextInt(READINGS - first);
    System.out.printf("seed %d: ends at %d and at %d%n", SEED, first, second);
    try (RunCheckpoints writes = checkpoints(CheckpointUse.WRITE, "1")) {
      run(folder, writes, "5", first, UnaryOperator.identity());
    }
    for (int end : new int[] {second, READINGS}) {
      Files.delete(folder.resolve("trajectory.tum"));
      try (RunCheckpoints goesOn = checkpoints(CheckpointUse.RESUME, "1")) {
        RunMetrics runMetrics = run(folder, goesOn, "5", end, UnaryOperator.identity());
        ReadingCounts counts = runMetrics.snapshot().readings();
        assertThat(runMetrics.resumed().reading()).isBetween(1L, (long) end);
        assertThat(counts.read()).isEqualTo(end);
        assertThat(counts.open()).isZero();
        assertThat(runMetrics.livePath().poses())
            .isEqualTo(undisturbedOnTheWay.subList(0, (int) counts.processed()));
      }
    }
    contents(folder)
        .forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(undisturbed.get(name)));
    assertThat(notices).isEmpty();
  }

  /** With loops closed as in a log that ends there. */
  @Test
  void afterCtrlCItsAnswerIsThatOfTheReadingsSoFar() throws Exception {
    int end = 280;
    AtomicInteger read = new AtomicInteger();
    ShutdownRequest shutdownRequest = new ShutdownRequest();
    UnaryOperator<Reading> ctrlC =
        reading -> {
          if (read.incrementAndGet() == end) {
            shutdownRequest.request(ShutdownRequest.BY_CTRL_C);
          }
          return reading;
        };
    try (RunCheckpoints none = RunCheckpoints.none()) {
      RunMetrics ended = run(folder, none, "12", 320, ctrlC, shutdownRequest);
      assertThat(ended.snapshot().readings().read()).isEqualTo(end);
      Map<String, byte[]> answer = contents(folder);
      run(folder, none, "12", end, UnaryOperator.identity());
      contents(folder)
          .forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(answer.get(name)));
    }
  }

  @Test
  void anotherLogIsRefused() throws Exception {
    try (RunCheckpoints writes = checkpoints(CheckpointUse.WRITE, "1")) {
      run(folder, writes, "5", 10, UnaryOperator.identity());
    }
    UnaryOperator<Reading> moved =
        reading ->
            new Reading(
                reading.stampNanos(),
                reading.odometry().then(new Pose(1e-9, 0, 0)),
                reading.scan());
    try (RunCheckpoints goesOn = checkpoints(CheckpointUse.RESUME, "1")) {
      assertThatThrownBy(() -> run(folder, goesOn, "5", READINGS, moved))
          .isInstanceOf(CheckpointException.class)
          .hasMessageContaining("this log's readings until there are others");
    }
  }

  @Test
  void otherSettingsAreRefused() throws Exception {
    try (RunCheckpoints writes = checkpoints(CheckpointUse.WRITE, "1")) {
      run(folder, writes, "5", 10, UnaryOperator.identity());
    }
    try (RunCheckpoints goesOn = checkpoints(CheckpointUse.RESUME, "2")) {
      assertThatThrownBy(() -> run(folder, goesOn, "5", READINGS, UnaryOperator.identity()))
          .isInstanceOf(CheckpointException.class)
          .hasMessageContaining("slam.seed was 1 and is 2 now");
    }
  }

  @Test
  void whereThereIsNoneItSaysSo() throws Exception {
    try (RunCheckpoints goesOn = checkpoints(CheckpointUse.RESUME, "1")) {
      assertThatThrownBy(() -> run(folder, goesOn, "5", READINGS, UnaryOperator.identity()))
          .isInstanceOf(CheckpointException.class)
          .hasMessageContaining("there is nothing to resume")
          .hasMessageContaining("without --resume the run begins anew");
    }
  }

  /** The log is at hand. */
  @Test
  void aDamagedOneIsNamedAndTheRunBeginsAnewIfItWasTheOnlyOne() throws Exception {
    try (RunCheckpoints writes = checkpoints(CheckpointUse.WRITE, "1")) {
      run(folder, writes, "5", 10, UnaryOperator.identity());
    }
    try (Stream<Path> files = Files.walk(folder.resolve(RunCheckpoints.FOLDER))) {
      for (Path file : files.filter(each -> each.toString().contains(".filter-")).toList()) {
        Files.write(file, new byte[] {1, 2, 3});
      }
    }
    try (RunCheckpoints goesOn = checkpoints(CheckpointUse.RESUME, "1")) {
      RunMetrics runMetrics = run(folder, goesOn, "5", READINGS, UnaryOperator.identity());
      assertThat(runMetrics.resumed()).isNull();
    }
    contents(folder)
        .forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(undisturbed.get(name)));
    assertThat(notices)
        .hasSize(2)
        .anyMatch(each -> each.contains("its part 'filter' has 3 of"))
        .anyMatch(each -> each.contains("the run begins anew, with the log's first reading"));
  }

  @Test
  void whereNoneCanBeWrittenTheRunGoesOnAndSaysSoOnce() throws Exception {
    Files.writeString(folder.resolve(RunCheckpoints.FOLDER), "a file where the folder would be");
    try (RunCheckpoints writes = checkpoints(CheckpointUse.WRITE, "1")) {
      run(folder, writes, "5", READINGS, UnaryOperator.identity());
    }
    contents(folder)
        .forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(undisturbed.get(name)));
    assertThat(notices)
        .singleElement()
        .asString()
        .contains("no checkpoint could be written", RunCheckpoints.FOLDER);
  }
}
