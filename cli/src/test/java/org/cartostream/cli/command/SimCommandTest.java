package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.exit.ExitException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimCommandTest {

  /** A cell of the map, in an office of 20 x 15 m. */
  private static final double BOUND_METRES = 0.05;

  @TempDir private Path folder;

  @Test
  void mapsTheOfficeByItselfAndTellsTheErrorAgainstTheTruth() {
    Cartostream run =
        Cartostream.run("sim", "--world", "office", "--set", "slam.particles=20", "--out", folder);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(folder)
        .isDirectoryContaining("glob:**map.png")
        .isDirectoryContaining("glob:**trajectory.tum")
        .isDirectoryContaining("glob:**office.reference.tum");
    Matcher error = Pattern.compile("(?m)ATE\\D*([0-9.]+) m").matcher(run.out());
    assertThat(error.find()).as(run.out()).isTrue();
    assertThat(Double.parseDouble(error.group(1))).isLessThan(BOUND_METRES);
  }

  @Test
  void refusesAPaceWhereThereIsNone() {
    Cartostream run = Cartostream.run("sim", "--rate", 8, "--out", folder);
    assertThat(run.exitCode()).isEqualTo(ExitException.WRONG_USAGE);
    assertThat(run.complaint()).startsWith("--rate: only with --ros");
    Cartostream backwards =
        Cartostream.run("sim", "--rate", -1, "--ros", "http://127.0.0.1:1", "--out", folder);
    assertThat(backwards.complaint()).startsWith("--rate -1.0: it must be more than 0");
  }

  @Test
  void namesAWorldThatIsNotThere() {
    Path out = folder.resolve("out");
    Cartostream run = Cartostream.run("sim", "--world", "moon", "--out", out);
    assertThat(run.exitCode()).isEqualTo(ExitException.WRONG_USAGE);
    assertThat(run.complaint())
        .isEqualTo("--world 'moon': there is no such world; worlds are: office");
    assertThat(out).doesNotExist();
  }
}
