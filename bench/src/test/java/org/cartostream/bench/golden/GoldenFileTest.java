package org.cartostream.bench.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ResamplingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of frozen answers, and what a line of it says. */
@Quick
class GoldenFileTest {

  private static final String OFFICE = "office\tdatasets/office.clf\t150\t30\t7\t0.25\t-\t-\t-";
  private static final String INTEL = "intel\t../intel.clf\t80\t12\t4\t1.0\tab\tcd\tef";

  @TempDir private Path folder;

  private GoldenFile file(String... lines) throws IOException {
    return new GoldenFile(Files.write(folder.resolve("golden.tsv"), List.of(lines)));
  }

  @Test
  void holdsACaseOnALine() throws IOException {
    assertThat(file("# for people", "", OFFICE, INTEL).cases())
        .containsExactly(
            new GoldenCase("office", "datasets/office.clf", 150, 30, 7, 0.25, Optional.empty()),
            new GoldenCase(
                "intel",
                "../intel.clf",
                80,
                12,
                4,
                1,
                Optional.of(new GoldenHashes("ab", "cd", "ef"))));
  }

  @Test
  void changesOnlyTheCasesThatHaveANewAnswer() throws IOException {
    file("# for people", OFFICE, "", INTEL)
        .write(Map.of("office", new GoldenHashes("12", "34", "56")));
    assertThat(folder.resolve("golden.tsv"))
        .hasContent(
            String.join("\n", "# for people", OFFICE.replace("-\t-\t-", "12\t34\t56"), "", INTEL));
  }

  @Test
  void namesALineThatIsNone() throws IOException {
    GoldenFile short7 = file(OFFICE, "intel\t../intel.clf\t80");
    assertThatThrownBy(short7::cases)
        .isInstanceOf(ExitException.class)
        .hasMessageContaining("golden.tsv, line 2: 3 cells");
  }

  @Test
  void aCaseSetsWhatItsLineAndTheEngineSay() throws IOException {
    RootSettings settings = file(OFFICE).cases().get(0).settings(GoldenEngine.BSP_4);
    assertThat(settings.slam().particles()).isEqualTo(30);
    assertThat(settings.slam().seed()).isEqualTo(7);
    assertThat(settings.topology().mode()).isEqualTo(ResamplingMode.BSP);
    assertThat(settings.topology().tasks()).isEqualTo(4);
  }
}
