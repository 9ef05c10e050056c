package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.JsonSchema;
import org.cartostream.run.Logs;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;

/** Names of logs, as a user gives them. */
@Default
class DatasetsCommandIT extends SerialReplays {

  @Test
  void namesALogThatIsMissing() {
    failsWith(2, replay(folder.resolve("none.clf")), "none.clf", "data sets are: office, killian");
  }

  @Test
  void wantsAFileForALog() {
    failsWith(2, replay(folder), "'" + folder + "' is a folder; a log file is needed");
  }

  @Test
  void dataSetsAreListedWithASentence() throws Exception {
    assertThat(Cartostream.run("datasets").out()).containsPattern("killian +\\w+");
    String json = Cartostream.run("datasets", "--json").out();
    JsonSchema.check("datasets", json);
    assertThat(json).contains("\"name\" : \"killian\"");
  }

  /** It comes with the installation: nothing is fetched. */
  @Test
  void theOfficesLogIsThere() {
    Cartostream run = Cartostream.run("datasets", "office");
    assertThat(Path.of(run.out().strip())).hasSameBinaryContentAs(Logs.OFFICE);
  }

  @Test
  void settingsThatDifferAreShownWithTheirDefaults() {
    Cartostream run = Cartostream.run("settings", "--diff", "--set", "slam.particles=30");
    assertThat(run.out().lines()).containsExactly("slam.particles: 30  # default: 150");
  }

  @Test
  void anUnknownDataSetIsNamedWithThoseThereAre() {
    Cartostream run = Cartostream.run("datasets", "kilian");
    assertThat(run.complaint()).contains("'kilian'", "killian");
    assertThat(run.exitCode()).isEqualTo(2);
  }
}
