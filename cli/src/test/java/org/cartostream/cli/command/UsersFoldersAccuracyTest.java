package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.report.RunReport;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Recordings as they are left behind, and of two robots or clocks, from {@code ../shared/inputs-2}:
 * how many scans are mapped, how well, what is said, and the exit code. Its README says what is
 * right of each.
 */
@Default(computes = true)
class UsersFoldersAccuracyTest {

  private static final double BOUND_METRES = 0.015;

  @TempDir private Path folder;

  private Cartostream replay(String log, String truth, int scans) throws IOException {
    Cartostream run =
        Cartostream.run(
            "replay",
            "--engine",
            "serial",
            TestFiles.usersFile(log),
            "--out",
            folder,
            "--particles",
            20,
            "--reference",
            TestFiles.usersFile(truth));
    assertThat(run.err()).doesNotContain("\tat ", "unexpected");
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode report = RunReport.json().readTree(folder.resolve(RunReport.FILE).toFile());
    assertThat(report.at("/readings/processed").asInt()).isEqualTo(scans);
    assertThat(report.at("/accuracy/ateMetres").asDouble(9)).isLessThan(BOUND_METRES);
    return run;
  }

  private void hasNoNote(String log, String truth) throws IOException {
    assertThat(replay(log, truth, 108).out()).doesNotContain("note  ", "read  ", "partial");
  }

  private void hasNote(String log, String truth, int scans, String note) throws IOException {
    Cartostream run = replay(log, truth, scans);
    assertThat(run.err()).contains("note: the log is not all there", note);
    assertThat(run.out()).contains("read         the log is not all there");
  }

  @Test
  void aDatabaseWithEmptyMetadataIsMapped() throws IOException {
    hasNote("b09_meta_empty/bag", "b09_meta_empty/truth.tum", 108, "metadata.yaml is empty");
  }

  @Test
  void anMcapFileWithRos1sTypeNamesIsMapped() throws IOException {
    hasNoNote("f08_mcap_ros2_writer/in.mcap", "f08_mcap_ros2_writer/truth.tum");
  }

  @Nightly
  @ParameterizedTest
  @CsvSource({
    "b06_split_deleted, 80, 'names bag_1.mcap, which is not there'",
    "b07_last_empty, 108, bag_3.mcap is empty"
  })
  void whatIsThereIsMappedAndTheRestNoted(String name, int scans, String note) throws IOException {
    hasNote(name + "/bag", name + "/truth.tum", scans, note);
  }

  @Nightly
  @ParameterizedTest
  @CsvSource({
    "b03_unpacked_by_hand, bag",
    "b16_parent, recordings/2024_01_01/metadata.yaml",
    "b22_wal_header, bag"
  })
  void aFolderIsMappedWithoutAWord(String name, String log) throws IOException {
    hasNoNote(name + "/" + log, name + "/truth.tum");
  }

  @Test
  void twoRobotsInTwoFilesAreRefused() {
    Path one = TestFiles.usersFile("f14_two_robots_two_bags/robot1.mcap");
    Path other = TestFiles.usersFile("f14_two_robots_two_bags/robot2.mcap");
    Cartostream run = Cartostream.run("replay", "--engine", "serial", one, other, "--out", folder);
    assertThat(run.exitCode()).isOne();
    assertThat(run.complaint())
        .contains("two places at one time", one.toString(), other.toString(), "--continue");
  }

  @Nightly
  @Test
  void clocksThatNeverMeetAreNamed() {
    Path file = TestFiles.usersFile("h01_scan_sim_odom_wall/in.mcap");
    Cartostream run = Cartostream.run("replay", "--engine", "serial", file, "--out", folder);
    assertThat(run.exitCode()).isOne();
    assertThat(run.complaint()).contains("12.31 to 33.71 s", "1700000000.00", "use_sim_time");
  }

  /** The hall is wider than the laser sees: by the truth's poses its beams sweep 376 m². */
  @Nightly
  @ParameterizedTest
  @CsvSource({"0, 365, 387", "4, 330, 350"})
  void whereBeamsMetNothingTheHallIsFree(int usableMetres, double least, double most)
      throws IOException {
    Path file = TestFiles.usersFile("e01_hall_inf/in.mcap");
    Cartostream run =
        Cartostream.run(
            "replay",
            "--engine",
            "serial",
            file,
            "--out",
            folder,
            "--particles",
            20,
            "--set",
            "ros.maxUsableRangeMetres=" + usableMetres);
    assertThat(run.out()).contains("180 processed, 0 refused");
    byte[] picture = Files.readAllBytes(folder.resolve("map.pgm"));
    int free = 0;
    for (byte each : picture) {
      free += each == (byte) 254 ? 1 : 0;
    }
    assertThat(free * 0.05 * 0.05).isBetween(least, most);
  }

  /** Without the setting, six scans met nothing and are refused: 3 % of the reference. */
  @Nightly
  @Test
  void aReferenceWithRefusedScansIsMeasuredAndMarkedAsPartial() {
    Cartostream run =
        Cartostream.run(
            "replay",
            "--engine",
            "serial",
            TestFiles.usersFile("e01_hall_inf/in.mcap"),
            "--reference",
            TestFiles.usersFile("e01_hall_inf/truth.tum"),
            "--out",
            folder,
            "--particles",
            20,
            "--set",
            "slam.readingFilter.clearedMetres=0");
    assertThat(run.out())
        .contains("174 processed, 6 refused", "174 of 180 poses compared", "partial: of the scans")
        .doesNotContain("unmeasured");
  }

  @Test
  void aFolderOfFoldersNamesThem() {
    Cartostream run = Cartostream.run("replay", TestFiles.usersFile("b16_parent/recordings"));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.complaint()).contains("is a folder", "recordings/2024_01_01");
  }
}
