package org.cartostream.web.playback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.cartostream.testing.TestFiles;
import org.cartostream.web.recording.RunRecorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run of random maps, recorded and played back in any order. */
@Quick
class RecordedRunTest {

  private static final long SEED = 20261126;
  private static final int READINGS = 400;
  private static final long STEP_NANOS = 500_000_000;

  @TempDir private Path folder;

  private final Random random = new Random(SEED);

  /** Of each step: the map that was told last; null if none was. */
  private final List<OccupancyGrid> told = new ArrayList<>();

  private final List<String> notices = new CopyOnWriteArrayList<>();

  private static Pose pose(int reading) {
    return new Pose(0.1 * reading, -0.05 * reading, Pose.wrap(0.01 * reading));
  }

  private static long stamp(int reading) {
    return 1_700_000_000_000_000_000L + reading * STEP_NANOS;
  }

  private static Reading reading(int number) {
    float[] ranges = {1, 2, (float) (3 + number * 1e-3), Float.POSITIVE_INFINITY};
    return new Reading(
        stamp(number), pose(number), new Scan(new Pose(0.2, 0, 0), 0, 0.5, 0.1, 8, ranges));
  }

  /** Every seventh reading is refused; the third has a map, and then every fourth. */
  private Path recorded(boolean ends) throws IOException {
    Path file = folder.resolve(RunRecorder.FILE);
    RunRecorder recorder = new RunRecorder(file, notices::add);
    recorder.begin("r", READINGS);
    OccupancyGrid map = null;
    for (int i = 1; i <= READINGS; i++) {
      Outcome outcome =
          i % 7 == 0
              ? new Outcome.Refused("X", "no")
              : new Outcome.Processed(
                  new RobotPose(pose(i), Correction.NONE, i % 30 + 1, 0)
                      .withCovariance(SymmetricMatrix3.diagonal(i, 0.5, 1)),
                  false,
                  1_000_000);
      recorder.outcome(i, reading(i), outcome);
      if (i % 4 == 3) {
        map = changed(map);
        recorder.map(map, 0, stamp(i));
        drain(recorder); // Of maps that wait only the newest is recorded.
      }
      told.add(map);
    }
    if (ends) {
      map = changed(map);
      recorder.result(map, List.of(new PathPose(1, stamp(1), new Pose(7, 8, 0))));
      told.set(READINGS - 1, map);
    }
    recorder.end("");
    assertThat(notices).isEmpty();
    return file;
  }

  private static void drain(RunRecorder recorder) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    recorder.execute(() -> done.complete(null));
    done.join();
  }

  /** Some cells are others; now and then the map is larger. */
  private OccupancyGrid changed(OccupancyGrid before) {
    if (before == null || random.nextInt(20) == 0) {
      int width = 20 + random.nextInt(50);
      int height = 20 + random.nextInt(50);
      byte[] cells = new byte[width * height];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = (byte) (random.nextInt(102) - 1);
      }
      return new OccupancyGrid(
          width, height, 0.05, -0.05 * random.nextInt(90), 0.05 * random.nextInt(9), cells);
    }
    byte[] cells = before.cells().clone();
    for (int i = random.nextInt(30); i >= 0; i--) {
      cells[random.nextInt(cells.length)] = (byte) (random.nextInt(102) - 1);
    }
    return new OccupancyGrid(
        before.width(),
        before.height(),
        before.resolution(),
        before.originX(),
        before.originY(),
        cells);
  }

  private static void assertSame(OccupancyGrid played, OccupancyGrid told) {
    if (told == null) {
      assertThat(played).isNull();
      return;
    }
    assertThat(played.cells()).isEqualTo(told.cells());
    assertThat(played.width()).isEqualTo(told.width());
    assertThat(played.resolution()).isEqualTo(told.resolution());
    assertThat(played.originX()).isEqualTo(told.originX());
    assertThat(played.originY()).isEqualTo(told.originY());
  }

  /** Its counters, tasks and states of the map are topics of JSON. */
  @Test
  void aRecordingWithTopicsOfJsonPlays() throws Exception {
    Path file = TestFiles.usersFile("w01_recording/run.mcap");
    try (RecordedRun run = RecordedRun.open(file)) {
      assertThat(run.damage()).isEmpty();
      assertThat(run.steps()).hasSize(108);
      assertThat(run.steps().get(107).counters().processed()).isEqualTo(108);
      assertThat(run.mapState(run.maps() - 1)).isPresent();
      assertThat(run.particleTasks(107)).isNotEmpty();
    }
  }

  @Test
  void aStepHasTheParticlesAndLoopsThatWereToldLastBeforeTheNext() throws Exception {
    Path file = folder.resolve(RunRecorder.FILE);
    RunRecorder recorder = new RunRecorder(file, notices::add);
    recorder.begin("r", 30);
    for (int i = 1; i <= 30; i++) {
      recorder.outcome(
          i,
          reading(i),
          new Outcome.Processed(new RobotPose(pose(i), Correction.NONE, 1, 0), false, 1));
      if (i % 10 == 0) {
        recorder.particles(
            new ParticlesMessage(List.of(pose(i), new Pose(-1, i, 0)), List.of(2, i)), stamp(i));
      }
      if (i == 15) {
        recorder.loops(List.of(loop(3, 14), loop(4, 15)), stamp(i));
      }
      drain(recorder);
    }
    recorder.loops(List.of(loop(3, 14)), stamp(30));
    recorder.result(changed(null), List.of(new PathPose(3, stamp(3), new Pose(7, 8, 0))));
    recorder.end("");
    try (RecordedRun recording = RecordedRun.open(file)) {
      assertThat(recording.particles(8)).isEmpty();
      assertThat(recording.particleTasks(8)).isEmpty();
      for (int step : new int[] {9, 18}) {
        assertThat(recording.particles(step)).containsExactly(1, -0.5, -1, 10);
        assertThat(recording.particleTasks(step)).containsExactly(2, 10);
        assertThat(recording.particlesAgeSeconds(step))
            .isEqualTo((stamp(step + 1) - stamp(10)) / 1e9);
      }
      assertThat(recording.particlesAgeSeconds(8)).as("there are none").isZero();
      assertThat(recording.particlesAgeSeconds(19)).isZero();
      assertThat(recording.particles(19)).containsExactly(2, -1, -1, 20);
      assertThat(recording.steps()).extracting(each -> each.newest().loops()).startsWith(-1);
      assertThat(recording.steps().get(13).newest().loops()).isEqualTo(-1);
      assertThat(recording.steps().get(14).newest().loops()).isZero();
      assertThat(recording.loops(0)).containsExactly(0.3, -0.15, 1.4, -0.7, 0.4, -0.2, 1.5, -0.75);
      assertThat(recording.steps().get(29).newest().loops()).as("at the end").isEqualTo(1);
      assertThat(recording.loops(1)).containsExactly(0.3, -0.15, 1.4, -0.7);
    }
  }

  private static ClosedLoop loop(int first, int again) {
    return new ClosedLoop(
        new StampedPose(stamp(first), pose(first)), new StampedPose(stamp(again), pose(again)));
  }

  @Test
  void anyStepHasTheMapThatWasToldThen() throws Exception {
    System.out.println("seed " + SEED);
    try (RecordedRun recording = RecordedRun.open(recorded(true))) {
      assertThat(recording.steps()).hasSize(READINGS);
      assertThat(recording.damage()).isEmpty();
      for (int i = 0; i < 600; i++) {
        int step = i < READINGS ? i : random.nextInt(READINGS); // In order, then in none.
        int number = recording.steps().get(step).newest().map();
        OccupancyGrid map = recording.map(number);
        assertSame(map, told.get(step));
        if (map != null) {
          assertThat(recording.mapState(number).orElseThrow().sha256()).isEqualTo(sha256(map));
        }
      }
    }
  }

  private static String sha256(OccupancyGrid map) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(map.cells()));
  }

  @Test
  void anyStepHasItsPoseItsScanAndItsCounts() throws IOException {
    try (RecordedRun recording = RecordedRun.open(recorded(true))) {
      long refused = 0;
      for (int step = 0; step < READINGS; step++) {
        int number = step + 1;
        RecordedReading each = recording.steps().get(step);
        refused += number % 7 == 0 ? 1 : 0;
        assertThat(each.stampNanos()).isEqualTo(stamp(number));
        assertThat(each.counters().reading()).isEqualTo(number);
        assertThat(each.counters().refused()).isEqualTo(refused);
        assertThat(each.counters().processed()).isEqualTo(number - refused);
        Pose expected = pose(number % 7 == 0 ? number - 1 : number);
        assertThat(each.pose().distance(expected)).isLessThan(1e-9);
        double deviation = Math.sqrt(number % 7 == 0 ? number - 1 : number);
        assertThat(recording.ellipse(step).along()).isCloseTo(2.4477 * deviation, within(0.01));
        assertThat(recording.scan(step).ranges()).isEqualTo(reading(number).scan().ranges());
        assertThat(recording.scan(step).mount().x()).isEqualTo(0.2);
      }
      assertThat(recording.path()).singleElement().extracting("pose.x").isEqualTo(7.0);
      assertThat(recording.events()).hasSize((int) refused);
      assertThat(recording.events().get(0))
          .isEqualTo(new RecordingIndex.Event(6, "reading 7 is refused: no"));
    }
  }

  @Test
  void aRecordingThatWasCutOffPlaysAsFarAsItGoes() throws IOException {
    byte[] whole = Files.readAllBytes(recorded(true));
    Path cut = folder.resolve("cut.mcap");
    Files.write(cut, Arrays.copyOf(whole, whole.length - 2000)); // Without its end.
    try (RecordedRun recording = RecordedRun.open(cut)) {
      assertThat(recording.damage()).contains("was cut off");
      int steps = recording.steps().size();
      assertThat(steps).isPositive();
      for (int step = 0; step < steps - 1; step++) {
        assertSame(recording.map(recording.steps().get(step).newest().map()), told.get(step));
      }
    }
  }

  @Test
  void aFileWithoutReadingsIsRefused() throws IOException {
    Path file = recorded(true);
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 40));
    assertThatThrownBy(() -> RecordedRun.open(file))
        .isInstanceOf(IOException.class)
        .hasMessage(file + " has no reading that could be played back");
  }

  // --- what the page asks for ------------------------------------------------------------------

  private Playback playback(RecordedRun recording, OtherPath... others) throws IOException {
    return new Playback("r", recording, List.of(others), Labels.of(folder));
  }

  @Test
  void theTimelineHasANumberForEachStep() throws IOException {
    OtherPath later =
        new OtherPath(
            "b",
            false,
            List.of(new StampedPose(5, Pose.ORIGIN), new StampedPose(2_000_000_005, pose(10))));
    try (RecordedRun recording = RecordedRun.open(recorded(true))) {
      JsonNode json = new ObjectMapper().readTree(playback(recording, later).timeline());
      JsonNode steps = json.get("steps");
      for (String column : List.of("seconds", "x", "theta", "reading", "map", "neff", "lost")) {
        assertThat(steps.get(column)).as(column).hasSize(READINGS);
      }
      assertThat(steps.get("seconds").get(10).asDouble()).isEqualTo(5.0);
      assertThat(steps.get("firstPose").asInt()).isZero();
      // It was driven at another time: its own begins with the run's.
      assertThat(json.at("/others/0/poses/seconds/1").asDouble()).isEqualTo(2.0);
    }
  }

  @Test
  void whatIsNotThereIsRefusedByItsNumber() throws IOException {
    try (RecordedRun recording = RecordedRun.open(recorded(true))) {
      Playback playback = playback(recording);
      int maps = recording.maps();
      assertThatThrownBy(() -> playback.tiles(-1, maps))
          .hasMessage("there is no map %d: they are 0 to %d".formatted(maps, maps - 1));
      assertThatThrownBy(() -> playback.tiles(-2, 0)).hasMessageContaining("no map -2");
      assertThatThrownBy(() -> playback.scan(READINGS)).hasMessageContaining("no step 400");
    }
  }

  @Test
  void labelsAreKeptBesideTheRecording() throws IOException {
    try (RecordedRun recording = RecordedRun.open(recorded(true))) {
      Playback playback = playback(recording);
      playback.label("{\"seconds\": 12.5, \"text\": \" a door \"}");
      playback.label("{\"seconds\": 2, \"text\": \"start\"}");
      playback.label("{\"seconds\": 3, \"text\": \"wrong\"}");
      playback.label("{\"seconds\": 3, \"text\": \"\"}");
      assertThat(Labels.of(folder).all())
          .containsExactly(new Labels.Label(2, "start"), new Labels.Label(12.5, "a door"));
      for (String bad :
          List.of("{}x", "null", "{\"seconds\":-1,\"text\":\"a\"}", "{\"seconds\":1}", "[]")) {
        assertThatThrownBy(() -> playback.label(bad))
            .as(bad)
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThatThrownBy(
              () -> playback.label("{\"seconds\":1,\"text\":\"" + "a".repeat(201) + "\"}"))
          .hasMessageContaining("200 letters at most");
      assertThat(Labels.of(folder).all()).hasSize(2);
    }
    for (String bad : List.of("[{\"seconds\":\"soon\"}]", "null", "[null]", "{}", "")) {
      Files.writeString(folder.resolve(Labels.FILE), bad);
      assertThatThrownBy(() -> Labels.of(folder))
          .as(bad)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has no labels as [{");
    }
  }
}
