package org.cartostream.run.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.cartostream.testing.Quick;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Quick
class OutputFolderTest {

  @ParameterizedTest
  @CsvSource({
    "logs/killian.g2o.zip, killian",
    "fr079.log.gz, fr079",
    "intel.clf, intel",
    "2026.11.21.clf, 2026.11.21",
    "2026.11.22.clf, 2026.11.22",
    "run-0.5.bag, run-0.5",
    "plain, plain",
    ".hidden, .hidden",
  })
  void aLogsNameIsWhatTellsItFromOthers(Path log, String name) {
    assertThat(OutputFolder.baseName(log)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({"intel.clf, '', out/intel", "...clf, '', out/log", "...clf, -more, out/..-more"})
  void theFolderIsBelowTheUsualOne(Path log, String suffix, Path folder) {
    assertThat(OutputFolder.of(log, suffix).normalize()).isEqualTo(folder);
  }
}
