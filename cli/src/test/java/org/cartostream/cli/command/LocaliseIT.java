package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.run.report.RunReport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log that is localised by Storm, in this process. */
class LocaliseIT {

  private static final int SCANS = 60;

  @TempDir private static Path maps;
  private static Path serial;
  @TempDir private Path folder;

  @BeforeAll
  static void mapTheOfficeAndLocaliseInOneThread() {
    Cartostream run =
        Cartostream.run(
            "replay", Logs.OFFICE, "--engine", "serial", "--limit", SCANS, "--out", maps);
    assertThat(run.exitCode()).isZero();
    serial = maps.resolve("serial");
    assertThat(localise(serial, "--engine", "serial").exitCode()).isZero();
  }

  private static Cartostream localise(Path out, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("replay", Logs.OFFICE, "--limit", SCANS));
    all.addAll(List.of("--localise", maps.resolve("map.yaml"), "--out", out));
    all.addAll(List.of("--at", "0.1,-0.1,0.05", "--particles", 500));
    all.addAll(List.of(arguments));
    return Cartostream.run(all.toArray());
  }

  @ParameterizedTest
  @CsvSource({"dataflow, 1", "dataflow, 3", "bsp, 2"})
  void givesTheBytesOfOneThread(String mode, int tasks) throws IOException {
    Cartostream run = localise(folder, "--mode", mode, "--tasks", tasks);

    assertThat(run.err()).doesNotContain("cartostream:");
    assertThat(run.exitCode()).isZero();
    for (String file : List.of("trajectory.tum", "live.tum", "quality.csv", "map.png")) {
      assertThat(folder.resolve(file)).hasSameBinaryContentAs(serial.resolve(file));
    }
    assertThat(folder.resolve("map.yaml")).doesNotExist();
    assertThat(folder.resolve("run.state")).doesNotExist();
    JsonNode here = report(folder);
    JsonNode there = report(serial);
    assertThat(here.at("/localisation")).isEqualTo(there.at("/localisation"));
    assertThat(here.at("/resamplings")).isEqualTo(there.at("/resamplings"));
  }

  private static JsonNode report(Path out) throws IOException {
    return RunReport.json().readTree(out.resolve("report.json").toFile());
  }

  @Test
  void aMapThatIsTooLargeForAServiceIsNamed() {
    Cartostream run = localise(folder, "--set", "localisation.mostMapCells=1000");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.complaint())
        .startsWith("--localise " + maps.resolve("map.yaml") + ": the known map has ")
        .contains("at most 1000 are taken (localisation.mostMapCells)");
    assertThat(Files.exists(folder.resolve("trajectory.tum"))).isFalse();
  }
}
