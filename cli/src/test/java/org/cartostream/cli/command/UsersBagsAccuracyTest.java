package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.report.RunReport;
import org.cartostream.testing.Default;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Maps of bags as users have them, from {@code ../shared/inputs}, beside the truth. */
@Default(computes = true)
class UsersBagsAccuracyTest {

  private static final double RESOLUTION = 0.05;

  /** A wall of the map is where one is if it is no more than 0.15 m away. */
  private static final int NEAR_CELLS = 3;

  @TempDir private Path folder;

  private double ate(String name, Object... more) throws IOException {
    Path bag = TestFiles.usersFile(name);
    String truth = name.replaceAll("\\.[a-z]+$", ".truth.tum");
    List<Object> all = new ArrayList<>(List.of("replay", "--engine", "serial", bag));
    all.addAll(List.of("--out", folder.resolve(name), "--particles", 20));
    all.addAll(List.of("--reference", TestFiles.usersFile(truth)));
    all.addAll(List.of(more));
    Cartostream.run(new ShutdownRequest(), all.toArray());
    return RunReport.json()
        .readTree(folder.resolve(name).resolve(RunReport.FILE).toFile())
        .at("/accuracy/ateMetres")
        .asDouble();
  }

  /** Occupied cells by their place; all drives begin at the same one. */
  private Set<List<Long>> occupied(String name) throws IOException {
    byte[] picture = Files.readAllBytes(folder.resolve(name).resolve("map.pgm"));
    String yaml = Files.readString(folder.resolve(name).resolve("map.yaml"));
    String[] origin = yaml.split("origin: \\[")[1].split("\\]")[0].split(",");
    String[] header =
        new String(picture, 0, 200, StandardCharsets.ISO_8859_1)
            .replaceAll("#[^\n]*\n", "")
            .split("\\s+");
    int width = Integer.parseInt(header[1]);
    int height = Integer.parseInt(header[2]);
    Set<List<Long>> cells = new HashSet<>();
    for (int i = 0; i < width * height; i++) {
      if (picture[picture.length - width * height + i] == 0) {
        long column = Math.round(Double.parseDouble(origin[0]) / RESOLUTION) + i % width;
        long row = Math.round(Double.parseDouble(origin[1]) / RESOLUTION) - i / width + height - 1;
        cells.add(List.of(column, row));
      }
    }
    return cells;
  }

  /** Share of a map's occupied cells that are far from those of an undisturbed drive's map. */
  private double falseShare(String name) throws IOException {
    Set<List<Long>> walls = new HashSet<>();
    for (List<Long> wall : occupied("c20_static_two_conns.bag")) {
      for (long x = -NEAR_CELLS; x <= NEAR_CELLS; x++) {
        for (long y = -NEAR_CELLS; y <= NEAR_CELLS; y++) {
          if (x * x + y * y <= NEAR_CELLS * NEAR_CELLS) {
            walls.add(List.of(wall.get(0) + x, wall.get(1) + y));
          }
        }
      }
    }
    Set<List<Long>> cells = occupied(name);
    assertThat(cells).hasSizeGreaterThan(1000);
    return cells.stream().filter(cell -> !walls.contains(cell)).count() / (double) cells.size();
  }

  @Test
  void undistortsSweeps() throws IOException {
    assertThat(ate("c20_static_two_conns.bag")).isLessThan(0.015);
    assertThat(ate("c14_skew.bag")).isLessThan(0.02);
    assertThat(falseShare("c14_skew.bag")).isLessThan(0.02);
    ate("c14_skew.bag", "--set", "ros.undistortSweeps=false");
    assertThat(falseShare("c14_skew.bag")).as("as they are").isGreaterThan(0.05);
  }

  @ParameterizedTest
  @CsvSource({"c01_ld19_varying.mcap", "c05_upside_asym.bag"})
  void leavesWhatIsRight(String name) throws IOException {
    assertThat(ate(name)).isLessThan(0.015);
  }
}
