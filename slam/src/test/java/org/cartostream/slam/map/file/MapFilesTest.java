package org.cartostream.slam.map.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Quick
class MapFilesTest {

  private static final OccupancyGrid GRID =
      new OccupancyGrid(3, 2, 0.05, -1.5, 2.25, new byte[] {0, 19, 20, 64, 65, -1});

  @TempDir private Path folder;

  @Test
  void writesThePictureThatMapSaverWouldWrite() throws IOException {
    MapFiles.write(GRID, folder.resolve("new"));

    byte[] bytes = Files.readAllBytes(folder.resolve("new").resolve("map.pgm"));
    int cells = bytes.length - 6;
    assertThat(new String(bytes, 0, cells, StandardCharsets.US_ASCII))
        .isEqualTo("P5\n# CREATOR: cartostream 0.050 m/pix\n3 2\n255\n");
    // The upper row first: unknown between the thresholds, occupied, unknown; free, free, unknown.
    assertThat(Arrays.copyOfRange(bytes, cells, bytes.length))
        .containsExactly(205, 0, 205, 254, 254, 205);
  }

  @Test
  void everyCellIsToMapServerWhatItWasInTheGrid() throws IOException {
    MapFiles.write(GRID, folder);
    byte[] bytes = Files.readAllBytes(folder.resolve("map.pgm"));
    byte[] expected = {-1, 100, -1, 0, 0, -1};

    for (int i = 0; i < 6; i++) {
      // map_server's image_loader: the share of darkness against the two thresholds.
      double occupied = (255 - (bytes[bytes.length - 6 + i] & 0xff)) / 255.0;
      int loaded = occupied > 0.65 ? 100 : occupied < 0.196 ? 0 : -1;
      assertThat(loaded).as("cell %d", i).isEqualTo(expected[i]);
    }
  }

  @Test
  void describesThePictureAsMapServerReadsIt() throws IOException {
    MapFiles.write(GRID, folder);

    assertThat(folder.resolve("map.yaml"))
        .hasContent(
            """
            image: map.pgm
            resolution: 0.050000
            origin: [-1.500000, 2.250000, 0.000000]
            negate: 0
            occupied_thresh: 0.65
            free_thresh: 0.196
            """);
  }

  @Test
  void drawsWallsWhereTheyAreAndTheWayFromGreenToRed() throws IOException {
    byte[] cells = new byte[100 * 50];
    Arrays.fill(cells, 99 * 50, 100 * 50, (byte) -1);
    cells[10 * 100 + 90] = 100; // 9 m to the right, 1 m up.
    OccupancyGrid grid = new OccupancyGrid(100, 50, 0.1, 0, 0, cells);
    List<StampedPose> way =
        List.of(new StampedPose(0, new Pose(2, 4, 0)), new StampedPose(1, new Pose(8, 4, 0)));

    MapPicture.write(grid, way, folder);

    BufferedImage image = ImageIO.read(folder.resolve("map.png").toFile());
    assertThat(image.getWidth()).isEqualTo(800);
    assertThat(image.getHeight()).isEqualTo(400);
    assertThat(image.getRGB(90 * 8 + 4, 400 - 10 * 8 - 4) & 0xffffff).isLessThan(0x202020);
    assertThat(image.getRGB(50 * 8, 400 - 30 * 8) & 0xffffff).isEqualTo(0xffffff);
    assertThat(green(image.getRGB(160, 80))).isGreaterThan(red(image.getRGB(160, 80)));
    assertThat(red(image.getRGB(640, 80))).isGreaterThan(green(image.getRGB(640, 80)));
    assertThat(image.getRGB(400, 80) & 0xff).as("blue line").isGreaterThan(200);
  }

  @Test
  void drawsALargeMapSmallerWithoutLosingThinWalls() throws IOException {
    byte[] cells = new byte[9000 * 10];
    cells[5 * 9000 + 4444] = 100;
    OccupancyGrid grid = new OccupancyGrid(9000, 10, 0.05, 0, 0, cells);

    MapPicture.write(grid, List.of(), folder);

    BufferedImage image = ImageIO.read(folder.resolve("map.png").toFile());
    assertThat(image.getWidth()).isEqualTo(3000);
    assertThat(image.getRGB(4444 / 3, image.getHeight() - 1 - 5 / 3) & 0xff).isLessThan(30);
  }

  @Test
  void drawsTheSmallestMap() throws IOException {
    MapPicture.write(new OccupancyGrid(1, 1, 0.05, 0, 0, new byte[1]), List.of(), folder);
    MapPicture.write(new OccupancyGrid(0, 0, 0.05, 0, 0, new byte[0]), List.of(), folder);

    assertThat(folder.resolve("map.png")).isNotEmptyFile();
  }

  /** Of four rooms one was never seen. */
  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "0, 1", "1, 1"})
  void theScaleBarStandsWhereItHidesNothing(int unseenX, int unseenY) throws IOException {
    byte[] cells = new byte[100 * 100];
    for (int i = 0; i < cells.length; i++) {
      boolean seen = i % 100 / 50 != unseenX || i / 100 / 50 != unseenY;
      cells[i] = (byte) (seen ? 0 : -1);
    }

    MapPicture.write(new OccupancyGrid(100, 100, 0.1, 0, 0, cells), List.of(), folder);

    BufferedImage image = ImageIO.read(folder.resolve("map.png").toFile());
    for (int room = 0; room < 4; room++) {
      int left = room % 2 * 400;
      int top = room / 2 == 0 ? 400 : 0;
      long black =
          IntStream.range(0, 400 * 400)
              .filter(i -> (image.getRGB(left + i % 400, top + i / 400) & 0xffffff) == 0)
              .count();
      assertThat(black > 0).as("a bar in room %d", room).isEqualTo(room == unseenX + 2 * unseenY);
    }
  }

  @Test
  void theScaleBarHasARoundLength() {
    assertThat(MapPicture.roundLength(9.9)).isEqualTo(5);
    assertThat(MapPicture.roundLength(4.9)).isEqualTo(2);
    assertThat(MapPicture.roundLength(1.9)).isEqualTo(1);
    assertThat(MapPicture.roundLength(250)).isEqualTo(200);
  }

  private static int red(int rgb) {
    return rgb >> 16 & 0xff;
  }

  private static int green(int rgb) {
    return rgb >> 8 & 0xff;
  }
}
