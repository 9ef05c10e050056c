package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page shows in a browser is tested by {@code HtmlReportIT}. */
@Quick
class ExportCommandTest {

  @TempDir private Path folder;

  private Path run;

  @BeforeEach
  void run() {
    run = folder.resolve("out");
    Cartostream replayed =
        Cartostream.run(
            "replay",
            Logs.OFFICE,
            "--engine",
            "serial",
            "--particles",
            3,
            "--limit",
            30,
            "--no-record",
            "--out",
            run);
    assertThat(replayed.exitCode()).as(replayed.err()).isZero();
  }

  @Test
  void aRunBecomesOneFileThatNamesNoOther() throws IOException {
    Cartostream export = Cartostream.run("export", run, "--html");
    assertThat(export.exitCode()).as(export.err()).isZero();
    assertThat(export.out()).contains("report.html  the run as one page, 0.");
    String html = Files.readString(run.resolve("report.html"));
    assertThat(html)
        .contains("default-src 'none'")
        .contains("[\"log\",\"office.clf\"]", "[\"readings\",\"30\"]", "[\"particles\",\"3\"]")
        .doesNotContain("src=\"/", "href=\"/", "https://")
        .doesNotContain(folder.toString());
  }

  @Test
  void itIsWrittenWhereItIsWanted() {
    Path file = folder.resolve("mail.html");
    assertThat(Cartostream.run("export", run, "--html", "--to", file).exitCode()).isZero();
    assertThat(file).exists();
    assertThat(run.resolve("report.html")).doesNotExist();
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    assertThat(Cartostream.run("export", run).complaint()).contains("--html");
    Files.writeString(run.resolve("report.json"), "no report");
    assertThat(Cartostream.run("export", run, "--html").complaint())
        .contains("report.json is no report of a run");
    Cartostream nowhere = Cartostream.run("export", folder.resolve("nowhere"), "--html");
    assertThat(nowhere.exitCode()).isEqualTo(1);
    assertThat(nowhere.complaint()).contains("there is no folder '", "nowhere'; a run is in '");
  }
}
