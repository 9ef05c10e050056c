package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ExitException;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurement of TLS as a process of its own. */
@Default
class BenchTlsCommandIT {

  @Test
  void leavesNoFolderBehindWhenItDoesNotStart(@TempDir Path temporary) throws Exception {
    Process bench =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                BenchMain.class.getName(),
                "tls",
                Logs.OFFICE.toString(),
                "--particles",
                "none")
            .redirectErrorStream(true)
            .start();
    String said = new String(bench.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bench.waitFor()).as(said).isEqualTo(ExitException.WRONG_USAGE);
    assertThat(temporary).isEmptyDirectory();
  }
}
