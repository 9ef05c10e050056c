package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.cli.Cartostream;
import org.cartostream.cli.JsonSchema;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;

/** Names of logs, which {@code datasets/fetch} is asked for. */
@Default
class DatasetsCommandIT extends SerialReplays {

  @Test
  void namesALogThatIsMissing() {
    failsWith(2, replay(folder.resolve("none.clf")), "none.clf", "data sets are: killian");
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

  @Test
  void anUnknownDataSetIsNamedWithThoseThereAre() {
    Cartostream run = Cartostream.run("datasets", "kilian");
    assertThat(run.complaint()).contains("'kilian'", "killian");
    assertThat(run.exitCode()).isEqualTo(2);
  }
}
