package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.exit.ShutdownRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of logs, which {@code datasets/fetch} is asked for. */
class DatasetsCommandIT {

  @TempDir private Path folder;

  private Cartostream replay(Object... arguments) {
    return replay(new ShutdownRequest(), arguments);
  }

  private Cartostream replay(ShutdownRequest shutdownRequest, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("replay", "--engine", "serial"));
    all.addAll(List.of("--out", out(), "--particles", 5));
    all.addAll(List.of(arguments));
    return Cartostream.run(shutdownRequest, all.toArray());
  }

  private Path out() {
    return folder.resolve("out");
  }

  private void failsWith(int exitCode, Cartostream run, String... words) {
    assertThat(run.complaint()).contains(words);
    assertThat(run.err()).doesNotContain("\tat ");
    assertThat(run.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void namesALogThatIsMissing() {
    failsWith(2, replay(folder.resolve("none.clf")), "none.clf", "data sets are: killian");
  }

  @Test
  void wantsAFileForALog() {
    failsWith(2, replay(folder), "'" + folder + "' is a folder; a log file is needed");
  }

  @Test
  void dataSetsAreListedWithASentence() {
    assertThat(Cartostream.run("datasets").out()).containsPattern("killian +\\w+");
  }

  @Test
  void anUnknownDataSetIsNamedWithThoseThereAre() {
    Cartostream run = Cartostream.run("datasets", "kilian");
    assertThat(run.complaint()).contains("'kilian'", "killian");
    assertThat(run.exitCode()).isEqualTo(2);
  }
}
