package org.cartostream.slam.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class AtomicFileTest {

  @TempDir private Path folder;

  @Test
  void leavesTheOldFileAloneWhenWritingFails() throws IOException {
    Path file = Files.writeString(folder.resolve("t"), "old");

    assertThatThrownBy(
            () ->
                AtomicFile.write(
                    file,
                    out -> {
                      out.write('x');
                      throw new IOException("disk full");
                    }))
        .hasMessageStartingWith(file + " on the disk ")
        .hasMessageEndingWith(": disk full");

    assertThat(file).hasContent("old");
    assertThat(folder.toFile().list()).containsExactly("t");
  }

  /** The one begins while the other has written half. */
  @Test
  void letsTwoWriteOneFileAtATime() throws IOException {
    Path file = folder.resolve("t");
    AtomicFile.write(
        file,
        out -> {
          out.write("long and ".getBytes(US_ASCII));
          out.flush();
          AtomicFile.write(file, other -> other.write("short".getBytes(US_ASCII)));
          assertThat(file).hasContent("short");
          out.write("slow".getBytes(US_ASCII));
        });
    assertThat(file).hasContent("long and slow");
    assertThat(folder.toFile().list()).containsExactly("t");
  }

  @Test
  void sweepsWhatKilledWritersOfTheSameFileLeftLongAgo() throws IOException {
    String uuid = "123e4567-e89b-42d3-a456-426614174000";
    String left = part("t." + uuid + ".part", Duration.ofMinutes(61));
    String perhapsBeingWritten = part("t." + uuid.replace('0', '1') + ".part", Duration.ZERO);
    String ofAnotherFile = part("t.pgm." + uuid + ".part", Duration.ofDays(1));
    String ofAPerson = part("t.1.part", Duration.ofDays(1));
    String noPart = part("t." + uuid, Duration.ofDays(1));

    AtomicFile.write(folder.resolve("t"), out -> out.write('x'));

    assertThat(folder.toFile().list())
        .doesNotContain(left)
        .containsExactlyInAnyOrder("t", perhapsBeingWritten, ofAnotherFile, ofAPerson, noPart);
  }

  private String part(String name, Duration age) throws IOException {
    Path part = Files.writeString(folder.resolve(name), "half");
    Files.setLastModifiedTime(part, FileTime.from(Instant.now().minus(age)));
    return name;
  }

  @Test
  void writesAFileThatOthersMayReadAsAnyOther() throws IOException {
    Path file = folder.resolve("t");
    AtomicFile.write(file, out -> out.write('x'));
    Path plain = Files.writeString(folder.resolve("plain"), "x");
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(Files.getPosixFilePermissions(plain));
  }
}
