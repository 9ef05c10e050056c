package org.cartostream.slam.map.server;

import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.cartostream.settings.file.PrintableText;
import org.cartostream.settings.file.RegularFile;
import org.cartostream.slam.file.FileFormatException;

/**
 * The image of a map as ROS's map_server reads it: PBM, PGM and PPM in text or bytes, PNG, BMP,
 * GIF, JPEG and TIFF. Shades are the numbers in the file; no colour profile is applied.
 *
 * @param channels samples per pixel: 1 for grey, 3 for colours, and one more for opacity
 * @param maximum the greatest sample, which is white
 * @param samples row by row from the top, the channels of a pixel side by side
 */
record MapImage(int width, int height, int channels, int maximum, char[] samples) {

  /** Maximum number of cells: a square of 400 m in cells of 5 cm, which fills a heap of 1 GB. */
  private static final long MAX_CELLS = 64_000_000;

  /** Heap for each cell while a picture is read and the map made of it, bytes. */
  private static final int CELL_BYTES = 16;

  private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory();

  /**
   * Maximum number of samples. While an image is read each sample is held twice, in two bytes: this
   * takes a quarter of the heap.
   */
  private static final long MAX_SAMPLES = Math.min(MAX_CELLS, HEAP_BYTES / CELL_BYTES);

  /**
   * Maximum width and height: the square of a longer side would overflow the distance transform.
   */
  private static final int MAX_SIDE_PIXELS = 32_767;

  /** Maximum size of a file, bytes: a PGM in text has up to 6 bytes per pixel. */
  private static final long MAX_BYTES = 6 * MAX_SAMPLES;

  private static final long PNG = 0x89504e470d0a1a0aL;
  private static final Set<String> PNG_CHUNKS = Set.of("IHDR", "PLTE", "tRNS", "IDAT", "IEND");

  /** Size of a PNG chunk's length, name and checksum, bytes. */
  private static final int PNG_CHUNK_BYTES = 12;

  /** Greatest number that a PGM can have. */
  private static final int MAX_GREY = 65_535;

  static MapImage read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new FileFormatException(
          "there is no picture " + file + ", which the map's YAML file names by 'image'");
    }
    RegularFile.requireSmall(file, "picture of a map", MAX_BYTES, FileFormatException::new);
    if (Files.size(file) == 0) { // So are files of the system that are read without end.
      throw new FileFormatException(file + " is no picture of a map: it has 0 bytes");
    }
    byte[] bytes = Files.readAllBytes(file);
    if (bytes.length > 1 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6') {
      return new Pnm(file, bytes).read();
    }
    return decoded(file, bytes);
  }

  /** Returns true if the pixels have an opacity. */
  boolean hasOpacity() {
    return channels % 2 == 0;
  }

  /** Returns true if pixel {@code i}, counted row by row from the top, is not fully opaque. */
  boolean isTransparent(int i) {
    return hasOpacity() && samples[(i + 1) * channels - 1] < maximum;
  }

  /**
   * Returns the mean of a pixel's red, green and blue, 0 to {@link #maximum}; grey is all three.
   *
   * @param withOpacity true to count opacity as if it were a fourth colour
   */
  double shade(int i, boolean withOpacity) {
    int colours = hasOpacity() ? channels - 1 : channels;
    int sum = 0;
    for (int k = 0; k < 3; k++) {
      sum += samples[i * channels + Math.min(k, colours - 1)];
    }
    return withOpacity && hasOpacity() ? (sum + samples[(i + 1) * channels - 1]) / 4.0 : sum / 3.0;
  }

  /**
   * Removes from a PNG all chunks but those of the pixels, in place: compressed texts could unpack
   * to any length.
   *
   * @return the number of bytes that are left; all of them if the image is no PNG
   */
  private static int withoutTexts(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length < Long.BYTES || in.getLong() != PNG) {
      return bytes.length;
    }
    int length = in.position();
    while (in.remaining() >= PNG_CHUNK_BYTES) {
      int start = in.position();
      long chunk = PNG_CHUNK_BYTES + Integer.toUnsignedLong(in.getInt());
      byte[] name = new byte[4];
      in.get(name);
      int end = (int) Math.min(bytes.length, start + chunk);
      if (PNG_CHUNKS.contains(new String(name, StandardCharsets.US_ASCII))) {
        System.arraycopy(bytes, start, bytes, length, end - start);
        length += end - start;
      }
      in.position(end);
    }
    return length;
  }

  private static MapImage decoded(Path file, byte[] bytes) throws IOException {
    BufferedImage image;
    InputStream content = new ByteArrayInputStream(bytes, 0, withoutTexts(bytes));
    try (ImageInputStream in = new MemoryCacheImageInputStream(content)) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        throw new FileFormatException(
            file + " is no picture; a PGM, PNG, PBM, PPM, BMP, GIF, JPEG or TIFF is needed");
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(in);
        checkSize(file, reader.getWidth(0), reader.getHeight(0));
        checkSamples(file, reader);
        image = reader.read(0);
      } finally {
        reader.dispose();
      }
    } catch (FileFormatException e) {
      throw e;
    } catch (IOException | RuntimeException e) { // Damaged files raise both.
      throw new FileFormatException(
          file + " is cut off or damaged: " + PrintableText.of(e.getMessage()), e);
    }
    return of(image);
  }

  private static MapImage of(BufferedImage image) {
    int width = image.getWidth();
    int height = image.getHeight();
    Raster raster = image.getRaster();
    boolean opacity = image.getColorModel().hasAlpha();
    boolean isPlain = isPlain(image.getColorModel(), raster.getNumBands());
    int channels = isPlain ? raster.getNumBands() : opacity ? 4 : 3;
    int maximum = isPlain ? (1 << image.getColorModel().getComponentSize(0)) - 1 : 255;
    char[] samples = new char[width * height * channels];
    int[] pixel = new int[channels];
    for (int i = 0; i < width * height; i++) {
      if (isPlain) {
        raster.getPixel(i % width, i / width, pixel);
      } else {
        int rgb = image.getRGB(i % width, i / width);
        for (int k = 0; k < channels; k++) {
          pixel[k] = rgb >> (k == 3 ? 24 : 16 - 8 * k) & 0xff;
        }
      }
      for (int k = 0; k < channels; k++) {
        samples[i * channels + k] = (char) pixel[k];
      }
    }
    return new MapImage(width, height, channels, maximum, samples);
  }

  /** Returns true if an image's samples are grey, or red, green and blue, all of the same size. */
  private static boolean isPlain(ColorModel model, int bands) {
    int colours = model.hasAlpha() ? bands - 1 : bands;
    boolean isOneSize = Arrays.stream(model.getComponentSize()).distinct().count() == 1;
    return !(model instanceof IndexColorModel)
        && (colours == 1 || colours == 3)
        && isOneSize
        && model.getComponentSize(0) <= Character.SIZE;
  }

  private static void checkSize(Path file, long width, long height) throws FileFormatException {
    try {
      requireSize(file.toString(), width, height);
    } catch (IllegalArgumentException e) {
      throw new FileFormatException(e.getMessage(), e);
    }
    if (width * height > MAX_SAMPLES) {
      throw new FileFormatException(
          "%s has %d x %d pixels, more than the heap of %d MiB holds; one of %d MiB does (-Xmx%dm)"
              .formatted(
                  file,
                  width,
                  height,
                  HEAP_BYTES >> 20,
                  heapMegabytes(width * height),
                  heapMegabytes(width * height)));
    }
  }

  private static long heapMegabytes(long pixels) {
    return (CELL_BYTES * pixels >> 20) + 1;
  }

  /**
   * @param what name of the image, for the message
   * @throws IllegalArgumentException if there are no pixels, or too many
   */
  static void requireSize(String what, long width, long height) {
    if (width < 1 || height < 1 || width > MAX_CELLS / height) {
      throw new IllegalArgumentException(
          what + " has " + width + " x " + height + " pixels; 1 to " + MAX_CELLS + " are read");
    }
    if (Math.max(width, height) > MAX_SIDE_PIXELS) {
      throw new IllegalArgumentException(
          "%s has %d x %d pixels; a side of %d is the longest"
              .formatted(what, width, height, MAX_SIDE_PIXELS));
    }
  }

  private static void checkSamples(Path file, ImageReader reader) throws IOException {
    ImageTypeSpecifier type = reader.getRawImageType(0);
    checkSamples(
        file, reader.getWidth(0), reader.getHeight(0), type == null ? 1 : type.getNumComponents());
  }

  private static void checkSamples(Path file, int width, int height, int channels)
      throws FileFormatException {
    if ((long) width * height * channels > MAX_SAMPLES) {
      throw new FileFormatException(
          "%s has %d x %d pixels of %d numbers each; at most %d numbers are read: save it in grey"
              .formatted(file, width, height, channels, MAX_SAMPLES));
    }
  }

  /**
   * Reads a PBM, PGM or PPM: two letters, the numbers of the head with comments between, and the
   * shades.
   */
  private static final class Pnm {

    private final Path file;
    private final byte[] bytes;
    private int at = 2;

    Pnm(Path file, byte[] bytes) {
      this.file = file;
      this.bytes = bytes;
    }

    MapImage read() throws FileFormatException {
      boolean isText = bytes[1] < '4';
      int kind = (bytes[1] - '1') % 3; // Bits, grey, colours.
      int width = number("the width", Integer.MAX_VALUE);
      int height = number("the height", Integer.MAX_VALUE);
      checkSize(file, width, height);
      int maximum = kind == 0 ? 1 : number("the number for white", MAX_GREY);
      if (maximum == 0) {
        throw new FileFormatException(file + ": the number for white is 0; it must be 1 or more");
      }
      int channels = kind == 2 ? 3 : 1;
      checkSamples(file, width, height, channels);
      int count = channels * width * height;
      int bytesEach = maximum > 255 ? 2 : 1;
      long left = bytes.length - (at + 1L); // One blank ends the head.
      // In text a shade takes a digit and a blank, at least; the last one, and bits, have no blank.
      long inText = kind == 0 ? count : 2L * count - 1;
      long inBytes = kind == 0 ? (width + 7L) / 8 * height : (long) bytesEach * count;
      if (left < (isText ? inText : inBytes)) {
        throw cutOff(width, height, Math.max(0, left), isText ? inText : inBytes);
      }
      at++;
      char[] samples = new char[count];
      for (int i = 0; i < count; i++) {
        if (kind == 0) {
          samples[i] = (char) (isText ? textBit(i) : bit(i % width, i / width, width));
        } else if (isText) {
          samples[i] = (char) number("pixel " + i, maximum);
        } else {
          int value = 0;
          for (int k = 0; k < bytesEach; k++) {
            value = value << 8 | bytes[at++] & 0xff;
          }
          samples[i] = (char) Math.min(value, maximum);
        }
      }
      return new MapImage(width, height, channels, maximum, samples);
    }

    /** Returns the sample of a pixel in a binary PBM, where a set bit is black. */
    private int bit(int x, int y, int width) {
      int of = at + y * ((width + 7) / 8) + x / 8;
      return 1 - (bytes[of] >> 7 - x % 8 & 1);
    }

    private int textBit(int i) throws FileFormatException {
      skipBlanks();
      if (at == bytes.length || (bytes[at] != '0' && bytes[at] != '1')) {
        throw new FileFormatException(
            "%s: pixel %d is no 0 or 1".formatted(file, i)
                + (at == bytes.length ? ": it is cut off" : ""));
      }
      return '1' - bytes[at++];
    }

    private FileFormatException cutOff(int width, int height, long left, long needed) {
      return new FileFormatException(
          "%s is cut off: %d x %d pixels take %d bytes, and there are %d"
              .formatted(file, width, height, needed, left));
    }

    private int number(String what, int max) throws FileFormatException {
      skipBlanks();
      int start = at;
      while (at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9') {
        at++;
      }
      int end = at;
      while (end == start && at < bytes.length && bytes[at] > ' ') {
        at++;
      }
      String text = new String(bytes, start, at - start, StandardCharsets.ISO_8859_1);
      if (text.isEmpty()) {
        throw new FileFormatException(file + " is cut off: it ends before " + what);
      }
      if (end == start || text.length() > 10 || Long.parseLong(text) > max) {
        throw new FileFormatException(
            "%s: %s is '%s'; it must be a number from 0 to %d"
                .formatted(file, what, PrintableText.of(text), max));
      }
      return Integer.parseInt(text);
    }

    private void skipBlanks() {
      while (at < bytes.length && (bytes[at] <= ' ' && bytes[at] >= 0 || bytes[at] == '#')) {
        if (bytes[at] == '#') {
          while (at < bytes.length && bytes[at] != '\n' && bytes[at] != '\r') {
            at++;
          }
        } else {
          at++;
        }
      }
    }
  }
}
