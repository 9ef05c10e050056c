package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class CarmenLogWriterTest {

  @TempDir private Path folder;

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    float[] ranges = {1.25f, 7.5f, 81.83f};
    Pose mount = new Pose(0.1, 0, 0);
    Scan scan = new Scan(mount, -0.5, 0.25, 0.01, 50, ranges);
    Reading written = new Reading(976_052_857_337_530_000L, new Pose(1.5, -2.25, 3), scan);
    StampedPose truth = new StampedPose(written.stampNanos(), new Pose(1, 2, 0.5));

    new Recording(List.of(written), List.of(truth)).write(folder, "my");
    Recording read =
        Recording.read(
            CarmenLog.open(folder.resolve("my.clf"), CarmenSettings.defaults()),
            folder.resolve("my.reference.tum"));

    Reading reading = read.readings().get(0);
    assertThat(reading.stampNanos()).isEqualTo(written.stampNanos());
    assertThat(reading.odometry()).isEqualTo(written.odometry());
    assertThat(reading.scan().ranges()).containsExactly(ranges);
    assertThat(reading.scan().startAngle()).isEqualTo(-0.5);
    assertThat(reading.scan().angleStep()).isEqualTo(0.25);
    assertThat(reading.scan().maxRange()).isEqualTo(50);
    assertThat(reading.scan().mount().distance(mount)).isCloseTo(0, within(2e-6));
    assertThat(read.reference().get(0).stampNanos()).isEqualTo(truth.stampNanos());
    assertThat(read.reference().get(0).pose().distance(truth.pose())).isCloseTo(0, within(1e-9));
  }

  @Test
  void aNameOfSeveralWordsIsNoReasonNotToReadIt() throws IOException {
    Scan scan = new Scan(Pose.ORIGIN, -0.5, 0.25, 0.01, 50, new float[] {1, 2});
    Reading written = new Reading(1_000_000_000L, Pose.ORIGIN, scan);
    StampedPose truth = new StampedPose(written.stampNanos(), Pose.ORIGIN);

    new Recording(List.of(written), List.of(truth)).write(folder, "my first log");

    Path log = folder.resolve("my first log.clf");
    Path reference = folder.resolve("my first log.reference.tum");
    assertThat(Recording.read(CarmenLog.open(log, CarmenSettings.defaults()), reference).readings())
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {4, 4.095, 5.6, 8.1, 29.9})
  void whatMetNothingMeetsNothingWhenItIsReadAgain(double maximum) throws IOException {
    float[] ranges = {1.25f, (float) maximum, 90};
    Scan scan = new Scan(Pose.ORIGIN, -0.5, 0.25, 0.01, maximum, ranges);
    Reading written = new Reading(1_000_000_000L, Pose.ORIGIN, scan);
    StampedPose truth = new StampedPose(written.stampNanos(), Pose.ORIGIN);

    new Recording(List.of(written), List.of(truth)).write(folder, "far");
    Recording read =
        Recording.read(
            CarmenLog.open(folder.resolve("far.clf"), CarmenSettings.defaults()),
            folder.resolve("far.reference.tum"));

    Scan again = read.readings().get(0).scan();
    assertThat(again.isHit(0)).isTrue();
    assertThat(again.isMiss(1)).isTrue();
    assertThat(again.isMiss(2)).isTrue();
  }
}
