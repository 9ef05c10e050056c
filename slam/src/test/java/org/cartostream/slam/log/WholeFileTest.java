package org.cartostream.slam.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

  @TempDir private Path folder;

  @Test
  void leavesTheOldFileAloneWhenWritingFails() throws IOException {
    Path file = Files.writeString(folder.resolve("t"), "old");

    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    out -> {
                      out.write('x');
                      throw new IOException("disk full");
                    }))
        .hasMessage("disk full");

    assertThat(file).hasContent("old");
    assertThat(folder.toFile().list()).containsExactly("t");
  }

  /** The one begins while the other has written half. */
  @Test
  void letsTwoWriteOneFileAtATime() throws IOException {
    Path file = folder.resolve("t");
    WholeFile.write(
        file,
        out -> {
          out.write("long and ".getBytes(US_ASCII));
          out.flush();
          WholeFile.write(file, other -> other.write("short".getBytes(US_ASCII)));
          assertThat(file).hasContent("short");
          out.write("slow".getBytes(US_ASCII));
        });
    assertThat(file).hasContent("long and slow");
    assertThat(folder.toFile().list()).containsExactly("t");
  }

  @Test
  void writesAFileThatOthersMayReadAsAnyOther() throws IOException {
    Path file = folder.resolve("t");
    WholeFile.write(file, out -> out.write('x'));
    Path plain = Files.writeString(folder.resolve("plain"), "x");
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(Files.getPosixFilePermissions(plain));
  }
}
