package org.cartostream.slam.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.log.text.G2oLog;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class MergedLogTest extends WrittenLog {

  private static final long SECOND = 1_000_000_000L;

  private Path log(String name, int first, int last) throws IOException {
    String text =
        IntStream.rangeClosed(first, last)
            .mapToObj(i -> FLASER.replace("12.25 ", i + " "))
            .collect(Collectors.joining("\n", "", "\n"));
    return Files.writeString(folder.resolve(name), text);
  }

  private static LaserLog open(List<Path> files) throws IOException {
    return CarmenLog.format(
            Settings.with(CarmenSettings.defaults(), Map.of("flaserDegrees", "180")))
        .open(files);
  }

  private static List<Long> seconds(LaserLog log) {
    List<Long> seconds = new ArrayList<>();
    log.forEachRemaining(
        each -> seconds.add(((LogEntry.Usable) each).reading().stampNanos() / SECOND));
    return seconds;
  }

  @Test
  void isInTheOrderOfTheStampsWhateverTheOrderOfTheFiles() throws IOException {
    List<Path> files = new ArrayList<>(List.of(log("a", 1, 4), log("c", 9, 12), log("b", 5, 8)));
    for (int i = 0; i < files.size(); i++) {
      Collections.rotate(files, 1);
      try (LaserLog log = open(files)) {
        assertThat(log.scanCount()).isEqualTo(12);
        assertThat(log.notices()).isEmpty();
        assertThat(seconds(log)).isEqualTo(upTo(12));
      }
    }
  }

  @Test
  void takesAScanThatTwoFilesHaveOnceAndSaysSo() throws IOException {
    try (LaserLog log = open(List.of(log("late", 4, 9), log("early", 1, 6)))) {
      assertThat(log.scanCount()).isEqualTo(9);
      assertThat(log.notices())
          .containsExactly("3 scans are in several of the files, and are taken once");
      assertThat(seconds(log)).isEqualTo(upTo(9));
    }
  }

  @Test
  void namesTheFileThatIsDamaged() throws IOException {
    Path cut = log("cut", 1, 2);
    Files.writeString(cut, "FLASER 3 1", StandardOpenOption.APPEND);
    try (LaserLog log = open(List.of(cut, log("whole", 3, 4)))) {
      assertThat(log.damage())
          .contains("cut: the file ends inside line 3; the 2 lines before it are read");
      assertThat(log.scanCount()).isEqualTo(5);
    }
  }

  @Test
  void refusesPoseGraphs() throws IOException {
    Path graph = write("VERTEX_SE2 0 0 0 0\n" + FLASER);
    LogFormat graphs = G2oLog.format(CarmenSettings.defaults());
    assertThatThrownBy(() -> graphs.open(List.of(graph, graph)))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining(graph + " is a pose graph");
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }
}
