package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cartostream.cli.Cartostream;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole simulated drive, mapped through broker and topology. */
@Nightly(computes = true)
class SimCommandAccuracyTest {

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
}
