package org.cartostream.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pipes in place of files: nobody waits for what may never come. */
@Default
@Timeout(60)
class PipedBagIT {

  @TempDir private Path folder;

  private Path pipe(String name) throws Exception {
    Path pipe = folder.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  @Test
  void aPipeIsNoMessageFile() throws Exception {
    Path pipe = pipe("a.bag");
    assertThat(MessageFile.isMessageFile(pipe)).isFalse();
    assertThatThrownBy(() -> MessageFile.open(List.of(pipe))).hasMessageContaining("is no ROS bag");
    assertThatThrownBy(() -> McapReader.open(pipe)).hasMessageContaining("is no MCAP file");
  }

  @Test
  void aFolderOfPipesIsRefused() throws Exception {
    Path pipe = pipe("a.db3");
    assertThatThrownBy(() -> MessageFile.open(List.of(folder)))
        .hasMessageContaining(pipe + " is no file of this folder, but a folder, pipe");
    Path metadata = pipe("metadata.yaml");
    assertThatThrownBy(() -> MessageFile.open(List.of(folder)))
        .hasMessageContaining(metadata + " is no file of this folder");
    Files.delete(metadata);
    Files.writeString(metadata, "rosbag2_bagfile_information: {relative_file_paths: [a.db3]}");
    assertThatThrownBy(() -> MessageFile.open(List.of(folder)))
        .hasMessageContaining(pipe + " is no file of this folder");
  }
}
