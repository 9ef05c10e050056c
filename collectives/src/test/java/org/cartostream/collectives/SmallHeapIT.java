package org.cartostream.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a member sends waits within its credit, however small the heap is. */
@Default
class SmallHeapIT {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"memory", "tcp", "shared-memory"})
  void aHeapOf64MbMoves1GbAndLosesNothing(String transport) throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                SmallHeap.class.getName(),
                transport)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
      assertThat(Files.readString(output)).endsWith("1024000000 bytes came\n");
    } finally {
      process.destroyForcibly();
    }
  }
}
