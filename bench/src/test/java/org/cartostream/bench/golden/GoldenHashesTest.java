package org.cartostream.bench.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the hashes of a run depend on. */
@Quick
class GoldenHashesTest {

  @TempDir private Path folder;

  private GoldenHashes hashes(String trajectory, String cells, String description)
      throws IOException {
    Files.writeString(folder.resolve("trajectory.tum"), trajectory);
    Files.writeString(folder.resolve("map.pgm"), cells);
    Files.writeString(folder.resolve("map.yaml"), description);
    return GoldenHashes.of(folder, List.of(new StampedPose(1_500_000_000L, Pose.ORIGIN)));
  }

  /** That of "abc" is FIPS 180's example; that of "P" comes from sha256sum. */
  @Test
  void areSha256() throws IOException {
    assertThat(hashes("abc", "P", "image: map.pgm\n"))
        .isEqualTo(
            new GoldenHashes(
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "5c62e091b8c0565f1bafad0dad5934276143ae2ccef7a5381e8ada5b1a8d26d2",
                "791dee09e147946dc50789dd51fb239755f36abbc55526077a7463af2353b981"));
  }

  @Test
  void dependOnWhereTheCellsLieAndNotOnThresholds() throws IOException {
    String map = hashes("t", "P5", "resolution: 1\norigin: [0, 0, 0]\nnegate: 0\n").map();
    assertThat(hashes("t", "P5", "resolution: 1\norigin: [0, 0, 0]\nnegate: 1\n").map())
        .isEqualTo(map);
    assertThat(hashes("t", "P5", "resolution: 1\norigin: [1, 0, 0]\nnegate: 0\n").map())
        .isNotEqualTo(map);
    assertThat(hashes("t", "P5", "resolution: 2\norigin: [0, 0, 0]\nnegate: 0\n").map())
        .isNotEqualTo(map);
    assertThat(hashes("t", "P6", "resolution: 1\norigin: [0, 0, 0]\nnegate: 0\n").map())
        .isNotEqualTo(map);
  }
}
