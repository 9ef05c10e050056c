package org.cartostream.slam.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CarmenLogTest {

  private static final String FLASER = "FLASER 3 1.5 2 50 9 9 9 1 2 0.5 12.25 robot 12.25";
  private static final String ROBOTLASER =
      "ROBOTLASER1 0 -0.5 1 0.25 10 0.01 0 2 1 2 0 1 3 1.5707963 1 2 1.5707963"
          + " 0 0 0 0 0 7.000000001 robot 0";

  @TempDir private Path folder;

  @Test
  void takesOdometryFromTheOdometryFieldsOfAFlaser() throws IOException {
    Reading reading = only(FLASER);

    assertThat(reading.odometry()).isEqualTo(new Pose(1, 2, 0.5));
    assertThat(reading.stampNanos()).isEqualTo(12_250_000_000L);
    assertThat(reading.scan().mount()).isEqualTo(Pose.ORIGIN);
    assertThat(reading.scan().ranges()).containsExactly(1.5f, 2f, 50f);
  }

  @Test
  void takesTheMountOfARobotLaserFromItsTwoPoses() throws IOException {
    Reading reading = only(ROBOTLASER);

    // The robot looks along y, and the laser is a metre farther along y: ahead.
    assertThat(reading.scan().mount().x()).isCloseTo(1, within(1e-6));
    assertThat(reading.scan().mount().y()).isCloseTo(0, within(1e-6));
    assertThat(reading.odometry()).isEqualTo(new Pose(1, 2, 1.5707963));
    assertThat(reading.stampNanos()).isEqualTo(7_000_000_001L);
    assertThat(reading.scan().startAngle()).isEqualTo(-0.5);
    assertThat(reading.scan().angleStep()).isEqualTo(0.25);
    assertThat(reading.scan().maxRange()).isEqualTo(10);
  }

  @Test
  void passesOverRemissions() throws IOException {
    Reading reading = only(ROBOTLASER.replace(" 2 1 2 0 1", " 2 1 2 2 0.7 0.8 1"));

    assertThat(reading.odometry()).isEqualTo(new Pose(1, 2, 1.5707963));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 1",
    "180, -90, 1",
    "181, -90, 1",
    "360, -90, 0.5",
    "361, -90, 0.5",
    "400, -50, 0.25",
    "401, -50, 0.25",
    "91, -90, 2"
  })
  void spreadsTheBeamsOfAFlaserAsTheLasersOfThoseDaysDo(
      int beams, double startDegrees, double stepDegrees) throws IOException {
    String ranges = IntStream.range(0, beams).mapToObj(i -> "1").collect(Collectors.joining(" "));

    Scan scan = only("FLASER " + beams + " " + ranges + " 0 0 0 0 0 0 1 robot 1").scan();

    assertThat(Math.toDegrees(scan.startAngle())).isCloseTo(startDegrees, within(1e-9));
    assertThat(Math.toDegrees(scan.angleStep())).isCloseTo(stepDegrees, within(1e-9));
  }

  @Test
  void takesMaximumReadingsForMissesAndFarHitsForHits() throws IOException {
    Scan scan = only("FLASER 5 0 49.91 50 81.83 nan 0 0 0 0 0 0 1 robot 1").scan();

    assertThat(scan.isHit(0) || scan.isMiss(0)).as("0 says nothing").isFalse();
    assertThat(scan.isHit(1)).isTrue();
    assertThat(scan.isMiss(2)).isTrue();
    assertThat(scan.isMiss(3)).isTrue();
    assertThat(scan.isHit(4) || scan.isMiss(4)).as("nan says nothing").isFalse();
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
    return ((LogEntry.Taken) entries.get(i)).reading().scan();
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
  void leavesTheMaximumOfALaserThatTellsIt() throws IOException {
    String line = ROBOTLASER.replace(" 0.01 0 2 1 2 0 ", " 0.01 0 6 4 4 4 4 4 2 0 ");

    assertThat(only(line).scan().isHit(0)).isTrue();
  }

  private static final String[] WAY = {"0 0 0", "1 0 0.5", "1.5 1 1.5", "1 2 3", "0 2 -2.5"};

  private static Pose pose(String words) {
    String[] word = words.split(" ");
    return new Pose(
        Double.parseDouble(word[0]), Double.parseDouble(word[1]), Double.parseDouble(word[2]));
  }

  private static String words(Pose pose) {
    return String.format(Locale.ROOT, "%.3f %.3f %.3f", pose.x(), pose.y(), pose.theta());
  }

  /** The readings of a drive along {@link #WAY}, whose lines have two poses. */
  private List<Reading> drive(String before, UnaryOperator<Pose> firstPose, String after)
      throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String odometry : WAY) {
      lines.append(before).append(words(firstPose.apply(pose(odometry)))).append(' ');
      lines.append(odometry).append(after).append('\n');
    }
    return entries(write(lines.toString())).stream()
        .map(entry -> ((LogEntry.Taken) entry).reading())
        .toList();
  }

  private List<Reading> driveOfFlaser(UnaryOperator<Pose> firstPose) throws IOException {
    return drive("FLASER 3 1 2 3 ", firstPose, " 1 robot 1");
  }

  private List<Reading> driveOfRobotLaser(UnaryOperator<Pose> firstPose) throws IOException {
    return drive("ROBOTLASER1 0 -0.5 1 0.25 10 0.01 0 2 1 2 0 ", firstPose, " 0 0 0 0 0 7 robot 0");
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
        .map(entry -> ((LogEntry.Taken) entry).reading().scan().mount())
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

  @Test
  void keepsStampsToTheNanosecond() throws IOException {
    Reading reading = only(FLASER.replace("12.25 robot", "976052890.244111001 robot"));

    assertThat(reading.stampNanos()).isEqualTo(976_052_890_244_111_001L);
  }

  @Test
  void passesOverWhatIsNoScan() throws IOException {
    String log = "# a comment\n\nPARAM robot_length 0.5\nODOM 9 9 9 0 0 0 1 robot 1\n" + FLASER;

    List<LogEntry> entries = entries(write(log + "\nSYNC x 1 robot 1\n"));

    assertThat(entries).hasSize(1);
    assertThat(entries.get(0).line()).isEqualTo(5);
  }

  @Test
  void readsLinesThatEndAsOnWindows() throws IOException {
    assertThat(entries(write(FLASER + "\r\n" + FLASER + "\r\n"))).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "FLASER, TOO_FEW_NUMBERS",
    "FLASER x 1 1, NOT_A_NUMBER",
    "FLASER 0 0 0 0 0 0 0 1 robot 1, NO_BEAMS",
    "FLASER -3 0 0 0 0 0 0 1 robot 1, NO_BEAMS",
    "FLASER 2000000000 1 1, TOO_FEW_NUMBERS",
    "FLASER 3 1 2, TOO_FEW_NUMBERS",
    "FLASER 3 1 2 3 0 0 0 0 0 0 1, TOO_FEW_NUMBERS",
    "FLASER 3 1 2 3 4 0 0 0 0 0 0 1 robot 1, TOO_MANY_NUMBERS",
    "FLASER 3 1 two 3 0 0 0 0 0 0 1 robot 1, NOT_A_NUMBER",
    "FLASER 3 1 2 3 0 0 0 0 0 x 1 robot 1, NOT_A_NUMBER",
    "FLASER 3 1 2 3 0 0 0 0 0 0 1e99 robot 1, NOT_A_NUMBER",
    "FLASER 3 1 2 3 0 0 0 0 0 0 1e999999999 robot 1, NOT_A_NUMBER",
    "FLASER 3 1 2 3 0 0 0 0 0 0 1e-999999999 robot 1, NOT_A_NUMBER",
    "FLASER 3 1 2 3 0 0 0 0 0 0 99999999999 robot 1, NOT_A_NUMBER",
    "ROBOTLASER1 0 -0.5 1 0.25 10 0.01 0, TOO_FEW_NUMBERS",
    "ROBOTLASER1 0 -0.5 1 0.25 10 0.01 0 0 0, NO_BEAMS",
    "ROBOTLASER1 0 -0.5 1 0.25 10 0.01 0 1 1 0 0 0 0 0 0 0 0 0 0 0 0 1 robot, TOO_FEW_NUMBERS",
    "ROBOTLASER1 0 -0.5 1 0.25 10 0.01 0 1 1 2000000000 0, TOO_FEW_NUMBERS",
  })
  void refusesAScanLineThatIsNoReadingButReadsOn(String line, ReadingRefusal expected)
      throws IOException {
    List<LogEntry> entries = entries(write(FLASER + "\n" + line + "\n" + FLASER + "\n"));

    assertThat(entries).hasSize(3);
    assertThat(entries.get(1)).isInstanceOf(LogEntry.Refused.class);
    Refusal.Because why = ((LogEntry.Refused) entries.get(1)).why();
    assertThat(why.refusal()).isEqualTo(expected);
    assertThat(why.detail()).isNotBlank();
    assertThat(entries.get(2)).isInstanceOf(LogEntry.Taken.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1467123456789.5", "9223372037", "1e-41"})
  void saysThatAStampInMillisecondsShouldBeInSeconds(String stamp) throws IOException {
    String line = FLASER.replace(" 12.25 robot", " " + stamp + " robot");

    LogEntry.Refused refused = (LogEntry.Refused) entries(write(line)).get(0);

    assertThat(refused.why().detail())
        .isEqualTo(
            "timestamp is \""
                + stamp
                + "\"; seconds are needed, up to 9223372036, with at most 40 decimals");
  }

  @Test
  void closesALogWhoseFirstLineCannotBeRead() {
    boolean[] closed = {false};
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("bad sector");
          }

          @Override
          public void close() {
            closed[0] = true;
          }
        };

    assertThatThrownBy(() -> new CarmenLog(new Lines(broken), survey())).hasMessage("bad sector");

    assertThat(closed[0]).isTrue();
  }

  @Test
  void refusesALastLineThatWasCutOffAtAnyPlace() throws IOException {
    int stampsEnd = FLASER.lastIndexOf(' ');
    for (int length = "FLASER".length(); length <= stampsEnd; length++) {
      List<LogEntry> entries = entries(write(FLASER + "\n" + FLASER.substring(0, length)));
      assertThat(entries).hasSize(2);
      assertThat(entries.get(1)).as("%d characters", length).isInstanceOf(LogEntry.Refused.class);
    }
  }

  @Test
  void survivesALineThatIsFarTooLong() throws IOException {
    String endless = "FLASER 3 " + "1 ".repeat(Lines.MOST_BYTES);

    List<LogEntry> entries = entries(write(endless + "\n" + FLASER + "\n"));

    assertThat(entries.get(0)).isInstanceOf(LogEntry.Refused.class);
    assertThat(entries.get(1)).isInstanceOf(LogEntry.Taken.class);
  }

  @Test
  void readsAGzippedLog() throws IOException {
    Path file = folder.resolve("log.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(FLASER.getBytes(StandardCharsets.US_ASCII));
    }

    assertThat(entries(file)).hasSize(1);
  }

  @Test
  void readsTheOnlyLogOfAZipArchive() throws IOException {
    assertThat(entries(zip("readme.txt", "run.clf", "__MACOSX/._run.clf"))).hasSize(1);
  }

  /** As Windows packs them: names of an old code page, and no word which. */
  @Test
  void readsAZipArchiveWithAnUmlautInAName() throws IOException {
    Path file = zip(StandardCharsets.ISO_8859_1, "b\u00fcro.clf");

    assertThat(entries(file)).hasSize(1);
  }

  @Test
  void refusesAZipArchiveWithTwoLogsAndNamesThem() throws IOException {
    Path file = zip("a.clf", "b.log");

    assertThatThrownBy(() -> LaserLog.open(file))
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining("holds 2 logs (a.clf, b.log)");
  }

  @Test
  void refusesADamagedArchive() throws IOException {
    Path gzip = folder.resolve("cut.gz");
    Files.write(gzip, new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 1});
    Path zip = write("PK and no more");

    for (Path damaged : List.of(gzip, zip)) {
      assertThatThrownBy(() -> LaserLog.open(damaged))
          .isInstanceOf(LogFormatException.class)
          .hasMessageContaining("damaged");
    }
  }

  @Test
  void refusesAFileWithoutScansAndSaysWhatItFound() throws IOException {
    Path file = write("\u0007Dear diary,\ntoday no scan.\n");

    assertThatThrownBy(() -> LaserLog.open(file))
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining("\"?Dear diary,\"")
        .hasMessageContaining("FLASER or ROBOTLASER1");
  }

  @Test
  void refusesAnEmptyFileAMissingFileAFolderAndAPipe() throws Exception {
    Path empty = write("");

    assertThatThrownBy(() -> LaserLog.open(empty))
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining("is empty");
    assertThatThrownBy(() -> LaserLog.open(folder))
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining("is a folder");
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> LaserLog.open(pipe))
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining("pipe is no file but a pipe or a device");
    assertThatThrownBy(() -> LaserLog.open(folder.resolve("none.clf")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("none.clf: there is no such log file");
  }

  private static Survey survey() {
    return new Survey(false, 1, LaserSurvey.ofFrontLaser(), LaserSurvey.ofRobotLaser());
  }

  private Reading only(String line) throws IOException {
    List<LogEntry> entries = entries(write(line + "\n"));
    assertThat(entries).hasSize(1);
    assertThat(entries.get(0)).isInstanceOf(LogEntry.Taken.class);
    return ((LogEntry.Taken) entries.get(0)).reading();
  }

  private static List<LogEntry> entries(Path file) throws IOException {
    List<LogEntry> entries = new ArrayList<>();
    try (LaserLog log = LaserLog.open(file)) {
      log.forEachRemaining(entries::add);
      assertThat(entries).hasSize(log.scanCount());
    }
    return entries;
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("test.clf"), text);
  }

  private Path zip(String... names) throws IOException {
    return zip(StandardCharsets.UTF_8, names);
  }

  private Path zip(Charset ofNames, String... names) throws IOException {
    Path file = folder.resolve("log.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file), ofNames)) {
      for (String name : names) {
        out.putNextEntry(new ZipEntry(name));
        out.write(FLASER.getBytes(StandardCharsets.US_ASCII));
      }
    }
    return file;
  }
}
