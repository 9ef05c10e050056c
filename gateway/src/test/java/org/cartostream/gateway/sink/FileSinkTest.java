package org.cartostream.gateway.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewayException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class FileSinkTest {

  @TempDir private Path folder;

  @Test
  void writesTheMapAsItComesAndEverythingAtTheEnd() throws IOException {
    Path out = folder.resolve("a/b");
    FileSink sink = new FileSink(out);
    sink.map(FakeService.MAP);
    assertThat(out.toFile().list()).containsExactlyInAnyOrder("map.pgm", "map.yaml");
    sink.end(FakeService.MAP, List.of(new PathPose(1, 1_500_000_000L, new Pose(1, 2, 0))));
    assertThat(out.toFile().list())
        .containsExactlyInAnyOrder("map.pgm", "map.yaml", "map.png", "trajectory.tum");
    assertThat(out.resolve("trajectory.tum"))
        .hasContent("1.500000000 1.000000000 2.000000000 0 0 0 0.000000000 1.000000000");
  }

  @Test
  void takesTheEmptyMapAndPathOfARunWithoutReadings() throws IOException {
    FileSink sink = new FileSink(folder);
    sink.end(new OccupancyGrid(0, 0, 0.05, 0, 0, new byte[0]), List.of());
    assertThat(folder.resolve("trajectory.tum")).isEmptyFile();
  }

  @Test
  void writesThePathOfARunWithoutAMap() throws IOException {
    FileSink sink = new FileSink(folder);
    sink.end(List.of(new PathPose(1, 1_500_000_000L, new Pose(1, 2, 0))));
    assertThat(folder.toFile().list()).containsExactly("trajectory.tum");
  }

  @Test
  void saysAtOnceThatAFolderCannotBeWritten() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> new FileSink(file.resolve("out")))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining(file.resolve("out").toString())
        .hasMessageContaining("cannot be written");
  }
}
