package org.cartostream.slam.log.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.file.LineReader;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.WrittenLog;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class CarmenLogTest extends WrittenLog {

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

  /** Also cut to the width of other numbers, or filled up to it. */
  @ParameterizedTest
  @CsvSource({
    "1.#INF, Infinity",
    "1.#INF00, Infinity",
    "+1.#INF, Infinity",
    "-1.#INF, -Infinity",
    "-1.#IND, NaN",
    "-1.#IND00, NaN",
    "1.#QNAN, NaN",
    "1.#QNAN0, NaN",
    "1.#SNAN, NaN",
    "1.#J, NaN",
    "1.#IO, NaN",
  })
  void takesWhatWindowsWritesForNoFiniteNumber(String range, float expected) throws IOException {
    assertThat(only(FLASER.replace(" 2 50 ", " " + range + " 50 ")).scan().ranges())
        .containsExactly(1.5f, expected, 50f);
  }

  @Test
  void passesOverRemissions() throws IOException {
    Reading reading = only(ROBOTLASER.replace(" 2 1 2 0 1", " 2 1 2 2 0.7 0.8 1"));

    assertThat(reading.odometry()).isEqualTo(new Pose(1, 2, 1.5707963));
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
    "FLASER 3 1 1.# 3 0 0 0 0 0 0 1 robot 1, NOT_A_NUMBER",
    "FLASER 3 1 2.#INF 3 0 0 0 0 0 0 1 robot 1, NOT_A_NUMBER",
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
    Refusal.Reason why = ((LogEntry.Refused) entries.get(1)).why();
    assertThat(why.refusal()).isEqualTo(expected);
    assertThat(why.detail()).isNotBlank();
    assertThat(entries.get(2)).isInstanceOf(LogEntry.Usable.class);
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
  void closesALogWhoseFirstLineCannotBeRead() throws IOException {
    LogPreScan logPreScan = LogPreScan.of(write(FLASER), CarmenSettings.defaults());
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

    assertThatThrownBy(() -> new CarmenLog(new LineReader(broken), logPreScan))
        .hasMessage("bad sector");

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
    String endless = "FLASER 3 " + "1 ".repeat(LineReader.MAX_BYTES);

    List<LogEntry> entries = entries(write(endless + "\n" + FLASER + "\n"));

    assertThat(entries.get(0)).isInstanceOf(LogEntry.Refused.class);
    assertThat(entries.get(1)).isInstanceOf(LogEntry.Usable.class);
  }

  @Test
  void aMarkThatATextIsInUtf8IsNoPartOfItsFirstLine() throws IOException {
    Path file = Files.writeString(folder.resolve("mark.clf"), "\ufeff" + FLASER);

    assertThat(entries(file)).hasSize(1);
  }

  /** What is no text, and what to do about it. */
  @ParameterizedTest
  @CsvSource({
    "BZh91AY&SY, packed by bzip2",
    "\u00fd7zXZ, packed by xz",
    "\u0028\u00b5\u002f\u00fd, packed by zstd",
    "#ROSBAG V2.0, a ROS bag",
    "\u0089MCAP0, an MCAP file",
    "SQLite format 3, ros2 bag convert makes an MCAP file",
    "\u00ff\u00fer, UTF-16",
    "\u00fe\u00ffr, UTF-16",
  })
  void whatIsNoTextIsNamed(String begins, String says) throws IOException {
    Path plain = folder.resolve("plain.clf");
    Path packed = folder.resolve("packed.clf");
    byte[] bytes = (begins + FLASER).getBytes(StandardCharsets.ISO_8859_1);
    Files.write(plain, bytes);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write(bytes);
    }

    for (Path file : List.of(plain, packed)) {
      assertThatThrownBy(() -> entries(file))
          .isInstanceOf(FileFormatException.class)
          .hasMessageStartingWith(file.toString())
          .hasMessageContaining(says);
    }
  }

  /** Its first file's name and size stand before the log's first line. */
  @Test
  void aTarArchiveIsRefusedBeforeItLosesALine() throws IOException {
    Path file = folder.resolve("log.tar");
    Files.writeString(file, "my.clf" + "\0".repeat(251) + "ustar" + "\0".repeat(250) + FLASER);

    assertThatThrownBy(() -> entries(file))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("is a tar archive; unpack it");
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

    assertThatThrownBy(() -> CarmenLog.open(file, CarmenSettings.defaults()))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("holds 2 logs (a.clf, b.log)");
  }

  @Test
  void refusesADamagedArchive() throws IOException {
    Path gzip = folder.resolve("cut.gz");
    Files.write(gzip, new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 1});
    Path zip = write("PK and no more");

    for (Path damaged : List.of(gzip, zip)) {
      assertThatThrownBy(() -> CarmenLog.open(damaged, CarmenSettings.defaults()))
          .isInstanceOf(FileFormatException.class)
          .hasMessageContaining("damaged");
    }
  }

  /** Random ranges are hard to pack, so that every part of the archive holds some lines. */
  private static byte[] manyScans(long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      String ranges = random.nextDouble() + " " + random.nextDouble() + " 50 ";
      text.append(FLASER.replace("1.5 2 50 ", ranges).replace("12.25 ", i + ".5 ")).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private String damage(Path file) throws IOException {
    try (LaserLog log = CarmenLog.open(file, CarmenSettings.defaults())) {
      return log.damage().orElse("");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void givesTheReadablePartOfAnArchiveThatWasCutOff(boolean gzip) throws IOException {
    byte[] text = manyScans(5);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = gzip ? new GZIPOutputStream(packed) : zipOf("my.clf", packed)) {
      out.write(text);
    }
    Path file = folder.resolve("cut.clf");
    Files.write(file, packed.toByteArray());
    assertThat(entries(file)).hasSize(1000);
    assertThat(damage(file)).isEmpty();

    Files.write(file, Arrays.copyOf(packed.toByteArray(), packed.size() * 3 / 4));

    // A quarter less of evenly packed text is a quarter less of its lines.
    List<LogEntry> entries = entries(file);
    assertThat(entries).hasSizeBetween(730, 760);
    assertThat(damage(file)).contains("the archive is damaged", " lines before it are read");
    for (int i = 0; i < entries.size() - 1; i++) {
      assertThat(((LogEntry.Usable) entries.get(i)).reading().stampNanos())
          .isEqualTo(i * 1_000_000_000L + 500_000_000L);
    }
  }

  private static ZipOutputStream zipOf(String name, OutputStream packed) throws IOException {
    ZipOutputStream out = new ZipOutputStream(packed);
    out.putNextEntry(new ZipEntry(name));
    return out;
  }

  @Test
  void saysThatAnArchivesChecksumIsWrongAndReadsIt() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(manyScans(5));
    }
    byte[] bytes = packed.toByteArray();
    bytes[bytes.length - 6] ^= 1; // Of its CRC.
    Path file = Files.write(folder.resolve("damaged.clf.gz"), bytes);

    assertThat(entries(file)).hasSize(1000);
    assertThat(damage(file)).contains("the archive is damaged", "its readable part, 1000 lines");
  }

  @ParameterizedTest
  @ValueSource(strings = {"FLAS", "FLASER 3 1.5", "FLASER 3 1.5 2 50 1 2 0.5 1 2 0.5 12.2"})
  void saysInsideWhichLineATextEnds(String last) throws IOException {
    assertThat(damage(write(FLASER + "\n" + FLASER + "\n" + last)))
        .isEqualTo("the file ends inside line 3; the 2 lines before it are read");
    assertThat(entries(write(FLASER + "\n" + FLASER + "\n" + last)))
        .filteredOn(LogEntry.Usable.class::isInstance)
        .hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# done", "SYNC x 1 robot 1", FLASER})
  void aLastLineThatNothingEndsMayBeWhole(String last) throws IOException {
    assertThat(damage(write(FLASER + "\n" + last))).isEmpty();
  }

  @Test
  void refusesAFileWithoutScansAndSaysWhatTheyAre() throws IOException {
    Path file = write("\u0007Dear diary,\ntoday no scan.\n");

    assertThatThrownBy(() -> CarmenLog.open(file, CarmenSettings.defaults()))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("FLASER, ROBOTLASER1 or RAWLASER1");
  }

  @Test
  void refusesAnEmptyFileAMissingFileAndAFolder() throws Exception {
    Path empty = write("");

    assertThatThrownBy(() -> CarmenLog.open(empty, CarmenSettings.defaults()))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("has no laser scans");
    assertThatThrownBy(() -> CarmenLog.open(folder, CarmenSettings.defaults()))
        .isInstanceOf(FileFormatException.class)
        .hasMessageContaining("is a folder");
    assertThatThrownBy(() -> CarmenLog.open(folder.resolve("none.clf"), CarmenSettings.defaults()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("none.clf: there is no such log file");
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
