package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.report.RunReport;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Maps as users have them, from {@code ../shared/inputs-2}: one drive is localised in each. */
@Default(computes = true)
class UsersMapsAccuracyTest {

  private static final String STATED = "1.5,1.2,0.63";

  @TempDir private Path folder;

  private Cartostream localised(String map, String at, Object... more) {
    List<Object> all = new ArrayList<>(List.of("replay", "--engine", "serial", "--at", at));
    all.addAll(List.of("--localise", TestFiles.usersFile(map + "/map.yaml")));
    all.addAll(List.of("--reference", TestFiles.usersFile("loc/truth.tum"), "--out", folder));
    all.addAll(List.of(more));
    all.add(TestFiles.usersFile("loc/loc.bag"));
    Cartostream run = Cartostream.run(all.toArray());
    assertThat(run.err()).doesNotContain("\tat ", "unexpected");
    return run;
  }

  private void isFound(Cartostream run) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("118 OK, 0 AMBIGUOUS, 0 LOST");
    assertThat(ateMetres()).isLessThan(0.015);
  }

  private double ateMetres() throws IOException {
    return RunReport.json()
        .readTree(folder.resolve(RunReport.FILE).toFile())
        .at("/accuracy/ateMetres")
        .asDouble(9);
  }

  @Test
  void greyWithOpacityIsReadAsMapServerDoes() throws IOException {
    isFound(localised("l04h_grey_alpha", STATED));
  }

  @Nightly
  @ParameterizedTest
  @CsvSource({"l00_plain", "l07b_fixed", "l11i_opencv"})
  void soundMapsHaveNoNote(String map) throws IOException {
    Cartostream run = localised(map, STATED);
    isFound(run);
    assertThat(run.err()).doesNotContain("note: ");
  }

  @Nightly
  @ParameterizedTest
  @CsvSource({
    "l07b_unknown_free, 1379619 cells of shade 205 of 255 are unknown",
    "l12b_solid_big, of that only the rim counts"
  })
  void whatIsUnlikeMapServerIsNoted(String map, String note) throws IOException {
    Cartostream run = localised(map, STATED);
    isFound(run);
    assertThat(run.err()).contains("note: ", note);
  }

  @Nightly
  @Test
  void fewParticlesForAnywhereAreNoted() {
    assertThat(localised("l12b_solid_big", "anywhere", "--particles", 20).err())
        .contains("note: the robot is looked for by 20 particles", "300 are the least");
  }

  /** People stand in its view, and another place looks like that at first. */
  @Nightly
  @Test
  void aRobotAmongPeopleIsNeverOkElsewhere() throws IOException {
    Path log = TestFiles.usersFile("l21c_people_stand/in.bag");
    Cartostream run =
        Cartostream.run(
            "replay",
            "--engine",
            "serial",
            "--at",
            "anywhere",
            "--localise",
            TestFiles.usersFile("l00_plain/map.yaml"),
            "--out",
            folder,
            log);
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<StampedPose> truth = TumFile.read(log.resolveSibling("truth.tum"));
    List<String> lines = Files.readAllLines(folder.resolve("quality.csv"));
    assertThat(lines).hasSize(1 + truth.size());
    int ok = 0;
    for (int i = 0; i < truth.size(); i++) {
      String[] words = lines.get(1 + i).split(",");
      Pose pose = truth.get(i).pose();
      if (words[words.length - 1].equals("OK")) {
        ok++;
        double x = Double.parseDouble(words[1]);
        double y = Double.parseDouble(words[2]);
        assertThat(Math.hypot(x - pose.x(), y - pose.y())).as(lines.get(1 + i)).isLessThan(0.2);
      }
    }
    assertThat(ok).isGreaterThan(100);
  }

  @Nightly
  @Test
  void aMapGoesOnAmongPeopleWhereTheRobotIs() throws IOException {
    Cartostream run =
        Cartostream.run(
            "replay",
            "--engine",
            "serial",
            "--particles",
            20,
            "--at",
            "anywhere",
            "--continue",
            TestFiles.usersFile("l00_plain/map.yaml"),
            "--reference",
            TestFiles.usersFile("l21c_people_stand/truth.tum"),
            "--out",
            folder,
            TestFiles.usersFile("l21c_people_stand/in.bag"));
    assertThat(run.err()).contains("the log begins at 1.5");
    assertThat(run.out()).contains("218 processed, 0 refused");
    assertThat(ateMetres()).isLessThan(0.015);
  }
}
