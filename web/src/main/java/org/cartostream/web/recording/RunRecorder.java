package org.cartostream.web.recording;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.web.observer.BufferedObserver;
import org.cartostream.web.observer.RunObserver;

/**
 * Records a run as an MCAP file, see {@link McapRecording}, in a thread of its own. Never fails or
 * holds up the run: where the file cannot be written, the recording ends, and that is said;
 * readings that come faster than the disk takes them are left out, and counted.
 */
public final class RunRecorder implements RunObserver {

  /** The file's name. */
  public static final String FILE = "run.mcap";

  private static final int END_SECONDS = 60;

  private final Path file;
  private final Consumer<String> notices;
  private final BufferedObserver recording;

  /**
   * @param file is replaced when the run has its first reading
   * @param notices receives what people should know, a sentence each; called by any thread
   */
  public RunRecorder(Path file, Consumer<String> notices) {
    this.file = file;
    this.notices = notices;
    this.recording = new BufferedObserver(new McapRecording(file, notices), "recording");
  }

  @Override
  public void begin(String robot, long scans) {
    recording.begin(robot, scans);
  }

  @Override
  public void outcome(long number, Reading reading, Outcome outcome) {
    recording.outcome(number, reading, outcome);
  }

  @Override
  public void map(OccupancyGrid map, int correction, long stampNanos) {
    recording.map(map, correction, stampNanos);
  }

  @Override
  public double drawingShare() {
    return recording.drawingShare();
  }

  @Override
  public void link(String trouble) {
    recording.link(trouble);
  }

  @Override
  public void result(OccupancyGrid map, List<PathPose> path) {
    recording.result(map, path);
  }

  /** Returns when the file is whole, or when the disk has taken too long. */
  @Override
  public void end(String failure) {
    recording.end(failure);
    if (!recording.finish(END_SECONDS)) {
      notices.accept(
          "%s lacks its end: the disk did not take it within %d s".formatted(file, END_SECONDS));
    }
    if (recording.leftOut() > 0) {
      notices.accept(
          "%s lacks %d readings: the disk did not take them as fast as they came"
              .formatted(file, recording.leftOut()));
    }
  }
}
