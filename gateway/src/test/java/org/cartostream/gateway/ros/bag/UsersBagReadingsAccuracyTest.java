package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cartostream.gateway.ros.scan.RosRefusal;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Default;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bags as users have them, from {@code ../shared/inputs}: what of them is read, and what is said.
 */
@Default(computes = true)
class UsersBagReadingsAccuracyTest {

  /**
   * @param words what is said of it: its damage, and notices
   */
  private record Outcome(int scans, int usable, List<String> words, List<LogEntry> entries) {}

  private static Outcome read(String name) throws IOException {
    return read(name, Map.of());
  }

  private static Outcome read(String name, Map<String, String> settings) throws IOException {
    Path file = TestFiles.usersFile(name);
    try (BagLog log =
        BagLog.open(List.of(file), Settings.with(Settings.defaults(RosSettings.class), settings))) {
      List<LogEntry> entries = new ArrayList<>();
      log.forEachRemaining(entries::add);
      assertThat(entries).hasSize(log.scanCount());
      long usable = entries.stream().filter(LogEntry.Usable.class::isInstance).count();
      List<String> words = new ArrayList<>(log.notices());
      log.damage().ifPresent(words::add);
      return new Outcome(log.scanCount(), (int) usable, words, entries);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "c90_index_len.bag, 248",
    "c23_fixed_tf_1hz.bag, 248",
    "c21_static_late.bag, 248",
    "c87_tf_recorded_late.bag, 248",
    "c46_mcap_message_zstd.mcap, 248",
    "c01_ld19_varying.mcap, 248",
    "c05_upside_asym.bag, 248",
    "c20_static_two_conns.bag, 248",
    "c30_nan_tf.bag, 248",
    "c14_skew.bag, 272"
  })
  void isReadWholeWithoutAWord(String name, int scans) throws IOException {
    Outcome outcome = read(name);
    assertThat(outcome.usable()).isEqualTo(scans);
    assertThat(outcome.words()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "c42_zero_tail_none.bag, 179, zeros",
    "c41_killed_bz2.bag, 209, the recorder was killed",
    "c44_mcap_bad_chunk.mcap, 224, checksum",
    "c45_mcap_unchunked_idl.mcap, 248, was not closed in order"
  })
  void isReadAsFarAsItGoesAndSaysWhatIsWrong(String name, int atLeast, String word)
      throws IOException {
    Outcome outcome = read(name);
    assertThat(outcome.usable()).isGreaterThanOrEqualTo(atLeast);
    assertThat(outcome.words()).singleElement().asString().contains(word);
  }

  @ParameterizedTest
  @CsvSource("c73_two_runs_one_bag.bag")
  void endsWhereTheSameDriveComesAgain(String name) throws IOException {
    Outcome outcome = read(name);
    assertThat(outcome.usable()).isEqualTo(248);
    assertThat(outcome.entries().subList(248, 496))
        .allMatch(
            entry ->
                entry instanceof LogEntry.Refused refused
                    && refused.why().refusal() == RosRefusal.TIME_SET_BACK);
    assertThat(outcome.words())
        .singleElement()
        .asString()
        .contains("time was set back by 49.40 s at scan 249 of 496");
  }

  @Test
  void isReadByAMountThatIsSaidWhereNoTransformSaysIt() throws IOException {
    Outcome without = read("c22_static_missing.bag");
    assertThat(without.usable()).isZero();
    assertThat(without.entries().get(0).toString())
        .contains("no transform names 'laser'")
        .contains("--set ros.mount.frame=laser");

    Outcome with =
        read("c22_static_missing.bag", Map.of("mount.frame", "laser", "mount.xMetres", "0.1"));
    assertThat(with.usable()).isEqualTo(with.scans());
    assertThat(with.words()).singleElement().asString().contains("(0.100 m, 0.000 m)");
    LogEntry.Usable first = (LogEntry.Usable) with.entries().get(0);
    assertThat(first.reading().scan().mount()).isEqualTo(new Pose(0.1, 0, 0));
  }

  /** What the filter refuses of a bag, in its order. */
  private static List<Refusal> refusedByTheFilter(String name, Map<String, String> settings)
      throws IOException {
    ReadingFilter filter = new ReadingFilter(Settings.defaults(FilterSettings.class));
    List<Refusal> refusals = new ArrayList<>();
    for (LogEntry entry : read(name, settings).entries()) {
      if (filter.decide(entry.line(), ((LogEntry.Usable) entry).reading())
          instanceof ReadingFilter.Decision.Refuse refuse) {
        refusals.add(refuse.why().refusal());
      }
    }
    return refusals;
  }

  /** Its first turn of some 45 degrees begins with the 16th scan. */
  @Test
  void aMirroredScanIsFoundByItsFirstTurnsAndCuredByASetting() throws IOException {
    assertThat(refusedByTheFilter("c72_mirrored.bag", Map.of()))
        .hasSizeGreaterThan(248 - 50)
        .containsOnly(ReadingRefusal.MIRRORED_SCAN);
    assertThat(
            refusedByTheFilter(
                "c72_mirrored.bag", Map.of("mount.frame", "*", "mount.upsideDown", "true")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c05_upside_asym.bag",
        "c87_tf_recorded_late.bag",
        "c14_skew.bag",
        "c90_index_len.bag"
      })
  void aScanThatIsRightIsNotTakenForMirrored(String name) throws IOException {
    assertThat(refusedByTheFilter(name, Map.of())).isEmpty();
  }

  /** What the filter finds at last of a lag of the scans' stamps, seconds. */
  private static double lag(String name, Map<String, String> settings) throws IOException {
    ReadingFilter filter = new ReadingFilter(Settings.defaults(FilterSettings.class));
    double lag = 0;
    for (LogEntry entry : read(name, settings).entries()) {
      if (entry instanceof LogEntry.Usable usable
          && filter.decide(entry.line(), usable.reading())
              instanceof ReadingFilter.Decision.Accept accept) {
        lag = accept.step().lagSeconds();
      }
    }
    return lag;
  }

  /** What is taken off the stamps of scans that were right, they lack. */
  @ParameterizedTest
  @ValueSource(doubles = {-0.5, -0.2, 0.2, 0.5})
  void stampsThatAreOffAgainstOdometryAreFoundOut(double off) throws IOException {
    Map<String, String> settings = Map.of("laserLagSeconds", Double.toString(off));
    assertThat(lag("c05_upside_asym.bag", settings)).isCloseTo(-off, within(0.03));
    LogEntry.Usable right = (LogEntry.Usable) read("c05_upside_asym.bag").entries().get(100);
    LogEntry.Usable late =
        (LogEntry.Usable) read("c05_upside_asym.bag", settings).entries().get(100);
    assertThat(late.reading().stampNanos() - right.reading().stampNanos())
        .isEqualTo(Math.round(-off * 1e9));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c05_upside_asym.bag",
        "c87_tf_recorded_late.bag",
        "c21_static_late.bag",
        "c14_skew.bag",
        "c01_ld19_varying.mcap",
        "c44_mcap_bad_chunk.mcap"
      })
  void stampsThatAreRightAreNotTakenForLate(String name) throws IOException {
    assertThat(lag(name, Map.of())).isZero();
  }

  @Test
  void namesTheFramesThatMoveWhereTheUsualOnesAreNotThere() throws IOException {
    Outcome outcome = read("c79_odom_combined.bag");
    assertThat(outcome.usable()).isZero();
    assertThat(outcome.entries().get(0).toString())
        .contains("what moves is 'base_footprint' in 'odom_combined'")
        .contains("ros.baseFrame");

    Outcome named =
        read(
            "c79_odom_combined.bag",
            Map.of("baseFrame", "base_footprint", "odomFrame", "odom_combined"));
    assertThat(named.usable()).isEqualTo(named.scans());
  }

  /** Where the flat's walls are, by the scans of another drive from where the robot truly was. */
  private static Set<List<Long>> walls() throws IOException {
    Set<List<Long>> walls = new HashSet<>();
    for (double[] end : ends("c20_static_two_conns.bag", Map.of())) {
      for (long x = -3; x <= 3; x++) {
        for (long y = -3; y <= 3; y++) {
          walls.add(List.of(cell(end[0]) + x, cell(end[1]) + y));
        }
      }
    }
    return walls;
  }

  private static long cell(double metres) {
    return (long) Math.floor(metres / 0.05);
  }

  private static long millis(long nanos) {
    return Math.round(nanos / 1e6);
  }

  private static List<double[]> ends(String name, Map<String, String> settings) throws IOException {
    List<LogEntry> entries = read(name, settings).entries();
    Map<Long, Pose> truth = new HashMap<>();
    String trajectory = name.replaceAll("\\.[a-z]+$", ".truth.tum");
    for (StampedPose each : TumFile.read(TestFiles.usersFile(trajectory))) {
      truth.put(millis(each.stampNanos()), each.pose());
    }
    List<double[]> ends = new ArrayList<>();
    for (LogEntry entry : entries) {
      Reading reading = ((LogEntry.Usable) entry).reading();
      Scan scan = reading.scan();
      Pose laser = truth.get(millis(reading.stampNanos())).then(scan.mount());
      for (int i = 0; i < scan.beams(); i++) {
        if (scan.isHit(i)) {
          double angle = scan.startAngle() + i * scan.angleStep();
          double range = scan.ranges()[i];
          Pose end = laser.then(new Pose(range * Math.cos(angle), range * Math.sin(angle), 0));
          ends.add(new double[] {end.x(), end.y()});
        }
      }
    }
    return ends;
  }

  private static double shareOffWalls(Map<String, String> settings) throws IOException {
    Set<List<Long>> walls = walls();
    List<double[]> ends = ends("c14_skew.bag", settings);
    long off =
        ends.stream().filter(end -> !walls.contains(List.of(cell(end[0]), cell(end[1])))).count();
    return off / (double) ends.size();
  }

  /** A sweep takes 0.18 s while the robot turns by up to 1.7 rad/s. */
  @Test
  void isUndistortedWhereItsBeamsWereMeasuredOneAfterAnother() throws IOException {
    assertThat(shareOffWalls(Map.of())).isLessThan(0.005);
    assertThat(shareOffWalls(Map.of("undistortSweeps", "false"))).isGreaterThan(0.03);
  }

  /** The LD19's declares time from beam to beam, but all are measured at once. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "c01_ld19_varying.mcap",
        "c05_upside_asym.bag",
        "c20_static_two_conns.bag",
        "c45_mcap_unchunked_idl.mcap"
      })
  void isLeftAsItIsWhereItsBeamsWereMeasuredAtOnce(String name) throws IOException {
    List<LogEntry> as = read(name).entries();
    List<LogEntry> off = read(name, Map.of("undistortSweeps", "false")).entries();
    for (int i = 0; i < as.size(); i++) {
      Reading reading = ((LogEntry.Usable) as.get(i)).reading();
      Reading expected = ((LogEntry.Usable) off.get(i)).reading();
      assertThat(reading.scan().ranges()).isEqualTo(expected.scan().ranges());
      assertThat(reading.scan().startAngle()).isEqualTo(expected.scan().startAngle());
      assertThat(reading.odometry()).isEqualTo(expected.odometry());
    }
  }
}
