package org.cartostream.slam.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.RelativePose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Quick
class RelationsFileTest {

  @TempDir private Path folder;

  private List<RelativePose> read(String text) throws IOException {
    return RelationsFile.read(Files.writeString(folder.resolve("test.relations"), text));
  }

  @Test
  void readsRelationsAsSeenFromAbove() throws IOException {
    List<RelativePose> relativePoses =
        read("# t1 t2\n\n1.5 2 3 -4 9 0.1 0.2 7\n2 1 0 0 nan inf 0 0\n");

    assertThat(relativePoses).hasSize(2);
    RelativePose first = relativePoses.get(0);
    assertThat(first.fromNanos()).isEqualTo(1_500_000_000L);
    assertThat(first.toNanos()).isEqualTo(2_000_000_000L);
    assertThat(first.motion().distance(new Pose(3, -4, 0))).isZero();
    assertThat(first.motion().theta()).isCloseTo(7 - 2 * Math.PI, within(1e-12));
    assertThat(relativePoses.get(1))
        .isEqualTo(new RelativePose(2_000_000_000L, 1_000_000_000L, Pose.ORIGIN));
  }

  @ParameterizedTest
  @CsvSource({"nan 0 0 0 0 0", "0 inf 0 0 0 0", "0 0 0 0 0 -inf", "0 0 0 0 0 nan"})
  void refusesAMotionThatIsNotFiniteAndNamesItsLine(String motion) {
    assertThatThrownBy(() -> read("1 2 0 0 0 0 0 0\n1 2 " + motion + "\n"))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("test.relations, line 2: no relation: the motion is not finite")
        .hasMessageEndingWith("t1 t2 dx dy dz roll pitch yaw is needed");
  }

  @Test
  void refusesALineThatIsNoRelationAndAFileWithoutAny() {
    assertThatThrownBy(() -> read("1 2 0 0 0 0 0\n"))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("test.relations, line 1: no relation: the line ends before yaw");
    assertThatThrownBy(() -> read("# nothing\n"))
        .isInstanceOf(FileFormatException.class)
        .hasMessageEndingWith("test.relations holds no relations");
  }
}
