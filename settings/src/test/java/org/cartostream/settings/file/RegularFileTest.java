package org.cartostream.settings.file;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class RegularFileTest {

  @TempDir private Path folder;

  @Test
  void whatIsNoFileOrTooLongIsNamed() throws Exception {
    Path file = Files.write(folder.resolve("report.json"), new byte[10]);
    RegularFile.requireSmall(file, "report", 10, IOException::new);
    assertThatThrownBy(() -> RegularFile.requireSmall(file, "report", 9, IOException::new))
        .isInstanceOf(IOException.class)
        .hasMessage(file + " is no report: it has 10 bytes, and at most 9 are read");
    Path device = Files.createSymbolicLink(folder.resolve("zero"), Path.of("/dev/zero"));
    assertThatThrownBy(() -> RegularFile.requireSmall(device, "report", 9, IOException::new))
        .isInstanceOf(IOException.class)
        .hasMessage(device + " is no report: it is no file but a folder, a pipe or a device");
    assertThatThrownBy(
            () -> RegularFile.requireSmall(folder.resolve("gone"), "report", 9, IOException::new))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aLinkAFolderAndADeviceAreNoFilesToBeWritten() throws Exception {
    Path file = folder.resolve("run.journal");
    RegularFile.requireNoLink(file, IOException::new);
    Files.createFile(file);
    RegularFile.requireNoLink(file, IOException::new);
    RegularFile.requireNoFolder(file, IOException::new);
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    for (Path each : List.of(link, folder, Path.of("/dev/zero"))) {
      assertThatThrownBy(() -> RegularFile.requireNoLink(each, IOException::new))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(each + " is no regular file but a link, a folder");
    }
    RegularFile.requireNoFolder(link, IOException::new);
    assertThatThrownBy(() -> RegularFile.requireNoFolder(folder, IOException::new))
        .hasMessageStartingWith("'" + folder + "' is a folder, and the run writes a file");
  }
}
