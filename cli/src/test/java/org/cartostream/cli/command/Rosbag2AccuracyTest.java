package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One drive of {@code ../shared/inputs} as a bag of ROS 1, and as folders of rosbag2 that rosbags
 * has written, with ROS 2's own types.
 */
@Nightly(computes = true)
class Rosbag2AccuracyTest {

  /** Where {@code scripts/test} puts it. */
  private static final Path PYTHON =
      Path.of(System.getProperty("user.home"), ".cache/cartostream/rosbags/bin/python");

  @TempDir private Path folder;

  private byte[] trajectory(Object... logs) throws IOException {
    Path out = folder.resolve("out");
    Object[]
        options = { // Random numbers are keyed by the robot, too, which is the log's name else.
      "replay", "--engine", "serial", "--robot", "r", "--particles", 20, "--out", out
    };
    Object[] command = new Object[options.length + logs.length];
    System.arraycopy(options, 0, command, 0, options.length);
    System.arraycopy(logs, 0, command, options.length, logs.length);
    Cartostream ended = Cartostream.run(new ShutdownRequest(), command);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out()).contains("248 processed, 0 refused, 0 skipped, 0 lost");
    return Files.readAllBytes(out.resolve("trajectory.tum"));
  }

  @Test
  void oneDriveIsOneTrajectoryHoweverItWasRecorded() throws Exception {
    assumeTrue(Files.exists(PYTHON), "there is no rosbags: scripts/test puts it into " + PYTHON);
    Path script = folder.resolve("rosbag2.py");
    try (InputStream text = Rosbag2AccuracyTest.class.getResourceAsStream("rosbag2.py")) {
      Files.copy(text, script);
    }
    Path made = Files.createDirectory(folder.resolve("made"));
    Path said = folder.resolve("said");
    Process python =
        new ProcessBuilder(PYTHON.toString(), script.toString(), bag().toString(), made.toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(python.waitFor()).as(Files.readString(said)).isZero();
    Cartostream blind = Cartostream.run("replay", made.resolve("blind"));
    assertThat(blind.exitCode()).isNotZero();
    assertThat(blind.complaint())
        .contains("no sensor_msgs/LaserScan")
        .contains("/tf (tf2_msgs/msg/TFMessage)");
    byte[] right = trajectory(bag());
    for (String name :
        List.of(
            "mcap",
            "sqlite",
            "file-mcap",
            "file-sqlite3",
            "message-sqlite3",
            "storage-mcap",
            "split",
            "killed")) {
      assertThat(trajectory(made.resolve(name))).as(name).isEqualTo(right);
    }
    assertThat(trajectory(made.resolve("sqlite/sqlite.db3"))).isEqualTo(right);
    Path split = made.resolve("split");
    assertThat(trajectory(split.resolve("split_1.db3"), split.resolve("split_0.db3")))
        .isEqualTo(right);
  }

  private static Path bag() {
    return TestFiles.usersFile("c20_static_two_conns.bag");
  }
}
