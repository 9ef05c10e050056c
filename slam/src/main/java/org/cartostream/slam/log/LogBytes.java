package org.cartostream.slam.log;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
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

/** Opens a log's text, unpacked on the way if the file is a zip or gzip archive by content. */
final class LogBytes {

  private static final List<String> ENDINGS = List.of(".g2o", ".clf", ".log");

  private LogBytes() {}

  static InputStream open(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new LogFormatException(file + " is a folder; a log file is needed");
    }
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString(), null, "there is no such log file");
    }
    if (!Files.isRegularFile(file)) {
      throw new LogFormatException(
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
        return openZip(file);
      }
      return first == 0x1f && second == 0x8b ? new GZIPInputStream(in, 1 << 16) : in;
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  private static InputStream openZip(Path file) throws IOException {
    ZipFile zip;
    try {
      // Names that are not marked as UTF-8 may be of any old code page; endings are ASCII in all.
      zip = new ZipFile(file.toFile(), StandardCharsets.ISO_8859_1);
    } catch (ZipException e) {
      throw new LogFormatException(file + " is a damaged zip archive: " + e.getMessage(), e);
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

  private static ZipEntry onlyLog(Path file, ZipFile zip) throws IOException {
    List<? extends ZipEntry> logs = zip.stream().filter(LogBytes::isLog).toList();
    if (logs.size() != 1) {
      String found = logs.stream().map(ZipEntry::getName).collect(Collectors.joining(", "));
      throw new LogFormatException(
          file
              + " holds "
              + logs.size()
              + " logs"
              + (found.isEmpty() ? "" : " (" + Printable.of(found) + ")")
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
