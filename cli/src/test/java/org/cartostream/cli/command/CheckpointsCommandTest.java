package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.cartostream.checkpoint.RunState;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.JsonSchema;
import org.cartostream.run.Logs;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class CheckpointsCommandTest {

  @TempDir private Path root;
  private Path out;
  private Path run;

  @BeforeEach
  void checkpoints() {
    out = root.resolve("office");
    Object[] replay = {
      "replay", Logs.OFFICE, "--engine", "serial", "--limit", 20, "--particles", 4, "--out", out
    };
    assertThat(Cartostream.run(replay).exitCode()).isZero();
    run = out.resolve("checkpoint").resolve("office");
  }

  private Path part() throws IOException {
    try (Stream<Path> files = Files.list(run)) {
      return files
          .filter(file -> file.getFileName().toString().contains(".filter-"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void listsTheRunsThatHaveSome() throws IOException {
    Cartostream list = Cartostream.run("checkpoints", "list", root);

    assertThat(list.exitCode()).isZero();
    assertThat(list.out().lines()).hasSize(1);
    assertThat(list.out())
        .containsPattern(run + "  reading 20, epoch 0, [\\d.]+ MB, \\d{4}-\\d\\d-\\d\\d \\d\\d:");
    assertThat(Cartostream.run("checkpoints", "list", run).out()).isEqualTo(list.out());
    JsonSchema.check("checkpoints", Cartostream.run("checkpoints", "list", root, "--json").out());
    Path gone = root.resolve("gone");
    assertThat(Cartostream.run("checkpoints", "list", gone).complaint())
        .isEqualTo("there is no file '" + gone + "'");
  }

  @Test
  void showsPartsAndSettings() {
    Cartostream show = Cartostream.run("checkpoints", "show", run);

    assertThat(show.exitCode()).isZero();
    assertThat(show.out())
        .containsPattern("latest +reading 20, epoch 0")
        .containsPattern("part +filter +[\\d,]+ bytes")
        .containsPattern("not default +particles: 4")
        .doesNotContain("seed");
    assertThat(Cartostream.run("checkpoints", "show", out).complaint())
        .isEqualTo("'" + out + "' is not the folder of one run, as '" + run + "' is");
  }

  @Test
  void namesWhatIsDamaged() throws IOException {
    Cartostream whole = Cartostream.run("checkpoints", "verify", root);
    assertThat(whole.exitCode()).isZero();
    assertThat(whole.out()).startsWith("whole    checkpoint of office at reading 20");

    Files.write(part(), new byte[10]);

    Cartostream damaged = Cartostream.run("checkpoints", "verify", root);
    assertThat(damaged.exitCode()).isEqualTo(1);
    assertThat(damaged.out())
        .containsPattern("damaged .* its part 'filter' has 10 of \\d+ bytes")
        .contains("no checkpoint in " + run + " is whole");
    assertThat(Cartostream.run("checkpoints", "list", root).out())
        .contains("none that is whole: checkpoint of office at reading 20");
    assertThat(Cartostream.run("checkpoints", "show", run).complaint()).contains("is not whole");
  }

  @Test
  void exportsTheStateThatARunLeaves() throws IOException {
    Path to = root.resolve("a.state");

    assertThat(Cartostream.run("checkpoints", "export", run, "--to", to).exitCode()).isZero();

    assertThat(RunState.open(to).manifest())
        .isEqualTo(RunState.open(out.resolve(RunState.FILE)).manifest());
    assertThat(Cartostream.run("checkpoints", "export", run, "--to", to).complaint())
        .isEqualTo("there is '" + to + "' already");
  }

  @Test
  void deletesThemIfOneIsSure() {
    Cartostream unsure = Cartostream.run("checkpoints", "delete", run);
    assertThat(unsure.exitCode()).isEqualTo(2);
    assertThat(unsure.complaint()).contains("would be deleted; with --yes they are");
    assertThat(run).isNotEmptyDirectory();

    assertThat(Cartostream.run("checkpoints", "delete", run, "--yes").exitCode()).isZero();

    assertThat(run).doesNotExist();
    assertThat(out.resolve("map.pgm")).exists();
    assertThat(Cartostream.run("checkpoints", "list", root).complaint())
        .isEqualTo("no checkpoint is in '" + root + "' or in a folder below it");
  }
}
