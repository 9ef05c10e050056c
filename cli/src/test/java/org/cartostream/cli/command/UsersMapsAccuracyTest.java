package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.report.RunReport;
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
    assertThat(
            RunReport.json()
                .readTree(folder.resolve(RunReport.FILE).toFile())
                .at("/accuracy/ateMetres")
                .asDouble(9))
        .isLessThan(0.015);
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
}
