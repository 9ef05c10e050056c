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
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.trajectory.CovarianceFile;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files with the poses of a robot's run and their covariances, each written when its reading is
 * answered. They replace the path if the run breaks off. A file that cannot be written does not
 * stop the run. Owns the files; not thread-safe.
 */
public final class LivePoses {

  /** Name of the poses' file. */
  public static final String FILE = "live.tum";

  private static final Logger LOG = LoggerFactory.getLogger(LivePoses.class);

  /** A file that grows by a line with each pose. */
  private static final class Lines {
    final Path file;
    private final String head;
    private boolean begun;
    private boolean failed;

    /**
     * @param head first line of the file
     * @param resumes true to keep the lines of an existing file
     */
    Lines(Path file, String head, boolean resumes) {
      this.file = file;
      this.head = head;
      this.begun = resumes && Files.exists(file);
      if (begun) {
        cutOffUnfinishedLine();
      }
    }

    private void cutOffUnfinishedLine() {
      try (RandomAccessFile lines = new RandomAccessFile(file.toFile(), "rw")) {
        long end = lines.length();
        do {
          lines.seek(Math.max(0, end - 1));
        } while (end > 0 && lines.read() != '\n' && --end > 0);
        lines.setLength(end);
      } catch (IOException e) {
        failed = true;
        LOG.warn("{} cannot be written", file, e);
      }
    }

    void add(String line) {
      if (failed) {
        return;
      }
      try {
        Files.write(
            file,
            ((begun ? "" : head) + line + "\n").getBytes(StandardCharsets.US_ASCII),
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
  }

  private final Lines poses;
  private final Lines covariances;

  /**
   * @param resumes true to keep the poses of existing files, which are of this run
   */
  public LivePoses(Path folder, boolean resumes) {
    poses = new Lines(folder.resolve(FILE), "", resumes);
    covariances =
        new Lines(folder.resolve(CovarianceFile.NAME), CovarianceFile.HEADER + "\n", resumes);
  }

  /** Writes the pose at a reading that was answered. */
  public void add(long stampNanos, RobotPose pose) {
    poses.add(TumFile.line(new StampedPose(stampNanos, pose.inMap())));
    if (pose.hasCovariance()) {
      covariances.add(CovarianceFile.line(stampNanos, pose.covariance()));
    }
  }

  /** Begins another run, whose first pose replaces all poses of the run before. */
  public void beginAnew() {
    poses.begun = false;
    covariances.begun = false;
  }

  /** Reads all poses of this run. */
  public List<PathPose> all() throws IOException {
    List<PathPose> all = new ArrayList<>();
    if (poses.begun && Files.exists(poses.file)) {
      for (StampedPose each : TumFile.read(poses.file)) {
        all.add(new PathPose(all.size() + 1L, each.stampNanos(), each.pose()));
      }
    }
    return all;
  }
}
