package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.exit.ExitException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class SimCommandTest {

  @TempDir private Path folder;

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
