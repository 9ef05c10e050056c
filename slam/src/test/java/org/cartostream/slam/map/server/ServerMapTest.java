package org.cartostream.slam.map.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import javax.imageio.ImageIO;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class ServerMapTest {

  private static final String HEAD = "image: map.pgm\nresolution: 0.1\norigin: [0, 0, 0]\n";

  @TempDir private Path folder;

  private ServerMap read(String yaml) throws IOException {
    Path file = folder.resolve("map.yaml");
    Files.writeString(file, yaml);
    return ServerMap.read(file);
  }

  private void picture(String header, int... shades) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(header.getBytes(StandardCharsets.US_ASCII));
    for (int shade : shades) {
      out.write(shade);
    }
    Files.write(folder.resolve("map.pgm"), out.toByteArray());
  }

  /** A row with every shade of grey, white last. */
  private void allShades() throws IOException {
    picture("P5 256 1 255\n", IntStream.range(0, 256).toArray());
  }

  @Test
  void whatIsLeftEmptyHasItsDefault() throws IOException {
    allShades();

    ServerMap map = read(HEAD + "mode:\nnegate:\noccupied_thresh:\nfree_thresh: ''\n");

    assertThat(map).usingRecursiveComparison().isEqualTo(read(HEAD));
    assertThatThrownBy(() -> read("image: map.pgm\nresolution:\norigin: [0, 0, 0]\n"))
        .hasMessageContaining("has no resolution");
  }

  /** It would take a GB, though its pixels are no more than those of a grey one that is read. */
  @Test
  void aPictureOfManyNumbersIsRefused() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(out);
    data.writeLong(0x89504e470d0a1a0aL);
    ByteBuffer head = ByteBuffer.allocate(17).put("IHDR".getBytes(StandardCharsets.US_ASCII));
    head.putInt(8000).putInt(8000).put(new byte[] {16, 2, 0, 0, 0}); // 16 bits, colour.
    chunk(data, head.array());
    chunk(data, "IDAT and more".getBytes(StandardCharsets.US_ASCII));
    chunk(data, "IEND".getBytes(StandardCharsets.US_ASCII));
    Files.write(folder.resolve("map.pgm"), out.toByteArray());

    assertThatThrownBy(() -> read(HEAD))
        .hasMessageContaining("has 8000 x 8000 pixels of 3 numbers each; at most 64000000 numbers");
  }

  /** A PNG of this head and one line of white pixels, which has more chunks before that. */
  private void png(int width, int height, byte[]... further) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(out);
    data.writeLong(0x89504e470d0a1a0aL);
    ByteBuffer head = ByteBuffer.allocate(17).put("IHDR".getBytes(StandardCharsets.US_ASCII));
    chunk(data, head.putInt(width).putInt(height).put(new byte[] {8, 0, 0, 0, 0}).array());
    for (byte[] each : further) {
      chunk(data, each);
    }
    chunk(data, packed("IDAT", new byte[] {0, -1, -1, -1}));
    chunk(data, "IEND".getBytes(StandardCharsets.US_ASCII));
    Files.write(folder.resolve("map.pgm"), out.toByteArray());
  }

  /** What follows a chunk's beginning, packed as a PNG has it. */
  private static byte[] packed(String beginning, byte[] content) throws IOException {
    ByteArrayOutputStream chunk = new ByteArrayOutputStream();
    chunk.writeBytes(beginning.getBytes(StandardCharsets.US_ASCII));
    try (DeflaterOutputStream out = new DeflaterOutputStream(chunk)) {
      out.write(content);
    }
    return chunk.toByteArray();
  }

  @Test
  void sizesThatAPictureOnlyClaimsAreRefused() throws IOException {
    png(Integer.MAX_VALUE, Integer.MAX_VALUE);
    assertThatThrownBy(() -> read(HEAD))
        .hasMessageContaining("2147483647 x 2147483647 pixels; 1 to");
    png(-1, 3);
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("map.pgm is cut off or damaged");
    png(30, 3);
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("map.pgm is cut off or damaged");
    picture("P5 60000 60000 255\n", 254);
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("60000 x 60000 pixels; 1 to");
    picture("P2 8000 8000 255\n", '9');
    assertThatThrownBy(() -> read(HEAD))
        .hasMessageContaining("is cut off: 8000 x 8000 pixels take");
    Files.write(folder.resolve("map.pgm"), new byte[0]);
    assertThatThrownBy(() -> read(HEAD))
        .hasMessageContaining("is no picture of a map: it has 0 bytes");
  }

  /** Each unpacks to 16 MB, of which a reader of pictures would make a text. */
  @Test
  void textsInAPictureAreNotUnpacked() throws IOException {
    byte[] letters = new byte[16 << 20];
    Arrays.fill(letters, (byte) 'l');
    png(
        3,
        1,
        packed("zTXta\0\0", letters),
        packed("iTXta\0\1\0\0\0", letters),
        packed("iCCPa\0\0", letters));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(read(HEAD).grid().cells()).containsExactly(0, 0, 0);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(8 << 20);
  }

  @Test
  void whatAStrangersDescriptionNamesIsCheckedFirst() throws IOException {
    allShades();
    String rest = "\nresolution: 0.1\norigin: ";
    String good = "image: map.pgm" + rest;
    String lists = "[a, a]";
    StringBuilder aliases = new StringBuilder();
    for (int i = 0; i < 23; i++) {
      aliases.append("a%d: &a%d %s%n".formatted(i, i, lists));
      lists = "[*a%d, *a%d]".formatted(i, i);
    }
    String[][] cases = {
      {"image: " + "n".repeat(100_000) + rest + "[0, 0, 0]", "image is 'nnn"},
      {"image: \"a\\0b\"" + rest + "[0, 0, 0]", "image is 'a?b'; it must be the picture's file"},
      {"image: none.pgm" + rest + "[0, 0, 0]", "there is no picture "},
      {"image: /dev/zero" + rest + "[0, 0, 0]", "/dev/zero is no picture of a map: it is no file"},
      {"image: " + "../".repeat(20) + "dev/zero" + rest + "[0, 0, 0]", "map: it is no file but"},
      {"image: /etc/passwd" + rest + "[0, 0, 0]", "is no picture; a PGM"},
      {"image: /proc/kmsg" + rest + "[0, 0, 0]", "it has 0 bytes"},
      {"image: !!javax.script.ScriptEngineManager [a]" + rest + "[0, 0, 0]", "is no YAML"},
      {good + "&a [[*a]]", "is no YAML"},
      {aliases + good + "*a22", "is no YAML"},
      {good + "[".repeat(20_000) + "]".repeat(20_000), "is no YAML: Nesting Depth"},
      {good + "[0, 0, 0]\n" + "# ".repeat(500_001), "at most 1000000 are read"},
      {"", "is empty; image, resolution and origin are needed"},
    };
    for (String[] each : cases) {
      assertThatThrownBy(() -> read(each[0]))
          .isInstanceOf(FileFormatException.class)
          .message()
          .contains(each[1])
          .hasSizeLessThan(500);
    }
    assertThatThrownBy(() -> ServerMap.read(Path.of("/dev/zero")))
        .hasMessageContaining(
            "/dev/zero is no map's YAML file: it is no file but a folder, a pipe");
  }

  private static void chunk(DataOutputStream out, byte[] nameAndContent) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(nameAndContent);
    out.writeInt(nameAndContent.length - 4);
    out.write(nameAndContent);
    out.writeInt((int) crc.getValue());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void whatWasWrittenIsRead(long seed) throws IOException {
    Random random = new Random(seed);
    int width = 1 + random.nextInt(60);
    int height = 1 + random.nextInt(60);
    byte[] cells = new byte[width * height];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = new byte[] {0, 100, -1}[random.nextInt(3)];
    }
    cells[0] = 0;
    double x = Math.rint(1e6 * (random.nextDouble() - 0.5)) / 1e4;
    OccupancyGrid grid = new OccupancyGrid(width, height, 0.05, x, -x, cells);

    MapFiles.write(grid, folder);
    ServerMap map = ServerMap.read(folder.resolve(MapFiles.DESCRIPTION));

    assertThat(map.grid().cells()).as("seed %d", seed).isEqualTo(cells);
    assertThat(map.grid().width()).isEqualTo(width);
    assertThat(map.grid().resolution()).isEqualTo(0.05);
    assertThat(map.origin()).isEqualTo(new Pose(x, -x, 0));
  }

  /**
   * The formula that wiki.ros.org/map_server states: occ = (255 - shade) / 255.0. But 205, which
   * its map_saver writes for unknown, is never free.
   */
  @ParameterizedTest
  @CsvSource({"0, 0.65, 0.196", "1, 0.65, 0.196", "0, 0.8, 0.2", "1, 0.5, 0.5"})
  void eachShadeIsWhatMapServerTakesItFor(int negate, double occupied, double free)
      throws IOException {
    allShades();

    String keys = "negate: %d\noccupied_thresh: %s\nfree_thresh: %s\n";
    ServerMap map = read(HEAD + keys.formatted(negate, occupied, free));
    ServerMap scaled = read(HEAD + "mode: scale\n" + keys.formatted(negate, occupied, free));

    for (int shade = 0; shade < 256; shade++) {
      double dark = (negate == 1 ? shade : 255 - shade) / 255.0;
      int expected = dark > occupied ? 100 : dark < free ? 0 : -1;
      if (shade == 205 && expected == 0) {
        assertThat(map.grid().at(shade, 0)).isEqualTo(OccupancyGrid.UNKNOWN);
        continue;
      }
      assertThat(map.grid().at(shade, 0)).as("shade %d", shade).isEqualTo((byte) expected);
      assertThat(map.isOccupied(shade)).isEqualTo(expected == 100);
      assertThat(map.isFree(shade)).isEqualTo(expected == 0);
      assertThat(scaled.isOccupied(shade)).isEqualTo(expected == 100);
      assertThat(scaled.isFree(shade)).isEqualTo(expected == 0);
      if (expected < 0) {
        double percent = 100 * (dark - free) / (occupied - free);
        assertThat((double) scaled.grid().at(shade, 0)).isCloseTo(percent, within(1.5));
      }
    }
  }

  @Test
  void aRawShadeIsTheCellsNumber() throws IOException {
    allShades();

    ServerMap map = read(HEAD + "mode: raw\noccupied_thresh: 0.6\nfree_thresh: 0.25\n");

    for (int shade = 0; shade < 256; shade++) {
      assertThat(map.grid().at(shade, 0)).isEqualTo((byte) (shade <= 100 ? shade : -1));
      assertThat(map.isOccupied(shade)).isEqualTo(shade >= 60 && shade <= 100);
      assertThat(map.isFree(shade)).isEqualTo(shade <= 25);
    }
  }

  @Test
  void keysThatAreLeftOutHaveNav2sDefaults() throws IOException {
    allShades();

    ServerMap map = read(HEAD);

    // occupied_thresh 0.65 and free_thresh 0.25: 255 - 0.65 * 255 = 89.25, 255 - 63.75 = 191.25.
    assertThat(map.isOccupied(89)).isTrue();
    assertThat(map.isOccupied(90)).isFalse();
    assertThat(map.isFree(192)).isTrue();
    assertThat(map.isFree(191)).isFalse();
  }

  @Test
  void picturesInTextAndOfSixteenBitsAreRead() throws IOException {
    picture("P2\n# made by hand\n3 2 # three by two\n15\n0 15 15\n15 0 15");
    assertThat(read(HEAD).grid().cells()).containsExactly(0, 100, 0, 100, 0, 0);

    picture("P5 2 1 65535\n", 0xff, 0xff, 0x00, 0xff);
    assertThat(read(HEAD).grid().cells()).containsExactly(0, 100);
  }

  /** Netpbm's six forms, of one picture of 10 x 2 pixels: white but for the first, black one. */
  @ParameterizedTest
  @ValueSource(strings = {"P1", "P1 ", "P2", "P3", "P4", "P5", "P6"})
  void eachFormOfNetpbmIsRead(String form) throws IOException {
    boolean bits = form.startsWith("P1") || form.equals("P4");
    int channels = form.equals("P3") || form.equals("P6") ? 3 : 1;
    StringBuilder text = new StringBuilder(form.strip() + "\n10 2\n" + (bits ? "" : "255\n"));
    List<Integer> bytes = new ArrayList<>(form.equals("P4") ? List.of(0x80, 0, 0, 0) : List.of());
    for (int i = 0; i < 20 * channels; i++) {
      int shade = i < channels ? 0 : 255;
      if (bits) {
        text.append(form.equals("P4") ? "" : (shade == 0 ? "1" : "0") + form.substring(2));
      } else if (form.charAt(1) < '4') {
        text.append(shade).append(' ');
      } else {
        bytes.add(shade);
      }
    }
    picture(text.toString(), bytes.stream().mapToInt(Integer::intValue).toArray());
    byte[] expected = new byte[20];
    expected[10] = 100;
    assertThat(read(HEAD).grid().cells()).containsExactly(expected);
    picture(text.substring(0, text.length() - (bytes.isEmpty() ? bits ? 2 : 4 : 0)));
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("cut off");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bmp", "gif", "tiff", "jpg"})
  void otherPicturesHaveTheShadesOfTheirFile(String format) throws IOException {
    BufferedImage image = new BufferedImage(48, 16, BufferedImage.TYPE_BYTE_GRAY);
    int[] shades = {254, 205, 0};
    for (int x = 0; x < 48; x++) {
      for (int y = 0; y < 16; y++) {
        image.getRaster().setSample(x, y, 0, shades[x / 16]);
      }
    }
    assertThat(ImageIO.write(image, format, folder.resolve("map.pgm").toFile())).isTrue();
    ServerMap map = read(HEAD + "free_thresh: 0.196\n");
    assertThat(List.of(map.grid().at(8, 8), map.grid().at(24, 8), map.grid().at(40, 8)))
        .containsExactly((byte) 0, (byte) -1, (byte) 100);
  }

  /** Grey is red, green and blue, and opacity a fourth: map_io.cpp of nav2_map_server. */
  @Test
  void greyWithOpacityIsThreeQuartersGrey() throws IOException {
    ColorModel model =
        new ComponentColorModel(
            ColorSpace.getInstance(ColorSpace.CS_GRAY),
            true,
            false,
            Transparency.TRANSLUCENT,
            DataBuffer.TYPE_BYTE);
    WritableRaster raster = model.createCompatibleWritableRaster(4, 1);
    int[][] pixels = {{0, 255}, {254, 255}, {205, 255}, {40, 255}};
    for (int x = 0; x < 4; x++) {
      raster.setPixel(x, 0, pixels[x]);
    }
    BufferedImage image = new BufferedImage(model, raster, false, null);
    ImageIO.write(image, "png", folder.resolve("map.pgm").toFile());
    // (3 x 0 + 255) / 4 is 0.25 of white, 0.75 of black; (3 x 40 + 255) / 4 is 0.63 of black.
    assertThat(read(HEAD).grid().cells()).containsExactly(100, 0, -1, -1);
  }

  private List<String> notes(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("map.yaml"), yaml);
    return ServerMap.notes(file);
  }

  @Test
  void whatIsUnlikeMapServerIsNoted() throws IOException {
    picture("P5 3 1 255\n", 0, 205, 254);
    assertThat(notes(HEAD + "free_thresh: 0.196\n")).isEmpty();
    assertThat(notes(HEAD))
        .singleElement()
        .asString()
        .contains("1 cells of shade 205", "by free_thresh 0.25");
    picture("P5 3 1 255\n", 254, 206, 254);
    assertThat(notes(HEAD)).singleElement().asString().contains("no cell is occupied");

    int[] solid = new int[20 * 20];
    solid[0] = 254;
    picture("P5 20 20 255\n", solid);
    assertThat(notes(HEAD)).singleElement().asString().contains("only the rim counts");
    ServerMap map = read(HEAD);
    long surface = IntStream.range(0, 400).filter(map::isSurface).count();
    assertThat(surface).as("the cells about the free one, in the corner").isEqualTo(3);
  }

  @Test
  void openCvsHeadIsReadOver() throws IOException {
    picture("P5 2 1 255\n", 254, 0);
    assertThat(read("%YAML:1.0\n---\n" + HEAD).grid().cells()).containsExactly(0, 100);
  }

  @Test
  void pngsHaveTheShadesOfTheirFile() throws IOException {
    String yaml = "image: map.png\nresolution: 0.05\norigin: [0, 0, 0]\nmode: raw\n";
    int[] shades = {0, 10, 40, 77, 100, 205};
    for (int type :
        new int[] {
          BufferedImage.TYPE_BYTE_GRAY,
          BufferedImage.TYPE_USHORT_GRAY,
          BufferedImage.TYPE_INT_RGB,
          BufferedImage.TYPE_INT_ARGB,
          BufferedImage.TYPE_BYTE_INDEXED
        }) {
      BufferedImage image =
          type == BufferedImage.TYPE_BYTE_INDEXED
              ? new BufferedImage(6, 1, type, palette())
              : new BufferedImage(6, 1, type);
      int bands = image.getRaster().getNumBands();
      for (int x = 0; x < 6; x++) {
        int shade = type == BufferedImage.TYPE_USHORT_GRAY ? shades[x] * 257 : shades[x];
        int[] pixel = {shade, shade, shade, 255};
        image.getRaster().setPixel(x, 0, Arrays.copyOf(pixel, bands));
      }
      ImageIO.write(image, "png", folder.resolve("map.png").toFile());

      assertThat(read(yaml).grid().cells())
          .as("type %d", type)
          .containsExactly(0, 10, 40, 77, 100, -1);
    }
  }

  private static IndexColorModel palette() {
    byte[] grey = new byte[256];
    for (int i = 0; i < grey.length; i++) {
      grey[i] = (byte) i;
    }
    return new IndexColorModel(8, 256, grey, grey, grey);
  }

  @Test
  void whatIsTransparentIsUnknownInAScale() throws IOException {
    BufferedImage image = new BufferedImage(2, 1, BufferedImage.TYPE_INT_ARGB);
    image.setRGB(0, 0, 0xffffffff);
    image.setRGB(1, 0, 0x00ffffff);
    ImageIO.write(image, "png", folder.resolve("map.pgm").toFile()); // By content, not by name.

    assertThat(read(HEAD + "mode: scale\n").grid().cells()).containsExactly(0, -1);
  }

  @Test
  void aTurnedGridLiesWhereItsOriginHasIt() throws IOException {
    picture("P5 3 2 255\n", 254, 254, 0, 254, 254, 254);

    ServerMap map =
        read("image: map.pgm\nresolution: 0.5\norigin: [10, 20, 1.5707963267948966]\nnegate: no\n");

    // By hand: its x axis points along y, its y axis against x. The wall is column 2 of the upper
    // row, so between 1 m and 1.5 m along the one and 0.5 m and 1 m along the other.
    assertThat(map.isOccupied(map.cellOf(new Pose(9.25, 21.25, 3)))).isTrue();
    assertThat(map.isOccupied(map.cellOf(new Pose(9.75, 21.25, 3)))).isFalse();
    assertThat(map.cellOf(new Pose(10.1, 20.1, 0))).isEqualTo(-1);
    assertThat(map.cellOf(new Pose(8.9, 20.1, 0))).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "resolution: 0.1~origin: [0, 0, 0]                | has no image; image, resolution and",
        "image: map.pgm~origin: [0, 0, 0]                 | has no resolution",
        "image: map.pgm~resolution: 0.1                   | has no origin",
        "image: map.pgm~resolution:~origin: [0, 0, 0]     | has no resolution",
        "image: gone.pgm~resolution: 0.1~origin: [0, 0, 0]| there is no picture",
        "image: .~resolution: 0.1~origin: [0, 0, 0]       | is no picture of a map: it is no file",
        "image: map.pgm~resolution: 0~origin: [0, 0, 0]   | resolution is '0'; it must be a number",
        "image: map.pgm~resolution: -1~origin: [0, 0, 0]  | resolution is '-1'",
        "image: map.pgm~resolution: 5 cm~origin: [0, 0, 0]| resolution is '5 cm'",
        "image: map.pgm~resolution: .nan~origin: [0, 0, 0]| resolution is '.nan'",
        "image: map.pgm~resolution: [1]~origin: [0, 0, 0] | resolution is '[1]'; it must be a single",
        "image: map.pgm~resolution: 0.1~origin: [0, .nan, 0] | origin is '[0, .nan, 0]'; it must be",
        "image: map.pgm~resolution: 0.1~origin: [0, NaN, 0]  | origin is '[0, NaN, 0]'",
        "image: map.pgm~resolution: 0.1~origin: [0, 0]       | origin is '[0, 0]'; it must be three",
        "image: map.pgm~resolution: 0.1~origin: 0            | origin is '0'",
        "image: map.pgm~resolution: 0.1~origin: [0,0,0]~mode: grey       | mode is 'grey'; it must be",
        "image: map.pgm~resolution: 0.1~origin: [0,0,0]~negate: 2        | negate is '2'; it must be 0",
        "image: map.pgm~resolution: 0.1~origin: [0,0,0]~occupied_thresh: 65 | occupied_thresh is '65'",
        "image: map.pgm~resolution: 0.1~origin: [0,0,0]~free_thresh: 0.7 | free_thresh is '0.7'; it",
        "image: map.pgm~resolution: 0.1~origin: [0,0,0]~negate: 1        | no cell of",
        "image: map.pgm~resolution: 0 .1~origin: [0,0,0]  | , line 2: resolution is '0 .1'; it must",
        "image: map.pgm~resolution 0.1~origin: [0, 0, 0]  | is no YAML: line 3, 'origin: [0, 0, 0]':",
        "image: map.pgm~~  x: [~y: 1                      | is no YAML: line 3, 'x: [':",
        "image: map.pgm~image: b.pgm                      | is no YAML",
        "image: [                                         | is no YAML",
        "just text                                        | has no keys and values",
      })
  void whatIsWrongInTheDescriptionIsNamed(String yaml, String sentence) throws IOException {
    picture("P5 2 1 255\n", 254, 254);

    assertThatThrownBy(() -> read(yaml.replace("~", "\n")))
        .hasMessageContaining("map")
        .hasMessageContaining(sentence);
  }

  @Test
  void whatIsWrongInThePictureIsNamed() throws IOException {
    picture("P5 3 2 255\n", 254, 254, 254, 254, 254);
    assertThatThrownBy(() -> read(HEAD))
        .hasMessageEndingWith("map.pgm is cut off: 3 x 2 pixels take 6 bytes, and there are 5");

    picture("P2 2 1 255\n254 300\n");
    assertThatThrownBy(() -> read(HEAD))
        .hasMessageEndingWith("pixel 1 is '300'; it must be a number from 0 to 255");

    picture("P2 2 2 255\n254 x 1 1\n");
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("pixel 1 is 'x'");

    picture("P5 2");
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("it ends before the height");

    picture("P5 0 7 255\n");
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("0 x 7 pixels");

    picture("P5 2000000000 2000000000 255\n");
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("2000000000 x 2000000000 pixels");

    picture("P5 32768 1 255\n");
    assertThatThrownBy(() -> read(HEAD))
        .hasMessageContaining("has 32768 x 1 pixels; a side of 32767 is the longest");
    picture("P5 1 1 0\n", 0);
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("the number for white is 0");

    picture("no picture at all");
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("is no picture; a PGM");

    BufferedImage image = new BufferedImage(99, 99, BufferedImage.TYPE_BYTE_GRAY);
    image.getRaster().setSamples(0, 0, 99, 99, 0, new Random(1).ints(9801, 0, 256).toArray());
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(image, "png", png);
    Files.write(folder.resolve("map.pgm"), Arrays.copyOf(png.toByteArray(), png.size() / 2));
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("map.pgm is cut off or damaged");
  }

  @Test
  void aPictureInPlaceOfTheDescriptionIsNamed() throws IOException {
    picture("P5 2 1 255\n", 254, 254);

    assertThatThrownBy(() -> ServerMap.read(folder.resolve("map.pgm")))
        .hasMessageContaining("map.pgm is no YAML");
    assertThatThrownBy(() -> ServerMap.read(folder)).hasMessageContaining("is a folder");
  }

  @Test
  void damageOfAnyKindIsAnIoException() throws IOException {
    String good = HEAD + "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.2\n";
    String pgm =
        "P2\n# c\n4 4\n255\n"
            + IntStream.range(0, 16).mapToObj(i -> "254").collect(Collectors.joining(" "));
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      byte[] yaml = changed(good, random);
      Files.write(folder.resolve("map.pgm"), changed(pgm, random));
      Files.write(folder.resolve("map.yaml"), yaml);
      try {
        ServerMap.read(folder.resolve("map.yaml"));
      } catch (IOException refused) {
        assertThat(refused.getMessage()).as("seed %d", seed).contains("map");
      }
    }
  }

  private static byte[] changed(String text, Random random) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    for (int i = random.nextInt(3); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(128);
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
  }
}
