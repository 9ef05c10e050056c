package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.run.exit.ExitException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class RunFolderTest {

  @TempDir private Path out;

  private Path run(String name, String file) throws IOException {
    Path folder = Files.createDirectories(out.resolve(name));
    Files.createFile(folder.resolve(file));
    return folder;
  }

  private static String complaint(Path folder) {
    return catchThrowableOfType(ExitException.class, () -> RunFolder.require(folder)).getMessage();
  }

  @Test
  void aFolderWithARecordingOrAMapWillDo() throws IOException {
    Path recorded = run("recorded", "run.mcap");
    Path mapped = run("mapped", "map.yaml");
    assertThatCode(() -> RunFolder.require(recorded)).doesNotThrowAnyException();
    assertThatCode(() -> RunFolder.require(mapped)).doesNotThrowAnyException();
  }

  @Test
  void ofAFolderThatIsNotThereItSaysWhichAre() throws IOException {
    Path missing = out.resolve("office");
    assertThat(complaint(missing))
        .startsWith("there is no folder '" + missing + "'; ")
        .endsWith("'cartostream replay LOG' leaves a run's files in out/<name of the log>");
    Files.createDirectory(out.resolve("other"));
    Path second = run("office2", "map.yaml");
    assertThat(complaint(missing)).endsWith("; a run is in '" + second + "'");
    Path first = run("killian", "run.mcap");
    assertThat(complaint(missing)).endsWith("; runs are in '" + first + "', '" + second + "'");
  }

  @Test
  void ofManyItNamesSome() throws IOException {
    for (int i = 1; i <= 7; i++) {
      run("run" + i, "map.yaml");
    }
    assertThat(complaint(out.resolve("run")))
        .contains("'" + out.resolve("run5") + "' and 2 more")
        .doesNotContain("run6");
  }

  @Test
  void ofAFileItSaysThatAFolderIsNeededAndWhichHasIt() throws IOException {
    Path folder = run("office", "run.mcap");
    Path file = folder.resolve("run.mcap");
    assertThat(complaint(file))
        .isEqualTo(
            "'%s' is a file, and a run's folder is needed; a run is in '%s'"
                .formatted(file, folder));
  }

  @Test
  void ofAFolderWithoutARunItSaysWhatItLacksAndWhatLiesInIt() throws IOException {
    Path office = run("office", "map.yaml");
    assertThat(complaint(out))
        .isEqualTo(
            "the folder '%s' has no run: neither run.mcap nor map.yaml; a run is in '%s'"
                .formatted(out, office));
    Path empty = Files.createDirectory(out.resolve("empty"));
    assertThat(complaint(empty)).contains("'" + empty + "' has no run", "is in '" + office + "'");
  }
}
