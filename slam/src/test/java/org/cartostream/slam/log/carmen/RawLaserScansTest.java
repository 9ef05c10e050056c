package org.cartostream.slam.log.carmen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.eval.EvaluationException;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.WrittenLog;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans that do not tell where they were taken, beside odometry that does. */
@Quick
class RawLaserScansTest extends WrittenLog {

  private static final double NANOS_PER_SECOND = 1e9;

  /** Where the laser of {@code office.clf} is on its robot: its lines say so. */
  private static final String PLACE = "PARAM robot_frontlaser_offset 0.1 0 host 0\n";

  private static String odom(double seconds, Pose pose) {
    return String.format(
        Locale.ROOT,
        "ODOM %.6f %.6f %.6f 0 0 0 %.3f host 0\n",
        pose.x(),
        pose.y(),
        pose.theta(),
        seconds);
  }

  private static String raw(String seconds) {
    return "RAWLASER1 0 -0.5 1 0.25 10 0.01 0 2 1 2 2 0.7 0.8 " + seconds + " host 0\n";
  }

  private Refusal.Reason refusal(String log) throws IOException {
    LogEntry entry = entries(write(log)).get(0);
    assertThat(entry).isInstanceOf(LogEntry.Refused.class);
    return ((LogEntry.Refused) entry).why();
  }

  private List<String> notices(String text) throws IOException {
    try (LaserLog log = CarmenLog.open(write(text), CarmenSettings.defaults())) {
      return log.notices();
    }
  }

  @Test
  void haveTheOdometryOfTheirStampAndTheirOwnAnglesAndRange() throws IOException {
    String before = odom(7, new Pose(1, 2, 3.1));
    String after = odom(7.5, new Pose(2, 4, -3.1));

    // The odometry may stand anywhere in the file.
    List<LogEntry> entries = entries(write(raw("7.125") + after + before + raw("7.5") + raw("7")));

    assertThat(entries).extracting(LogEntry::line).containsExactly(1, 4, 5);
    Reading reading = ((LogEntry.Usable) entries.get(0)).reading();
    assertThat(reading.stampNanos()).isEqualTo(7_125_000_000L);
    assertThat(reading.odometry().x()).isCloseTo(1.25, within(1e-9));
    assertThat(reading.odometry().y()).isCloseTo(2.5, within(1e-9));
    double shortWay = 2 * Math.PI - 6.2;
    assertThat(reading.odometry().theta()).isCloseTo(3.1 + shortWay / 4, within(1e-9));
    Scan scan = reading.scan();
    assertThat(scan.mount()).isEqualTo(Pose.ORIGIN);
    assertThat(scan.startAngle()).isEqualTo(-0.5);
    assertThat(scan.angleStep()).isEqualTo(0.25);
    assertThat(scan.maxRange()).isEqualTo(10);
    assertThat(scan.ranges()).containsExactly(1, 2);
    assertThat(((LogEntry.Usable) entries.get(1)).reading().odometry())
        .isEqualTo(new Pose(2, 4, -3.1));
    assertThat(((LogEntry.Usable) entries.get(2)).reading().odometry())
        .isEqualTo(new Pose(1, 2, 3.1));
  }

  @ParameterizedTest
  @CsvSource({
    "6.9, '6.90 s, lies 0.10 s before the first ODOM line''s'",
    "11.25, '11.25 s, lies 0.25 s after the last ODOM line''s'",
    "8.5, '8.50 s, lies in a gap of 1.01 s between ODOM lines, 0.51 m and 0.00 rad apart'",
  })
  void areRefusedWhereNothingTellsOfTheirTime(String stamp, String detail) throws IOException {
    String odometry =
        odom(7, Pose.ORIGIN)
            + odom(8, Pose.ORIGIN)
            + odom(9.01, new Pose(0.51, 0, 0))
            + odom(10, new Pose(0.51, 0, 0))
            + odom(11, new Pose(0.51, 0, 0));

    Refusal.Reason why = refusal(odometry + raw(stamp));

    assertThat(why.refusal()).isEqualTo(ReadingRefusal.NO_ODOMETRY);
    assertThat(why.detail()).isEqualTo("its stamp, " + detail);
  }

  @Test
  void mayHaveAWholeSecondBetweenTheOdometryAroundThem() throws IOException {
    String odometry = odom(7, Pose.ORIGIN) + odom(8, new Pose(1, 0, 0));

    assertThat(readings(odometry + raw("7.5")).get(0).odometry()).isEqualTo(new Pose(0.5, 0, 0));
  }

  /** A base that tells its odometry once in a second or so, and one that stands. */
  @Test
  void mayHaveFiveSecondsBetweenTheOdometryAroundThemIfTheRobotHardlyMoved() throws IOException {
    String before = odom(7, new Pose(0, 0, 3));
    String after = odom(12, new Pose(0, 0.5, -3));

    Pose pose = readings(before + after + raw("9.5")).get(0).odometry();

    assertThat(pose.y()).isCloseTo(0.25, within(1e-9));
    assertThat(Math.abs(pose.theta())).isCloseTo(Math.PI, within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({
    "12.01, 0, 0, 'a gap of 5.01 s between ODOM lines, 0.00 m and 0.00 rad apart'",
    "8.3, 0.52, 0, 'a gap of 1.30 s between ODOM lines, 0.52 m and 0.00 rad apart'",
    "8.3, 0, -0.32, 'a gap of 1.30 s between ODOM lines, 0.00 m and 0.32 rad apart'",
  })
  void areRefusedInALongGapElse(double until, double x, double theta, String where)
      throws IOException {
    String odometry = odom(7, Pose.ORIGIN) + odom(until, new Pose(x, 0, theta));

    assertThat(refusal(odometry + raw("7.5")).detail()).endsWith("lies in " + where);
  }

  /** Halfway between the ends of a leap the robot was never, and one leap would be two. */
  @Test
  void haveTheNearerOdometryWhereItWasStartedAnew() throws IOException {
    Pose end = new Pose(20, 5, 1);
    Pose start = new Pose(0.1, 0, 0);
    String odometry = odom(7, end) + odom(7.5, start);

    List<Reading> readings = readings(odometry + raw("7.1") + raw("7.25") + raw("7.3"));

    assertThat(readings).extracting(Reading::odometry).containsExactly(end, end, start);
  }

  /** 5 m/s, and half a metre: a car on a campus is believed. */
  @Test
  void haveTheOdometryBetweenTheLinesOfAFastRobot() throws IOException {
    String odometry = odom(7, Pose.ORIGIN) + odom(7.5, new Pose(3, 0, 0));

    assertThat(readings(odometry + raw("7.25")).get(0).odometry()).isEqualTo(new Pose(1.5, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RAWLASER1 0 -0.5 1 0.25 10 0.01 0 2 1 2 2 0.7 0.8 7 host",
        "RAWLASER1 0 -0.5 1 0.25 10 0.01 0 2 1 2 2 0.7 7 host 0",
        "RAWLASER1 0 -0.5 1 0.25 10 0.01 0 2 1",
      })
  void areRefusedIfTheirLineWasCutOff(String line) throws IOException {
    assertThat(refusal(odom(7, Pose.ORIGIN) + line).refusal())
        .isEqualTo(ReadingRefusal.TOO_FEW_NUMBERS);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0, 0, 0",
    "'robot_frontlaser_offset 0.2', 0.2, 0, 0",
    "'robot_frontlaser_offset 0.2;robot_frontlaser_offset 0.3', 0.3, 0, 0",
    "'robot_frontlaser_offset 0.2;robot_frontlaser_side_offset -0.1', 0.2, -0.1, 0",
    "'robot_frontlaser_offset 0;robot_frontlaser_angular_offset 1.5', 0, 0, 1.5",
    "'robot_frontlaser_offset 0.2;robot_rearlaser_offset -0.4', 0.2, 0, 0",
    "'robot_frontlaser_id 2;robot_rearlaser_id 1;robot_rearlaser_offset -0.4', -0.4, 0, 0",
    "'robot_frontlaser_use on;robot_frontlaser_offset none', 0, 0, 0",
  })
  void areMountedWhereTheLogsParametersSay(String parameters, double x, double y, double theta)
      throws IOException {
    StringBuilder log = new StringBuilder(odom(7, Pose.ORIGIN));
    for (String parameter : parameters.split(";")) {
      log.append("PARAM ").append(parameter).append(" 0 host 0\n");
    }

    assertThat(readings(log + raw("7")).get(0).scan().mount()).isEqualTo(new Pose(x, y, theta));
  }

  @Test
  void sayWhatIsNotKnownOfTheirLaserAndOfTheOdometry() throws IOException {
    String odometry = odom(7, Pose.ORIGIN);
    String damaged = "ODOM 1 2 nan 0 0 0 7 host 0\nODOM 1 2 3 0 0 0 7 host\n";

    assertThat(notices(PLACE + odometry + raw("7"))).isEmpty();
    assertThat(notices(odometry + damaged + raw("7")))
        .satisfiesExactly(
            place ->
                assertThat(place)
                    .contains("no PARAM robot_frontlaser_offset", "'PARAM robot_frontlaser_offset"),
            lines ->
                assertThat(lines)
                    .startsWith("2 of 3 ODOM lines cannot be read, the first is line 2:"));
  }

  @Test
  void areNoLogWithoutOdometry() throws IOException {
    Path none = write(raw("7"));
    assertThatThrownBy(() -> CarmenLog.open(none, CarmenSettings.defaults()))
        .isInstanceOf(FileFormatException.class)
        .hasMessageEndingWith(
            "test.clf has RAWLASER1 scans, which do not tell where they were taken, and no ODOM"
                + " lines that do");

    Path unreadable = write("ODOM 1 2 3 0 0 0 7 host\n" + raw("7"));
    assertThatThrownBy(() -> CarmenLog.open(unreadable, CarmenSettings.defaults()))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("(1 of 1 ODOM lines cannot be read, the first is line 1: ")
        .hasMessageContaining("5 fields follow the pose; 6 are needed");
  }

  @Test
  void arePassedOverBesideScansThatTellTheirPose() throws IOException {
    String raw = odom(7, Pose.ORIGIN) + raw("7");

    for (String posed : List.of(ROBOTLASER + "\n", FLASER + "\n")) {
      for (String log : List.of(raw + posed + raw, posed + raw + raw)) {
        List<LogEntry> entries = entries(write(log));
        assertThat(entries).hasSize(1);
        assertThat(((LogEntry.Usable) entries.get(0)).reading().odometry().x()).isEqualTo(1);
        assertThat(notices(log))
            .last()
            .isEqualTo(
                "2 RAWLASER1 lines are passed over: the 1 lines of FLASER or ROBOTLASER1 tell their"
                    + " poses themselves");
      }
    }
  }

  /** As a comment that begins with the word, or a line that was cut off. */
  @ParameterizedTest
  @ValueSource(strings = {"FLASER", "FLASER was off\n", "ROBOTLASER1 0 -0.5 1 0.25 10\n"})
  void areNotSilencedByALineThatCannotBeRead(String broken) throws IOException {
    String log = PLACE + broken.strip() + "\n" + odom(7, Pose.ORIGIN) + raw("7");

    List<LogEntry> entries = entries(write(log + broken));

    assertThat(entries).hasSize(1);
    assertThat(entries.get(0)).isInstanceOf(LogEntry.Usable.class);
    assertThat(notices(log))
        .containsExactly(
            "1 lines of FLASER or ROBOTLASER1 are passed over: none of them can be read, and"
                + " RAWLASER1 lines are there");
  }

  /** CARMEN's logger writes both of a scan; a log may have lost the one that knows its pose. */
  @Test
  void giveNearlyThePathOfTheSameLogWithPoses() throws IOException, EvaluationException {
    List<String> lines = Files.readAllLines(office()).subList(0, 80);
    List<Reading> posed = readings(String.join("\n", lines));

    List<Reading> paired = readings(asRaw(lines, posed));

    assertThat(paired).hasSameSizeAs(posed);
    for (int i = 0; i < posed.size(); i++) {
      Reading reading = paired.get(i);
      assertThat(reading.stampNanos()).isEqualTo(posed.get(i).stampNanos());
      // Where the robot speeds up between two lines, the way between them is a little shorter.
      assertThat(reading.odometry().distance(posed.get(i).odometry())).isLessThan(0.02);
      assertThat(reading.scan().mount().distance(posed.get(i).scan().mount())).isLessThan(1e-4);
      assertThat(reading.scan().ranges()).isEqualTo(posed.get(i).scan().ranges());
    }
    TrajectoryError apart = TrajectoryError.of(path(paired), path(posed));
    assertThat(apart.matched()).isEqualTo(posed.size());
    assertThat(apart.rmseMetres()).as("0.021 m; another seed makes 0.022 m").isLessThan(0.04);
  }

  /** The same log as its driver and its base wrote it, each by its own clock's beat. */
  private static String asRaw(List<String> lines, List<Reading> posed) {
    StringBuilder log = new StringBuilder(PLACE);
    double first = posed.get(0).stampNanos() / NANOS_PER_SECOND;
    double last = posed.get(posed.size() - 1).stampNanos() / NANOS_PER_SECOND;
    for (double at = first - 0.03; at < last + 0.1; at += 0.1) {
      log.append(odom(at, odometryAt(at, posed)));
    }
    for (String line : lines) {
      // Behind the remissions come two poses and five numbers, then what ends both kinds of lines.
      String[] words = line.split(" ");
      List<String> kept = new ArrayList<>(List.of(words).subList(0, words.length - 14));
      kept.set(0, "RAWLASER1");
      kept.addAll(List.of(words).subList(words.length - 3, words.length));
      log.append(String.join(" ", kept)).append('\n');
    }
    return log.toString();
  }

  /** By the odometry of the scans before and after; where there is none, the robot stands. */
  private static Pose odometryAt(double seconds, List<Reading> readings) {
    double nanos = seconds * NANOS_PER_SECOND;
    int after = 0;
    while (after < readings.size() - 1 && readings.get(after).stampNanos() < nanos) {
      after++;
    }
    Reading b = readings.get(after);
    Reading a = readings.get(Math.max(0, after - 1));
    double span = Math.max(1, b.stampNanos() - a.stampNanos());
    double share = Math.max(0, Math.min(1, (nanos - a.stampNanos()) / span));
    return a.odometry().towards(b.odometry(), share);
  }

  private static List<StampedPose> path(List<Reading> readings) {
    FilterSettings settings = Settings.build(FilterSettings.class, Map.of("particles", "30"));
    SerialFilter filter = new SerialFilter(settings, "office");
    for (int k = 0; k < readings.size(); k++) {
      assertThat(filter.process(k + 1, readings.get(k)))
          .isInstanceOf(SerialFilter.Result.Processed.class);
    }
    return filter.trajectoryTree().bestPath().path().stream()
        .map(pose -> new StampedPose(pose.stampNanos(), pose.pose()))
        .toList();
  }

  private static Path office() {
    String root = System.getProperty("cartostream.root", "..");
    return Path.of(root).resolve("datasets/office.clf");
  }

  private List<Reading> readings(String log) throws IOException {
    return entries(write(log)).stream()
        .map(
            entry -> {
              assertThat(entry).isInstanceOf(LogEntry.Usable.class);
              return ((LogEntry.Usable) entry).reading();
            })
        .toList();
  }
}
