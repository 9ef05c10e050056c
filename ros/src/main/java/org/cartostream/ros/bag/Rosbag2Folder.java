package org.cartostream.ros.bag;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cartostream.ros.unpack.UnpackLimit;

/**
 * A folder that {@code ros2 bag record} has written: files of messages, and {@code metadata.yaml}
 * that names them; a recorder that was killed leaves no such file. A file that was packed as a
 * whole ({@code --compression-mode file}) is unpacked, once, into a temporary file that goes with
 * this process.
 */
final class Rosbag2Folder {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final String METADATA = "metadata.yaml";

  /** Some thousand files. Reading a single text of n bytes takes memory and time as n squared. */
  private static final int MAX_METADATA_BYTES = 1 << 21;

  private static final List<String> ENDINGS = List.of(".mcap", ".db3", ".zstd");
  private static final Pattern NAME = Pattern.compile("[^/\\p{Cntrl}]{1,240}\\.(mcap|db3|zstd)");
  private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

  /** Unpacked files by the packed file and its last change. */
  private static final Map<String, Path> UNPACKED = new ConcurrentHashMap<>();

  private Rosbag2Folder() {}

  /** True if a folder is one. */
  static boolean isOne(Path folder) throws IOException {
    return Files.exists(folder.resolve(METADATA)) || !files(folder).isEmpty();
  }

  /** True if a file is packed by zstd. */
  static boolean isPacked(Path file) throws IOException {
    return SeekableFile.begins(file, ZSTD_MAGIC);
  }

  /**
   * The files of a folder in the order of the recording, or a file itself; what is packed,
   * unpacked.
   *
   * @throws BagFormatException if one is missing or cannot be unpacked
   */
  static List<Path> parts(Path path) throws IOException {
    List<Path> parts = new ArrayList<>();
    for (Path part : Files.isDirectory(path) ? filesOf(path) : List.of(path)) {
      parts.add(isPacked(part) ? unpacked(part) : part);
    }
    return parts;
  }

  private static Collection<Path> filesOf(Path folder) throws IOException {
    Path metadata = folder.resolve(METADATA);
    Collection<Path> files = Files.exists(metadata) ? named(folder, metadata) : files(folder);
    if (files.isEmpty()) {
      throw new BagFormatException(folder + " has no files of rosbag2: none ends in " + ENDINGS);
    }
    for (Path file : files) {
      checkIsIn(folder, file);
    }
    return files;
  }

  /** Whoever wrote the folder may not choose what else of this computer is read. */
  private static void checkIsIn(Path folder, Path file) throws IOException {
    if (!Files.isRegularFile(file) || !file.toRealPath().startsWith(folder.toRealPath())) {
      throw new BagFormatException(
          file + " is no file of this folder, but a folder, pipe, device, or link out of it");
    }
  }

  private static Collection<Path> named(Path folder, Path metadata) throws IOException {
    checkIsIn(folder, metadata);
    if (Files.size(metadata) > MAX_METADATA_BYTES) {
      throw new BagFormatException(
          "%s has %d bytes; of a recording it has at most %d"
              .formatted(metadata, Files.size(metadata), MAX_METADATA_BYTES));
    }
    Collection<Path> named = new LinkedHashSet<>();
    try {
      JsonNode bag = YAML.readTree(metadata.toFile()).path("rosbag2_bagfile_information");
      String compression = bag.path("compression_format").asText("");
      if (!compression.isEmpty() && !compression.equals("zstd")) {
        throw new BagFormatException(
            "%s says compression_format '%s'; only zstd can be read"
                .formatted(metadata, FileText.shown(compression)));
      }
      for (JsonNode each : bag.path("relative_file_paths")) {
        String path = each.asText();
        // Older recorders wrote the folder's name before it.
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (!NAME.matcher(name).matches()) {
          throw new BagFormatException(
              "%s names '%s', which is no file name that ends in %s"
                  .formatted(metadata, FileText.shown(path), ENDINGS));
        }
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
          throw new BagFormatException("%s names %s, which is not there".formatted(metadata, name));
        }
        named.add(file);
      }
    } catch (JsonProcessingException e) {
      throw new BagFormatException(
          metadata + " is no YAML: " + FileText.shown(e.getOriginalMessage()), e);
    }
    return named;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(each -> ENDINGS.stream().anyMatch(each.toString()::endsWith))
          .sorted()
          .toList();
    }
  }

  private static Path unpacked(Path packed) throws IOException {
    String key = packed.toAbsolutePath() + " " + Files.getLastModifiedTime(packed);
    Path known = UNPACKED.get(key);
    if (known != null && Files.exists(known)) {
      return known;
    }
    Path file = Files.createTempFile("rosbag2-", ".unpacked");
    file.toFile().deleteOnExit();
    try (InputStream in =
        UnpackLimit.bounded(
            new ZstdInputStream(new BufferedInputStream(Files.newInputStream(packed))),
            Files.size(packed))) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      Files.delete(file);
      throw new BagFormatException(
          packed
              + " cannot be unpacked into the folder "
              + file.getParent()
              + ": "
              + e.getMessage()
              + "; if it is right, unpack it by unzstd, and name what that makes",
          e);
    }
    UNPACKED.put(key, file);
    return file;
  }
}
