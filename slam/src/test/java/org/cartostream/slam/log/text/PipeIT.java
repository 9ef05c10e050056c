package org.cartostream.slam.log.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log is read twice, which a pipe cannot be; and of a map's pipe nobody knows when it ends. */
@Default
class PipeIT {

  @TempDir private Path folder;

  @Test
  void isRefusedWithoutBeingRead() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> CarmenLog.open(pipe, CarmenSettings.defaults()))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("pipe is no file but a pipe or a device");
    assertThatThrownBy(() -> ServerMap.read(pipe))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("pipe is no map's YAML file: it is no file but a folder, a pipe");
    Path map = folder.resolve("map.yaml");
    Files.writeString(map, "image: pipe\nresolution: 0.05\norigin: [0, 0, 0]\n");
    assertThatThrownBy(() -> ServerMap.read(map))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining(pipe + " is no picture of a map: it is no file");
  }
}
