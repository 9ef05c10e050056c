package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.JsonSchema;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class EvaluateCommandTest {

  @TempDir private Path folder;

  private Path file(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }

  private Path square() throws IOException {
    return file(
        "square.tum", "1 0 0 0 0 0 0 1", "2 1 0 0 0 0 0 1", "3 1 1 0 0 0 0 1", "4 0 1 0 0 0 0 1");
  }

  @Test
  void aTurnedAndShiftedTrajectoryHasNoError() throws IOException {
    Path turned =
        file(
            "turned.tum",
            "1 5 5 0 0 0 0 1",
            "2 5 6 0 0 0 0 1",
            "3 4 6 0 0 0 0 1",
            "4 4 5 0 0 0 0 1");
    Cartostream run = Cartostream.run("evaluate", turned, "--reference", square());
    assertThat(run.out()).contains("ATE          0.000 m", "4 poses compared");
    assertThat(run.exitCode()).isZero();
  }

  /** Two poses 1 m and 2 m apart: laid middle on middle, both ends are off by half a metre. */
  @Test
  void theErrorIsWhatAHandFinds() throws IOException {
    Path one = file("one.tum", "1 0 0 0 0 0 0 1", "2 1 0 0 0 0 0 1");
    Path two = file("two.tum", "1 0 0 0 0 0 0 1", "2 2 0 0 0 0 0 1");
    assertThat(Cartostream.run("evaluate", one, "--reference", two).out())
        .contains("ATE          0.500 m (largest 0.500 m, 2 poses compared)");
  }

  @Test
  void measuresByRelations() throws IOException {
    Path relations = file("square.relations", "1 3 1 1.3 0 0 0 0");
    assertThat(Cartostream.run("evaluate", square(), "--relations", relations).out())
        .contains("relations    0.300 ± 0.000 m");
    String json =
        Cartostream.run(
                "evaluate", square(), "--relations", relations, "--reference", square(), "--json")
            .out();
    JsonSchema.check("evaluate", json);
    assertThat(json).contains("\"ateMetres\" : 0.0", "\"meanMetres\" : 0.3");
  }

  @Test
  void wantsSomethingToMeasureBy() throws IOException {
    Cartostream run = Cartostream.run("evaluate", square());
    assertThat(run.complaint()).contains("--reference");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void saysThatAReferenceIsOfAnotherLog() throws IOException {
    Path other = file("other.tum", "91 0 0 0 0 0 0 1", "92 1 0 0 0 0 0 1");
    Cartostream run = Cartostream.run("evaluate", square(), "--reference", other);
    assertThat(run.out()).contains("is it the reference of another log?");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void takesARunsFolder() throws IOException {
    Path run = Files.createDirectories(square().resolveSibling("run"));
    Files.copy(square(), run.resolve("trajectory.tum"));

    assertThat(Cartostream.run("evaluate", run, "--reference", square()).out())
        .contains("ATE          0.000 m");
  }

  @Test
  void namesALineThatIsNoPose() throws IOException {
    Path broken = file("broken.tum", "1 0 0 0 0 0 0 1", "2 1 0 0");
    Cartostream run = Cartostream.run("evaluate", broken, "--reference", square());
    assertThat(run.complaint()).contains("broken.tum, line 2", "t x y z qx qy qz qw");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void namesAFileThatIsMissing() throws IOException {
    Cartostream run =
        Cartostream.run("evaluate", folder.resolve("none.tum"), "--reference", square());
    assertThat(run.complaint()).contains("none.tum");
    assertThat(run.exitCode()).isEqualTo(1);
  }
}
