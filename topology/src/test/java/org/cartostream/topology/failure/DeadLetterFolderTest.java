package org.cartostream.topology.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.cartostream.checkpoint.DirectoryStore;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload.Arrival;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class DeadLetterFolderTest {

  @TempDir private Path folder;

  private static Arrival.OfReading reading(long number) {
    Scan scan = new Scan(Pose.ORIGIN, -1, 0.5, 0.1, 8, new float[] {1.5f, Float.NaN});
    return new Arrival.OfReading(
        new Run("r1", 77, 0), number, new Reading(123, new Pose(1, 2, 3), scan), 0, null, null);
  }

  @Test
  void theFileHasTheReadingAndWhatFailed() throws Exception {
    Path made = folder.resolve("checkpoint");
    new DeadLetterFolder(Optional.of(new DirectoryStore(made)), Runnable::run)
        .keep(reading(5), "it failed");
    JsonNode content = new ObjectMapper().readTree(made.resolve("failed-r1-5.json").toFile());
    assertThat(content.get("failure").asText()).isEqualTo("it failed");
    assertThat(content.at("/reading/odometry/y").asDouble()).isEqualTo(2);
    assertThat(content.at("/reading/scan/ranges/0").asDouble()).isEqualTo(1.5);
    assertThat(content.at("/reading/scan/ranges/1").asText()).isEqualTo("NaN");
  }

  /** A robot that has no answer sends it again and again. */
  @Test
  void aReadingIsWrittenOnce() throws Exception {
    DeadLetterFolder deadLetterFolder =
        new DeadLetterFolder(Optional.of(new DirectoryStore(folder)), Runnable::run);
    deadLetterFolder.keep(reading(5), "it failed");
    Files.delete(folder.resolve("failed-r1-5.json"));
    deadLetterFolder.keep(reading(5), "it failed");
    assertThat(folder).isEmptyDirectory();
  }

  /** A robot at whose every reading the service fails fills no disk. */
  @Test
  void soManyFilesAreKeptAndNoMore() throws Exception {
    DeadLetterFolder deadLetterFolder =
        new DeadLetterFolder(Optional.of(new DirectoryStore(folder)), Runnable::run);
    for (int number = 1; number <= DeadLetterFolder.MAX_FILES + 10; number++) {
      deadLetterFolder.keep(reading(number), "it failed");
    }
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(DeadLetterFolder.MAX_FILES);
    }
  }

  @Test
  void withoutAFolderNothingIsKept() {
    new DeadLetterFolder(Optional.empty(), Runnable::run).keep(reading(1), "it failed");
    assertThat(folder).isEmptyDirectory();
  }
}
