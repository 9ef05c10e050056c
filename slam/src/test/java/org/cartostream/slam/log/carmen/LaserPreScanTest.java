package org.cartostream.slam.log.carmen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.WrittenLog;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What many lines of a log say of its laser, and a single one does not. */
@Quick
class LaserPreScanTest extends WrittenLog {

  private static final String[] WAY = {"0 0 0", "1 0 0.5", "1.5 1 1.5", "1 2 3", "0 2 -2.5"};

  @Test
  void takesMaximumReadingsForMissesAndFarHitsForHits() throws IOException {
    Scan scan = only("FLASER 5 0 49.91 50 81.83 nan 0 0 0 0 0 0 1 robot 1").scan();

    assertThat(scan.isHit(0) || scan.isMiss(0)).as("0 says nothing").isFalse();
    assertThat(scan.isHit(1)).isTrue();
    assertThat(scan.isMiss(2)).isTrue();
    assertThat(scan.isMiss(3)).isTrue();
    assertThat(scan.isHit(4) || scan.isMiss(4)).as("nan says nothing").isFalse();
  }

  /** Such as 16, another error, or 19, a step that cannot be measured, in millimetres. */
  @ParameterizedTest
  @ValueSource(strings = {"0.001", "0.016", "0.019"})
  void takesAnErrorCodeOfAHokuyoForNoWall(String code) throws IOException {
    String range = " " + code + " 0.02 ";
    Scan front = only("FLASER 2" + range + "0 0 0 0 0 0 1 robot 1").scan();
    Scan robot = only(ROBOTLASER.replace(" 1 2 0 1", range + "0 1")).scan();

    for (Scan scan : List.of(front, robot)) {
      assertThat(scan.isHit(0) || scan.isMiss(0)).isFalse();
      assertThat(scan.isHit(1)).as("0.02, the least that it measures").isTrue();
    }
  }

  /** A laser that sees 8 m: its log marks by 8.18 that it met nothing, and 8.19 is an error. */
  @Test
  void takesTheLargestReadingForAMissIfManyBeamsHaveIt() throws IOException {
    String open = " 8.18 8.18 8.18 8.18 8.18 8.17 2";

    List<LogEntry> entries =
        entries(write(flaser(" 8.18 8.19 1 2 3 4 2") + "\n" + flaser(open) + "\n"));

    Scan before = scan(entries, 0);
    assertThat(before.isMiss(0)).as("8.18, before it was known").isTrue();
    assertThat(before.isMiss(1)).as("8.19").isTrue();
    Scan scan = scan(entries, 1);
    assertThat(scan.isMiss(4)).as("8.18").isTrue();
    assertThat(scan.isHit(5)).as("8.17").isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "8.18 8.18 8.18 8.18 8.18 8.19 2, one was dazzled",
    "8.18 8.18 8.18 8.18 8.18 inf 2, one is infinite",
    "8.18 8.18 8.18 8.18 8.18 nan 2, one is no number",
  })
  void takesItForAMissWhateverElseTheLaserSays(String ranges, String why) throws IOException {
    assertThat(only(flaser(" " + ranges)).scan().isMiss(0)).as(why).isTrue();
  }

  @Test
  void takesTheLeastOfThoseThatManyBeamsHave() throws IOException {
    String open = flaser(" 8.18 8.18 8.18 8.18 8.18 1 2");
    String dazzled = flaser(" 8.19 8.19 8.19 8.19 8.19 1 2");

    List<LogEntry> entries = entries(write(open + "\n" + dazzled + "\n"));

    assertThat(scan(entries, 0).isMiss(0)).isTrue();
    assertThat(scan(entries, 1).isMiss(0)).isTrue();
  }

  /** It announces a reading that is not there: its pose, 63 m away, is none. */
  @Test
  void doesNotAskALineThatIsRefused() throws IOException {
    String open = flaser(" 8.18 8.18 8.18 8.18 8.18 1 2");
    String shifted = "FLASER 3 1 2 63 0 0 0 0 0 1 robot 1";

    List<LogEntry> entries = entries(write(open + "\n" + shifted + "\n"));

    assertThat(scan(entries, 0).isMiss(0)).isTrue();
    assertThat(entries.get(1)).isInstanceOf(LogEntry.Refused.class);
  }

  @ParameterizedTest
  @CsvSource({
    "8.18 8.18 8.18 8.18 8 7 2, four beams may be a wall",
    "2.5 2.5 2.5 2.5 2.5 2.5 2, too near",
    "8.18 8.18 8.18 8.18 8.18 8.18 8.18, a round room",
  })
  void takesTheLargestReadingForAHitElse(String ranges, String why) throws IOException {
    assertThat(only(flaser(" " + ranges)).scan().isHit(0)).as(why).isTrue();
  }

  @Test
  void takesManyEqualReadingsForHitsIfOthersAreLarger() throws IOException {
    String alike = flaser(" 8.18 8.18 8.18 8.18 8.18 1 2");

    List<LogEntry> entries = entries(write(alike + "\n" + flaser(" 9 1 2 3 4 5 6") + "\n"));

    assertThat(scan(entries, 0).isHit(0)).isTrue();
  }

  private static Scan scan(List<LogEntry> entries, int i) {
    return ((LogEntry.Usable) entries.get(i)).reading().scan();
  }

  private static String flaser(String ranges) {
    return "FLASER 7" + ranges + " 0 0 0 0 0 0 1 robot 1";
  }

  /** A float of 5.6 is less than a double of 5.6. */
  @ParameterizedTest
  @CsvSource({"5.6", "4.095", "3.5", "29.9"})
  void takesTheMaximumOfARobotLaserForAMiss(String range) throws IOException {
    String line = ROBOTLASER.replace(" 0.25 10 ", " 0.25 " + range + " ");

    Scan scan = only(line.replace(" 2 1 2 0 1", " 2 1 " + range + " 0 1")).scan();

    assertThat(scan.isHit(0)).isTrue();
    assertThat(scan.isHit(1)).isFalse();
    assertThat(scan.isMiss(1)).isTrue();
  }

  /** CARMEN's driver writes a maximum of 81.9 for every SICK LMS. */
  @ParameterizedTest
  @CsvSource({"81.83", "8.183"})
  void takesWhatASickSaysOfTheOpenForAMissThoughTheMaximumIsFarther(String open)
      throws IOException {
    String five = (" " + open).repeat(5);
    String line =
        "ROBOTLASER1 0 -0.5 1 0.25 81.900002 0.05 0 7"
            + five
            + " 7 2 0 1 3 0 1 3 0 0 0 0 0 0 7 robot 0";

    Scan scan = only(line).scan();

    assertThat(scan.isMiss(0)).isTrue();
    assertThat(scan.isHit(5)).isTrue();
  }

  @Test
  void takesManyEqualReadingsForMissesWhateverMaximumTheLaserTells() throws IOException {
    String line = ROBOTLASER.replace(" 0.01 0 2 1 2 0 ", " 0.01 0 6 4 4 4 4 4 2 0 ");

    Scan scan = only(line).scan();

    assertThat(scan.isMiss(0)).isTrue();
    assertThat(scan.isHit(5)).isTrue();
  }

  private static Pose pose(String words) {
    String[] word = words.split(" ");
    return new Pose(
        Double.parseDouble(word[0]), Double.parseDouble(word[1]), Double.parseDouble(word[2]));
  }

  private static String words(Pose pose) {
    return String.format(Locale.ROOT, "%.3f %.3f %.3f", pose.x(), pose.y(), pose.theta());
  }

  /** The readings of a drive along {@link #WAY}, whose lines have two poses. */
  private List<Reading> drive(
      String parameters, String before, UnaryOperator<Pose> firstPose, String after)
      throws IOException {
    StringBuilder lines = new StringBuilder(parameters);
    for (String odometry : WAY) {
      lines.append(before).append(words(firstPose.apply(pose(odometry)))).append(' ');
      lines.append(odometry).append(after).append('\n');
    }
    return entries(write(lines.toString())).stream()
        .map(entry -> ((LogEntry.Usable) entry).reading())
        .toList();
  }

  private List<Reading> driveOfFlaser(UnaryOperator<Pose> firstPose) throws IOException {
    return driveOfFlaser("", firstPose);
  }

  private List<Reading> driveOfFlaser(String parameters, UnaryOperator<Pose> firstPose)
      throws IOException {
    return drive(parameters, "FLASER 3 1 2 3 ", firstPose, " 1 robot 1");
  }

  private List<Reading> driveOfRobotLaser(UnaryOperator<Pose> firstPose) throws IOException {
    return driveOfRobotLaser("", firstPose);
  }

  private List<Reading> driveOfRobotLaser(String parameters, UnaryOperator<Pose> firstPose)
      throws IOException {
    return drive(
        parameters,
        "ROBOTLASER1 0 -0.5 1 0.25 10 0.01 0 2 1 2 0 ",
        firstPose,
        " 0 0 0 0 0 7 robot 0");
  }

  @Test
  void takesTheFirstPoseOfFlasersForTheLasersIfItStaysOnTheRobot() throws IOException {
    Pose mount = new Pose(0.28, -0.1, 3.1);

    assertThat(driveOfFlaser(odometry -> odometry.then(mount)))
        .extracting(reading -> reading.scan().mount())
        .allSatisfy(
            each -> {
              assertThat(each.distance(mount)).isLessThan(0.002);
              assertThat(Pose.wrap(each.theta() - mount.theta())).isCloseTo(0, within(0.002));
            });
  }

  /** A corrected pose, in a frame of its own, and one by a localizer that was not running. */
  @Test
  void passesOverTheFirstPoseOfFlasersElse() throws IOException {
    Pose frame = new Pose(0.2, 0.1, 0.1);
    for (UnaryOperator<Pose> first :
        List.<UnaryOperator<Pose>>of(odometry -> frame.then(odometry), odometry -> frame)) {
      assertThat(driveOfFlaser(first))
          .extracting(reading -> reading.scan().mount())
          .containsOnly(Pose.ORIGIN);
    }
  }

  private static final String PLACE =
      "PARAM robot_frontlaser_offset 0.28 0 host 0\nPARAM robot_frontlaser_side_offset -0.1 0 host 0\n";

  /** A corrected pose for the first, but the log's parameters tell where the laser is. */
  @Test
  void takesTheMountFromTheParametersIfTheLinesDoNotTell() throws IOException {
    Pose frame = new Pose(0.5, 0.5, 0.2);
    String rear = "PARAM robot_rearlaser_offset -0.4 0 host 0\n";

    assertThat(driveOfFlaser(PLACE + rear, odometry -> frame.then(odometry)))
        .extracting(reading -> reading.scan().mount())
        .containsOnly(new Pose(0.28, -0.1, 0));
    assertThat(driveOfRobotLaser(PLACE + rear, odometry -> frame.then(odometry)))
        .extracting(reading -> reading.scan().mount())
        .containsOnly(new Pose(0.28, -0.1, 0));
  }

  /** Laser 1 is the rear one, on a robot whose FLASER lines are the front one's all the same. */
  @Test
  void takesTheFrontLasersParametersForFlasersWhateverItsNumber() throws IOException {
    String swapped =
        "PARAM robot_frontlaser_id 2 0 host 0\nPARAM robot_rearlaser_id 1 0 host 0\n"
            + "PARAM robot_rearlaser_offset -0.4 0 host 0\n";
    Pose frame = new Pose(0.5, 0.5, 0.2);

    assertThat(driveOfFlaser(PLACE + swapped, odometry -> frame.then(odometry)))
        .extracting(reading -> reading.scan().mount())
        .containsOnly(new Pose(0.28, -0.1, 0));
    assertThat(driveOfRobotLaser(PLACE + swapped, odometry -> frame.then(odometry)))
        .extracting(reading -> reading.scan().mount())
        .containsOnly(new Pose(-0.4, 0, 0));
  }

  @Test
  void believesLinesThatTellTheMountWhateverTheParametersSay() throws IOException {
    Pose mount = new Pose(0.1, 0, 0);

    assertThat(driveOfFlaser(PLACE, odometry -> odometry.then(mount)))
        .allSatisfy(each -> assertThat(each.scan().mount().distance(mount)).isLessThan(0.002));
  }

  private List<String> notices() throws IOException {
    try (LaserLog log = CarmenLog.open(folder.resolve("test.clf"), CarmenSettings.defaults())) {
      return log.notices();
    }
  }

  /** As where a log has the lines of two lasers, or a tool wrote corrected poses. */
  @Test
  void saysThatRobotLasersDoNotTellTheirPlace() throws IOException {
    Pose frame = new Pose(0.5, 0.5, 0.2);
    Pose mount = new Pose(0.28, -0.1, 3.1);

    driveOfRobotLaser(PLACE, odometry -> frame.then(odometry));
    assertThat(notices())
        .singleElement()
        .asString()
        .contains(
            "the ROBOTLASER1 lines are at no one place",
            "0.28 m ahead of the base and -0.10 m to its left");
    driveOfRobotLaser(PLACE, odometry -> odometry.then(mount));
    assertThat(notices()).isEmpty();
    driveOfFlaser(PLACE, odometry -> frame.then(odometry));
    assertThat(notices()).noneMatch(notice -> notice.contains("at no one place"));
  }

  /** It stood for long at the start, with a corrected pose two metres off, and then drove. */
  @Test
  void isNotMisledByALongStandNorByOneLine() throws IOException {
    String stand = "FLASER 3 1 2 3 2 0 0 0 0 0 1 robot 1\n".repeat(100);
    StringBuilder lines = new StringBuilder(stand);
    Pose frame = new Pose(2, 0, 0);
    for (String odometry : WAY) {
      lines.append("FLASER 3 1 2 3 ").append(words(frame.then(pose(odometry)))).append(' ');
      lines.append(odometry).append(" 1 robot 1\n");
    }
    assertThat(mounts(lines.toString())).containsOnly(Pose.ORIGIN);

    Pose mount = new Pose(0.28, 0, 0);
    StringBuilder mounted = new StringBuilder("FLASER 3 1 2 3 0 0 0 0 0 nan 1 robot 1\n");
    for (String odometry : WAY) {
      mounted.append("FLASER 3 1 2 3 ").append(words(pose(odometry).then(mount))).append(' ');
      mounted.append(odometry).append(" 1 robot 1\n");
    }
    assertThat(mounts(mounted.toString()))
        .allSatisfy(each -> assertThat(each.distance(mount)).isLessThan(0.002));
  }

  private List<Pose> mounts(String lines) throws IOException {
    return entries(write(lines)).stream()
        .map(entry -> ((LogEntry.Usable) entry).reading().scan().mount())
        .toList();
  }

  @Test
  void takesALaserThatTurnsOnTheRobotAsItIs() throws IOException {
    List<Reading> readings =
        driveOfRobotLaser(odometry -> odometry.then(new Pose(0.3, 0, odometry.theta() / 2)));

    assertThat(readings.get(2).scan().mount().x()).isCloseTo(0.3, within(0.002));
    assertThat(readings.get(2).scan().mount().theta()).isCloseTo(0.75, within(0.002));
  }

  /** CARMEN's vasco writes corrected poses for the laser's, and leaves odometry to the robot's. */
  @Test
  void passesOverACorrectedPoseOfRobotLasers() throws IOException {
    Pose frame = new Pose(0.5, 0.5, 0.2);

    assertThat(driveOfRobotLaser(odometry -> frame.then(odometry)))
        .extracting(reading -> reading.scan().mount())
        .containsOnly(Pose.ORIGIN);
  }
}
