package org.cartostream.gateway.sink;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with the poses of a robot's run, each written when it is answered. It is what is left of
 * the path if the run breaks off. Where it cannot be written the run goes on without. Owns the
 * file; one thread uses it.
 */
public final class LivePoses {

  /** The file's name. */
  public static final String FILE = "live.tum";

  private static final Logger LOG = LoggerFactory.getLogger(LivePoses.class);

  private final Path file;
  private boolean begun;
  private boolean failed;

  /**
   * @param resumes true if the poses that are there are of this run
   */
  public LivePoses(Path folder, boolean resumes) {
    this.file = folder.resolve(FILE);
    this.begun = resumes;
    if (resumes) {
      cutOffUnfinishedLine();
    }
  }

  private void cutOffUnfinishedLine() {
    try (RandomAccessFile poses = new RandomAccessFile(file.toFile(), "rw")) {
      long end = poses.length();
      do {
        poses.seek(Math.max(0, end - 1));
      } while (end > 0 && poses.read() != '\n' && --end > 0);
      poses.setLength(end);
    } catch (IOException e) {
      failed = true;
      LOG.warn("{} cannot be written", file, e);
    }
  }

  /** A reading was answered. */
  public void add(long stampNanos, Pose pose) {
    if (failed) {
      return;
    }
    String line = TumFile.line(new StampedPose(stampNanos, pose)) + "\n";
    try {
      Files.write(
          file,
          line.getBytes(StandardCharsets.US_ASCII),
          StandardOpenOption.CREATE,
          begun ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE,
          LinkOption.NOFOLLOW_LINKS);
      begun = true;
    } catch (IOException e) {
      failed = true;
      LOG.warn("{} cannot be written", file, e);
    }
  }

  /** Another run begins: the first pose replaces those of the one before. */
  public void beginAnew() {
    begun = false;
  }

  /** All of this run. */
  public List<PathPose> all() throws IOException {
    List<PathPose> poses = new ArrayList<>();
    if (begun && Files.exists(file)) {
      for (StampedPose each : TumFile.read(file)) {
        poses.add(new PathPose(poses.size() + 1L, each.stampNanos(), each.pose()));
      }
    }
    return poses;
  }
}
