package org.cartostream.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Temporary folders of two processes. */
@Default
class ProcessTempFolderIT {

  private static final long MAX_SECONDS = 60;

  @TempDir private Path temporary;

  /** Makes a folder with something in it, says so, and stays until its input ends. */
  static final class Neighbour {
    private Neighbour() {}

    public static void main(String[] parent) throws IOException {
      Path folder = ProcessTempFolder.make(Path.of(parent[0]));
      Files.writeString(Files.createDirectory(folder.resolve("broker")).resolve("file"), "");
      System.out.println(folder);
      System.out.flush();
      System.in.read();
    }
  }

  @Test
  void sweepsWhatAProcessLeftButNothingOfOneThatRuns() throws Exception {
    Path mine = ProcessTempFolder.make(temporary);
    Process neighbour =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Neighbour.class.getName(),
                temporary.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      Path others = Path.of(neighbour.inputReader().readLine());
      ProcessTempFolder.sweep(temporary, mine);
      assertThat(others.resolve("broker/file")).exists();

      neighbour.destroyForcibly();
      assertThat(neighbour.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(others.resolve("broker/file")).exists();
      ProcessTempFolder.sweep(temporary, mine);
      assertThat(others).doesNotExist();
      assertThat(mine).isDirectory();
    } finally {
      neighbour.destroyForcibly();
    }
  }
}
