package org.cartostream.slam.trajectory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class TumFileTest {

  private static final Pose HALF_LEFT = new Pose(1.5, -2, Math.PI / 2);

  @TempDir private Path folder;

  @Test
  void writesTheLineThatWasWorkedOutByHand() {
    // sin 45° = cos 45° = 0.7071067811865...
    assertThat(TumFile.line(new StampedPose(976_052_890_244_111_001L, HALF_LEFT)))
        .isEqualTo("976052890.244111001 1.500000000 -2.000000000 0 0 0 0.707106781 0.707106781");
  }

  @Test
  void writesPointsAndNoCommasWhateverTheCountry() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(TumFile.line(new StampedPose(0, HALF_LEFT))).doesNotContain(",");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Property
  void readsWhatItWrote(
      @ForAll @LongRange(min = -1_000_000_000_000L) long stamp,
      @ForAll @DoubleRange(min = -1e5, max = 1e5) double x,
      @ForAll @DoubleRange(min = -1e5, max = 1e5) double y,
      @ForAll @DoubleRange(min = -3.14, max = 3.14) double theta)
      throws IOException {
    Path file = Files.createTempFile("trajectory", ".tum");
    try {
      TumFile.write(file, List.of(new StampedPose(stamp, new Pose(x, y, theta))));
      StampedPose read = TumFile.read(file).get(0);
      assertThat(read.stampNanos()).isEqualTo(stamp);
      assertThat(read.pose().x()).isCloseTo(x, within(1e-9));
      assertThat(read.pose().y()).isCloseTo(y, within(1e-9));
      assertThat(read.pose().theta()).isCloseTo(theta, within(1e-8));
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void readsTheHeadingOfATiltedPose() throws IOException {
    // (1, 1, 0, 0) is half a turn about the diagonal of x and y: it takes the x axis to the y axis.
    Path file = Files.writeString(folder.resolve("t.tum"), "# t x y z\n\n1 0 0 5 1 1 0 0\n");

    assertThat(TumFile.read(file).get(0).pose().theta()).isCloseTo(Math.PI / 2, within(1e-12));
  }

  @Test
  void refusesALineThatIsNoPoseAndNamesIt() throws IOException {
    Path cut = Files.writeString(folder.resolve("cut.tum"), "1 0 0 0 0 0 0 1\n2 0 0\n");
    Path zero = Files.writeString(folder.resolve("zero.tum"), "1 0 0 0 0 0 0 0\n");

    assertThatThrownBy(() -> TumFile.read(cut))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("cut.tum, line 2: no pose: the line ends before z");
    assertThatThrownBy(() -> TumFile.read(zero))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("zero.tum, line 1: no pose: the pose is not finite");
  }

  @Test
  void namesOtherFormatsAndWhatWouldMakeThemOne() throws IOException {
    Path kitti = Files.writeString(folder.resolve("00.txt"), "1 0 0 0.5 0 1 0 0 0 0 1 0\n");
    Path euroc =
        Files.writeString(
            folder.resolve("data.csv"), "#timestamp [ns],p_x\n1403636579758555392,1,2,3,1,0,0,0\n");

    assertThatThrownBy(() -> TumFile.read(kitti))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("00.txt, line 1: no pose: it has 12 numbers, as KITTI's poses; TUM's")
        .hasMessageContaining("put the times before them");
    assertThatThrownBy(() -> TumFile.read(euroc))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("data.csv, line 2: no pose: stamp is \"1403636579758555392,...\"")
        .hasMessageContaining("divide the first column by 1e9");
  }

  /** TUM's own file is called groundtruth.txt; editors write a byte order mark. */
  @Test
  void isToldByItsContent() throws IOException {
    Path folder = Files.createTempDirectory("tum");
    Path text =
        Files.writeString(folder.resolve("truth.txt"), "\uFEFF# t x y\n1.5 1 2 0 0 0 0 1\n");
    Path marked = Files.writeString(folder.resolve("marked"), "\uFEFF1.5 1 2 0 0 0 0 1\n");
    Path log = Files.writeString(folder.resolve("log.tum"), "FLASER 1 2 0 0 0 0 0 0 1 a 1\n");
    assertThat(TumFile.isTrajectory(text)).isTrue();
    assertThat(TumFile.read(text)).hasSize(1);
    assertThat(TumFile.isTrajectory(marked)).isTrue();
    assertThat(TumFile.read(marked)).hasSize(1);
    assertThat(TumFile.isTrajectory(log)).isFalse();
  }
}
