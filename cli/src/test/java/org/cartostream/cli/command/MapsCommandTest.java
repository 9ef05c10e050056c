package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.JsonSchema;
import org.cartostream.run.Logs;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class MapsCommandTest {

  @TempDir private Path root;
  private Path office;

  @BeforeEach
  void map() {
    office = root.resolve("office");
    Object[] replay = {
      "replay", Logs.OFFICE, "--engine", "serial", "--limit", 20, "--particles", 4, "--out", office
    };
    assertThat(Cartostream.run(replay).exitCode()).isZero();
  }

  @Test
  void listsThoseInAFolder() throws IOException {
    Path broken = Files.createDirectories(root.resolve("broken"));
    Files.writeString(broken.resolve("map.yaml"), "image: gone.pgm\n");
    Files.createDirectories(root.resolve("nothing"));

    Cartostream run = Cartostream.run("maps", "list", root);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines()).hasSize(2);
    assertThat(run.out())
        .containsPattern(
            office + " +\\d{4}-\\d\\d-\\d\\d .* m x .* m +robot office; goes on after reading 20")
        .containsPattern(broken + " +.*map.yaml has no resolution");
    String json = Cartostream.run("maps", "list", root, "--json").out();
    JsonSchema.check("maps", json);
    assertThat(new ObjectMapper().readTree(json).at("/maps"))
        .extracting(map -> map.path("robot").asText())
        .containsExactly("", "office");
    assertThat(JsonSchema.complaints("maps", json.replace("\"robot\"", "\"robo\""))).isNotEmpty();
    assertThat(Cartostream.run("maps", "list", office).out()).contains("robot office");
    assertThat(Cartostream.run("maps", "list", root.resolve("gone")).complaint())
        .isEqualTo("there is no file '" + root.resolve("gone") + "'");
  }

  @Test
  void saysThatAFolderHasNone() throws IOException {
    Path empty = Files.createDirectories(root.resolve("empty"));

    assertThat(Cartostream.run("maps", "list", empty).out().strip())
        .isEqualTo("no maps in '" + empty + "'");
  }

  @Test
  void showsOne() {
    Cartostream run = Cartostream.run("maps", "show", office);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("size +[\\d.]+ m x [\\d.]+ m, \\d+ x \\d+ cells of 0.05 m")
        .containsPattern("reaches +from \\(-[\\d.]+, -[\\d.]+\\) to \\([\\d.]+, [\\d.]+\\)")
        .containsPattern("run.state +the filter's state");
  }

  @Test
  void exportsOneUnderItsNameOrAnother() throws IOException {
    Path to = root.resolve("to");

    assertThat(Cartostream.run("maps", "export", office, "--to", to).exitCode()).isZero();
    assertThat(to.resolve("office.pgm")).hasSameBinaryContentAs(office.resolve("map.pgm"));
    assertThat(to.resolve("office.yaml")).content().contains("image: office.pgm");
    assertThat(Cartostream.run("maps", "export", office, "--to", to).complaint())
        .startsWith("there is '" + to.resolve("office.yaml") + "' already");
    assertThat(Cartostream.run("maps", "export", office, "--to", to, "--name", "b").exitCode())
        .isZero();
    assertThat(to.resolve("b.pgm")).exists();
  }

  @Test
  void deletesTheFilesOfARunAndNoOthers() throws IOException {
    Path own = Files.writeString(office.resolve("notes.txt"), "mine");

    Cartostream run = Cartostream.run("maps", "delete", office);
    assertThat(run.complaint()).contains("files of '" + office + "' would be deleted; with --yes");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(office.resolve("map.yaml")).exists();

    assertThat(Cartostream.run("maps", "delete", office, "--yes").exitCode()).isZero();
    assertThat(office).isDirectoryContaining(each -> each.equals(own));
    assertThat(Files.list(office)).hasSize(1);

    Files.delete(own);
    assertThat(Cartostream.run("maps", "delete", office, "--yes").complaint())
        .isEqualTo("'" + office + "' has no files of a run");
  }
}
