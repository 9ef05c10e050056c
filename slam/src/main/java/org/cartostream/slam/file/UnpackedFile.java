package org.cartostream.slam.file;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.cartostream.settings.file.PrintableText;

/**
 * A log's text file, unpacked while it is read if its content is a zip or gzip archive. A file that
 * begins with the signature of another binary format is refused, and the message names that format.
 */
public final class UnpackedFile {

  private static final List<String> ENDINGS = List.of(".g2o", ".clf", ".log");

  /**
   * Signature with which a binary format begins.
   *
   * @param at byte at which its signature stands
   * @param signature each character is a byte
   * @param advice what it is, and what to do
   */
  private record BinaryFormat(int at, String signature, String advice) {}

  private static final List<BinaryFormat> NO_TEXTS =
      List.of(
          new BinaryFormat(257, "ustar", "is a tar archive; unpack it, and name the log in it"),
          new BinaryFormat(
              0, "BZh", "is packed by bzip2; unpack it by bunzip2, or pack it by gzip"),
          new BinaryFormat(
              0, "\u00fd7zXZ", "is packed by xz; unpack it by unxz, or pack it by gzip"),
          new BinaryFormat(
              0, "\u0028\u00b5\u002f\u00fd", "is packed by zstd; unpack it, or pack it by gzip"),
          new BinaryFormat(0, "#ROSBAG V2.0", "is a ROS bag, which is read only unpacked"),
          new BinaryFormat(0, "\u0089MCAP", "is an MCAP file, which is read only unpacked"),
          new BinaryFormat(
              0,
              "SQLite format 3",
              "is a database, as rosbag2 writes them; ros2 bag convert makes an MCAP file of it, which"
                  + " can be read"),
          new BinaryFormat(0, "\u00ff\u00fe", "is text in UTF-16; write it in ASCII or UTF-8"),
          new BinaryFormat(0, "\u00fe\u00ff", "is text in UTF-16; write it in ASCII or UTF-8"));

  private static final int BEGINNING = 512;

  /** Size up to which an archive is unpacked whatever its ratio: this takes a second. */
  private static final long HARMLESS_BYTES = 1 << 26;

  /**
   * Maximum ratio of unpacked to packed size. A log whose 4,000 beams all have the same range has
   * 550; one repeated character has 1030, the most that deflate can do.
   */
  private static final int MAX_RATIO = 800;

  private UnpackedFile() {}

  /**
   * Opens a log's text.
   *
   * @throws FileFormatException if it is no text, or an archive of which nothing can be read
   * @throws NoSuchFileException if there is no such file
   * @throws IOException if it cannot be read
   */
  public static InputStream open(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileFormatException(file + " is a folder; a log file is needed");
    }
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString(), null, "there is no such log file");
    }
    if (!Files.isRegularFile(file)) {
      throw new FileFormatException(
          file + " is no file but a pipe or a device; a log is read twice, so write it to a file");
    }
    InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    try {
      in.mark(2);
      int first = in.read();
      int second = in.read();
      in.reset();
      if (first == 'P' && second == 'K') {
        in.close();
        in = unpacked(file, openZip(file));
      } else if (first == 0x1f && second == 0x8b) {
        in = unpacked(file, new GZIPInputStream(in, 1 << 16));
      }
      skipToText(file, in);
      return in;
    } catch (EOFException | ZipException e) {
      in.close();
      throw new FileFormatException(file + " is a damaged archive: " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /**
   * Returns a buffered stream of the unpacked bytes that fails when they are too many. Its
   * available() is 0, so that the buffer hands on the bytes it has before it reads on: a read that
   * meets damage would lose them.
   */
  private static InputStream unpacked(Path file, InputStream archive) throws IOException {
    long max = Math.max(HARMLESS_BYTES, MAX_RATIO * Files.size(file));
    return new BufferedInputStream(
        new FilterInputStream(archive) {
          private long bytes;

          @Override
          public int read(byte[] into, int at, int length) throws IOException {
            int got = super.read(into, at, length);
            bytes += Math.max(0, got);
            if (bytes > max) {
              throw new FileFormatException(
                  "%s unpacks to more than %d times its bytes, as no log does; if it is right, name it unpacked"
                      .formatted(file, MAX_RATIO));
            }
            return got;
          }

          @Override
          public int available() {
            return 0;
          }
        },
        1 << 16);
  }

  /** Skips a byte order mark at the beginning; refuses a binary format by its signature. */
  private static void skipToText(Path file, InputStream in) throws IOException {
    in.mark(BEGINNING);
    String beginning = new String(in.readNBytes(BEGINNING), StandardCharsets.ISO_8859_1);
    in.reset();
    for (BinaryFormat each : NO_TEXTS) {
      if (beginning.startsWith(each.signature, each.at)) {
        throw new FileFormatException(file + " " + each.advice);
      }
    }
    in.skipNBytes(beginning.startsWith(LineReader.UTF_8_MARK) ? LineReader.UTF_8_MARK.length() : 0);
  }

  private static InputStream openZip(Path file) throws IOException {
    ZipFile zip;
    try {
      // Names that are not marked as UTF-8 may be of any old code page; endings are ASCII in all.
      zip = new ZipFile(file.toFile(), StandardCharsets.ISO_8859_1);
    } catch (ZipException e) {
      return openCutZip(file, e);
    }
    try {
      return new FilterInputStream(zip.getInputStream(onlyLog(file, zip))) {
        @Override
        public void close() throws IOException {
          super.close();
          zip.close();
        }
      };
    } catch (IOException | RuntimeException e) {
      zip.close();
      throw e;
    }
  }

  /** Takes the first log of an archive whose directory, at the end, is missing or damaged. */
  private static InputStream openCutZip(Path file, ZipException why) throws IOException {
    ZipInputStream in = new ZipInputStream(Files.newInputStream(file), StandardCharsets.ISO_8859_1);
    try {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        if (isLog(entry)) {
          return new SequenceInputStream(in, new DamagedEnd(why));
        }
      }
    } catch (IOException | RuntimeException e) {
      // The archive ends here.
    }
    in.close();
    throw new FileFormatException(
        file + " is a damaged zip archive without a log in its readable part: " + why.getMessage(),
        why);
  }

  /** End of an archive of which the content could be read, but not the directory. */
  private static final class DamagedEnd extends InputStream {

    private final ZipException why;

    private DamagedEnd(ZipException why) {
      this.why = why;
    }

    @Override
    public int read() throws IOException {
      throw why;
    }
  }

  private static ZipEntry onlyLog(Path file, ZipFile zip) throws IOException {
    List<? extends ZipEntry> logs = zip.stream().filter(UnpackedFile::isLog).toList();
    if (logs.size() != 1) {
      String found = logs.stream().map(ZipEntry::getName).collect(Collectors.joining(", "));
      throw new FileFormatException(
          file
              + " holds "
              + logs.size()
              + " logs"
              + (found.isEmpty() ? "" : " (" + PrintableText.of(found) + ")")
              + "; a zip archive needs exactly one file ending in "
              + String.join(", ", ENDINGS));
    }
    return logs.get(0);
  }

  private static boolean isLog(ZipEntry entry) {
    String name = entry.getName().toLowerCase(Locale.ROOT);
    String last = name.substring(name.lastIndexOf('/') + 1);
    // Finder's archives hold a "._name" beside each file, with its attributes.
    boolean attributes = last.startsWith("._");
    return !entry.isDirectory() && !attributes && ENDINGS.stream().anyMatch(last::endsWith);
  }
}
