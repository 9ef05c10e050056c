package org.cartostream.slam.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class SmallFileTest {

  @TempDir private Path folder;

  @Test
  void whatIsNoFileOrTooLongIsNamed() throws Exception {
    Path file = Files.write(folder.resolve("report.json"), new byte[10]);
    SmallFile.require(file, "report", 10);
    assertThatThrownBy(() -> SmallFile.require(file, "report", 9))
        .isInstanceOf(FileFormatException.class)
        .hasMessage(file + " is no report: it has 10 bytes, and at most 9 are read");
    Path device = Files.createSymbolicLink(folder.resolve("zero"), Path.of("/dev/zero"));
    assertThatThrownBy(() -> SmallFile.require(device, "report", 9))
        .isInstanceOf(FileFormatException.class)
        .hasMessage(device + " is no report: it is no file but a folder, a pipe or a device");
    assertThatThrownBy(() -> SmallFile.require(folder.resolve("gone"), "report", 9))
        .isInstanceOf(NoSuchFileException.class);
  }

  /** A map of a stranger: neither it nor its picture is a device. */
  @Test
  void aMapIsReadFromFilesOnly() throws Exception {
    Path yaml = folder.resolve("map.yaml");
    Path device = Files.createSymbolicLink(yaml, Path.of("/dev/zero"));
    assertThatThrownBy(() -> ServerMap.read(device))
        .hasMessage(
            yaml + " is no map's YAML file: it is no file but a folder, a pipe or a device");
    Files.delete(yaml);
    for (String image :
        new String[] {"/dev/zero", "../".repeat(20) + "dev/zero", "x".repeat(100_000)}) {
      Files.writeString(yaml, "image: %s\nresolution: 0.05\norigin: [0, 0, 0]\n".formatted(image));
      assertThatThrownBy(() -> ServerMap.read(yaml))
          .isInstanceOf(FileFormatException.class)
          .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1_000));
    }
  }
}
