package org.cartostream.web.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.ros.bag.MessageFile;
import org.cartostream.ros.message.RosOccupancyGrid;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class RunRecorderTest {

  @TempDir private Path folder;

  private final List<String> notices = new CopyOnWriteArrayList<>();

  private static Reading reading(long stampNanos) {
    return new Reading(
        stampNanos, Pose.ORIGIN, new Scan(Pose.ORIGIN, -1, 0.1, 0.1, 8, new float[21]));
  }

  private static void drive(RunRecorder recorder, int readings) {
    recorder.begin("r", readings);
    for (int i = 1; i <= readings; i++) {
      recorder.outcome(
          i,
          reading(i),
          new Outcome.Processed(new RobotPose(Pose.ORIGIN, Correction.NONE, 1, 0), false, 1));
    }
  }

  private static OccupancyGrid grid(int occupied) {
    return new OccupancyGrid(2, 1, 0.05, 0, 0, new byte[] {(byte) occupied, 0});
  }

  private static Map<String, Integer> counts(Path file, List<RosOccupancyGrid> maps)
      throws IOException {
    Map<String, Integer> counts = new HashMap<>();
    try (MessageFile messages = MessageFile.open(List.of(file))) {
      for (MessageFile.RecordedMessage each = messages.next();
          each != null;
          each = messages.next()) {
        counts.merge(each.topic(), 1, Integer::sum);
        if (each.is(RosOccupancyGrid.TYPE)) {
          maps.add(each.as(RosOccupancyGrid.TYPE));
        }
      }
      assertThat(messages.coverage().damages()).isEmpty();
    }
    return counts;
  }

  @Test
  void theFileHoldsTheRun() throws Exception {
    Path file = folder.resolve(RunRecorder.FILE);
    RunRecorder recorder = new RunRecorder(file, notices::add);
    drive(recorder, 500);
    recorder.map(grid(50), 0, 500);
    recorder.particles(new ParticlesMessage(List.of(Pose.ORIGIN), List.of(0)), 500);
    StampedPose moment = new StampedPose(1, Pose.ORIGIN);
    recorder.loops(List.of(new ClosedLoop(moment, moment)), 500);
    recorder.result(grid(100), List.of(new PathPose(1, 1, Pose.ORIGIN)));
    recorder.end("");
    List<RosOccupancyGrid> maps = new ArrayList<>();
    Map<String, Integer> counts = counts(file, maps);
    assertThat(counts).containsEntry("/scan", 500).containsEntry("/cartostream/pose", 500);
    assertThat(counts).containsEntry("/cartostream/path", 1);
    assertThat(counts)
        .containsEntry("/cartostream/particles", 1)
        .containsEntry("/cartostream/particle_tasks", 1)
        .containsEntry("/cartostream/loops", 1);
    assertThat(maps.get(maps.size() - 1).data()).containsExactly(100, 0);
    assertThat(notices).isEmpty();
  }

  /** One sentence, however much comes after. */
  @Test
  void aFileThatCannotBeWrittenIsSaidAndTheRunGoesOn() throws Exception {
    Path file = Files.createDirectory(folder.resolve("taken")).resolve("x").resolve("run.mcap");
    RunRecorder recorder = new RunRecorder(file, notices::add);
    drive(recorder, 100);
    recorder.result(grid(100), List.of());
    recorder.end("");
    assertThat(notices).singleElement().asString().startsWith(file + " on the disk ");
  }

  @Test
  void aFullDiskIsSaidAndTheRunGoesOn() {
    Path full = Path.of("/dev/full");
    if (Files.exists(full)) {
      RunRecorder recorder = new RunRecorder(full, notices::add);
      drive(recorder, 100);
      recorder.end("");
      assertThat(notices)
          .singleElement()
          .asString()
          .startsWith("/dev/full on the disk /dev (")
          .contains(" is not written any further, the run goes on: No space left on device");
    }
  }

  @Test
  void aRunThatNeverBeginsLeavesNoFile() {
    Path file = folder.resolve(RunRecorder.FILE);
    new RunRecorder(file, notices::add).end("");
    assertThat(file).doesNotExist();
    assertThat(notices).isEmpty();
  }
}
