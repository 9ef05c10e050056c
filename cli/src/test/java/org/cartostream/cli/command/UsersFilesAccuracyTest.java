package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.report.RunReport;
import org.cartostream.testing.Default;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Logs as users have them, from {@code ../shared/inputs}: how many scans are mapped, how well, what
 * is said, and the exit code. Its README says what is right of each.
 */
@Default(computes = true)
class UsersFilesAccuracyTest {

  private static final double BOUND_METRES = 0.015;

  @TempDir private Path folder;

  private static Path input(String name) {
    Path file = TestFiles.usersFile(name);
    return file;
  }

  private Cartostream replay(String name, Object... more) {
    List<Object> all = new ArrayList<>(List.of("replay", "--engine", "serial"));
    all.addAll(List.of(input(name), "--out", folder, "--particles", 20));
    all.addAll(List.of("--reference", input(name.replaceAll("\\.[a-z0-9]+$", ".truth.tum"))));
    all.addAll(List.of(more));
    Cartostream run = Cartostream.run(all.toArray());
    assertThat(run.err()).doesNotContain("\tat ", "unexpected");
    return run;
  }

  private JsonNode report() throws IOException {
    return RunReport.json().readTree(folder.resolve(RunReport.FILE).toFile());
  }

  private void mapped(Cartostream run, int scans) throws IOException {
    assertThat(run.exitCode()).isZero();
    assertThat(report().at("/readings/processed").asInt()).isEqualTo(scans);
    assertThat(report().at("/accuracy/ateMetres").asDouble(9)).isLessThan(BOUND_METRES);
    assertThat(report().at("/accuracy/unmeasured")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "c01_ld19_varying.mcap, 248",
    "c05_upside_asym.bag, 248",
    "c20_static_two_conns.bag, 248",
    "c21_static_late.bag, 248",
    "c23_fixed_tf_1hz.bag, 248",
    "c30_nan_tf.bag, 248",
    "c46_mcap_message_zstd.mcap, 248",
    "c61c_g2o_ids_step10.g2o, 247",
    "c87_tf_recorded_late.bag, 248",
    "c90_index_len.bag, 248"
  })
  void isMappedWholeWithoutAWord(String name, int scans) throws IOException {
    Cartostream run = replay(name);
    mapped(run, scans);
    assertThat(run.out()).doesNotContain("note  ", "read  ", "partial");
  }

  @ParameterizedTest
  @CsvSource({
    "c42_zero_tail_none.bag, 182, zeros",
    "c41_killed_bz2.bag, 209, the recorder was killed",
    "c44_mcap_bad_chunk.mcap, 224, 255 of the 2749 messages"
  })
  void isMappedAsFarAsItIsWholeWithAWordAndAPartialError(String name, int scans, String word)
      throws IOException {
    Cartostream run = replay(name);
    mapped(run, scans);
    assertThat(report().at("/accuracy/partial").asBoolean()).isTrue();
    assertThat(report().at("/accuracy/posesCompared").asInt()).isEqualTo(scans);
    assertThat(report().at("/damage").asText())
        .contains(word)
        .containsPattern("% of (its|these) bytes are read");
    assertThat(run.err()).contains("note: the log ").contains(word);
    assertThat(run.out()).contains("read         the log ").contains("partial");
  }

  @Test
  void aFileThatOnlyLacksItsEndIsMappedWhole() throws IOException {
    Cartostream run = replay("c45_mcap_unchunked_idl.mcap");
    mapped(run, 248);
    assertThat(run.out()).contains("was not closed in order; 100.0 %").doesNotContain("partial");
  }

  @Test
  void endsWhereTheSameDriveComesAgain() throws IOException {
    Cartostream run = replay("c73_two_runs_one_bag.bag");
    mapped(run, 248);
    assertThat(report().at("/refusals/TIME_SET_BACK/count").asInt()).isEqualTo(248);
    assertThat(run.err()).contains("note: time was set back by 49.40 s at scan 249 of 496");
  }

  @Test
  void isMappedByTheMountThatTheUserSays() throws IOException {
    Cartostream without = replay("c22_static_missing.bag");
    assertThat(without.exitCode()).isOne();
    assertThat(without.out())
        .contains("98 x NO_TRANSFORM", "nothing leads from 'base_link' to 'laser'")
        .contains("--set ros.mount.frame=laser --set ros.mount.xMetres=");
    assertThat(without.complaint()).contains("no reading of", "there is no map");

    Cartostream with =
        replay(
            "c22_static_missing.bag",
            "--set",
            "ros.mount.frame=laser",
            "--set",
            "ros.mount.xMetres=0.1");
    mapped(with, 98);
    assertThat(with.err()).contains("note: ", "(0.100 m, 0.000 m)");
  }

  @Test
  void isMappedByTheFramesThatItSaysWouldBeRight() throws IOException {
    Cartostream without = replay("c79_odom_combined.bag");
    assertThat(without.exitCode()).isOne();
    assertThat(without.out())
        .contains("what moves is 'base_footprint' in 'odom_combined'")
        .contains("ros.baseFrame and ros.odomFrame");

    Cartostream with =
        replay(
            "c79_odom_combined.bag",
            "--set",
            "ros.odomFrame=odom_combined",
            "--set",
            "ros.baseFrame=base_footprint");
    mapped(with, 98);
  }

  @Test
  void quotesANumberWithAComma() {
    Cartostream run = replay("c61e_g2o_comma.g2o");
    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).contains("247 x NO_ODOMETRY", "no number (x of vertex is \"1,500000\")");
  }

  /** TUM's own groundtruth.txt, with any name; beside the same trajectory by its own. */
  @Test
  void aReferenceIsToldByItsContent() throws IOException {
    Path bag = input("c20_static_two_conns.bag");
    Object[] asText = {"--reference", input("c62_reference_groundtruth.txt")};
    List<Object> all = new ArrayList<>(List.of("replay", "--engine", "serial", bag));
    all.addAll(List.of("--out", folder, "--particles", 20));
    all.addAll(List.of(asText));
    mapped(Cartostream.run(all.toArray()), 248);
  }

  @Test
  void aFileThatIsNamedTwiceIsMappedOnce() throws IOException {
    Path whole = input("c20_static_two_conns.bag");
    Cartostream run = replay("c20_static_two_conns.bag", whole);
    mapped(run, 248);
    assertThat(run.err()).contains("messages are in several of the files, and are taken once");
  }
}
