package org.cartostream.ros.bag;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cartostream.ros.unpack.UnpackLimit;

/**
 * A folder that {@code ros2 bag record} has written: files of messages, and {@code metadata.yaml}
 * that names them; a recorder that was killed leaves no such file, or one that is not whole. A file
 * that was packed as a whole ({@code --compression-mode file}) is unpacked, once, into a temporary
 * file that goes with this process.
 */
final class Rosbag2Folder {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final String METADATA = "metadata.yaml";

  /**
   * Maximum size of metadata, bytes: some thousand file names. Parsing a single scalar of n bytes
   * takes O(n^2) time.
   */
  private static final int MAX_METADATA_BYTES = 1 << 21;

  private static final String FILES = "relative_file_paths";
  private static final String LISTED = ", so all files of the folder are taken";
  private static final List<String> ENDINGS = List.of(".mcap", ".db3", ".zstd");
  private static final Pattern NAME = Pattern.compile("[^/\\p{Cntrl}]{1,240}\\.(mcap|db3|zstd?)");
  private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

  /** Unpacked files by the path and time of change of the packed file. */
  private static final Map<String, Part> UNPACKED = new ConcurrentHashMap<>();

  /**
   * A file of a recording.
   *
   * @param named path as given by the user or the folder
   * @param plain path of the unpacked file; the same if it was not packed
   * @param problem why the rest of the file cannot be unpacked; empty if it can
   */
  record Part(Path named, Path plain, String problem) {}

  private Rosbag2Folder() {}

  /** True if a folder is a recording of rosbag2. */
  static boolean isOne(Path folder) throws IOException {
    return Files.exists(folder.resolve(METADATA)) || !files(folder).isEmpty();
  }

  /** True if a file is packed by zstd. */
  static boolean isPacked(Path file) throws IOException {
    return SeekableFile.begins(file, ZSTD_MAGIC);
  }

  /**
   * Returns the files of a folder in the order of the recording, or a single file; packed files are
   * unpacked. Missing and unreadable files of a folder are left out if others can be read.
   *
   * @param opener opens a file to find out whether it can be read
   * @param missing receives a sentence for each file that is left out
   * @throws BagFormatException if no file can be read
   */
  static List<Part> parts(Path path, MergedFiles.Opener opener, List<String> missing)
      throws IOException {
    if (!Files.isDirectory(path)) {
      Part part = part(path);
      if (!part.problem.isEmpty()) {
        checkIsAny(part);
        missing.add(part.problem);
      }
      return List.of(part);
    }
    List<Part> parts = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    for (List<Path> forms : splits(path, unread)) {
      firstReadable(forms, opener, unread).ifPresent(parts::add);
    }
    if (parts.isEmpty()) {
      throw new BagFormatException(
          unread.isEmpty()
              ? path + " has no files of rosbag2: none ends in " + ENDINGS
              : path + ": " + String.join("; ", unread));
    }
    missing.addAll(unread);
    return parts;
  }

  private static void checkIsAny(Part part) throws IOException {
    if (Files.size(part.plain) == 0) {
      throw new BagFormatException(part.problem);
    }
  }

  /**
   * Returns the first readable form of a split; empty if no form can be read: then {@code unread}
   * gets the reasons.
   */
  private static Optional<Part> firstReadable(
      List<Path> forms, MergedFiles.Opener opener, List<String> unread) throws IOException {
    List<String> why = new ArrayList<>();
    for (Path form : forms) {
      Part part = part(form);
      try {
        checkIsAny(part);
        opener.open(part.plain).close();
        if (!part.problem.isEmpty()) {
          unread.add(part.problem);
        }
        return Optional.of(part);
      } catch (BagFormatException e) {
        why.add(Files.size(form) == 0 ? form.getFileName() + " is empty" : e.getMessage());
      }
    }
    unread.addAll(why);
    return Optional.empty();
  }

  /**
   * Returns the existing forms of each split: the one named in the metadata, the unpacked and the
   * packed file. Incomplete metadata, and metadata that name no existing file, are ignored.
   */
  private static Collection<List<Path>> splits(Path folder, List<String> unread)
      throws IOException {
    Map<String, List<Path>> there = new LinkedHashMap<>();
    for (Path file : files(folder)) {
      there.computeIfAbsent(split(file), any -> new ArrayList<>()).add(file);
    }
    Path metadata = folder.resolve(METADATA);
    Collection<String> named = Files.exists(metadata) ? named(folder, metadata, unread) : List.of();
    Map<String, List<Path>> believed = new LinkedHashMap<>();
    for (String name : named) {
      String split = split(Path.of(name));
      List<Path> forms = there.get(split);
      if (forms == null) {
        unread.add("%s names %s, which is not there".formatted(METADATA, name));
      } else if (!believed.containsKey(split)) {
        forms.sort(Comparator.comparing(form -> !form.endsWith(name)));
        believed.put(split, forms);
      }
    }
    Collection<List<Path>> taken = believed.isEmpty() ? there.values() : believed.values();
    for (List<Path> forms : taken) {
      for (Path form : forms) {
        checkIsIn(folder, form);
      }
    }
    return taken;
  }

  /** Returns a file name without the suffix of its compression. */
  private static String split(Path file) {
    return file.getFileName().toString().replaceFirst("\\.zstd?$", "");
  }

  /**
   * Checks that a file is in the folder, so that untrusted metadata cannot make other files be
   * read.
   */
  private static void checkIsIn(Path folder, Path file) throws IOException {
    if (!Files.isRegularFile(file) || !file.toRealPath().startsWith(folder.toRealPath())) {
      throw new BagFormatException(
          file + " is no file of this folder, but a folder, pipe, device, or link out of it");
    }
  }

  /** Returns the files that metadata name; none if the metadata are incomplete. */
  private static Collection<String> named(Path folder, Path metadata, List<String> unread)
      throws IOException {
    checkIsIn(folder, metadata);
    if (Files.size(metadata) > MAX_METADATA_BYTES) {
      throw new BagFormatException(
          "%s has %d bytes; of a recording it has at most %d"
              .formatted(metadata, Files.size(metadata), MAX_METADATA_BYTES));
    }
    Collection<String> named = new LinkedHashSet<>();
    try {
      byte[] text = Files.readAllBytes(metadata);
      JsonNode bag = YAML.readTree(text).path("rosbag2_bagfile_information");
      if (!isWhole(bag, text)) {
        unread.add(METADATA + (text.length == 0 ? " is empty" : " is not whole") + LISTED);
        return List.of();
      }
      String compression = bag.path("compression_format").asText("");
      if (!compression.isEmpty() && !compression.equals("zstd")) {
        throw new BagFormatException(
            "%s says compression_format '%s'; only zstd can be read"
                .formatted(metadata, FileText.shown(compression)));
      }
      for (JsonNode each : bag.path(FILES)) {
        String path = each.asText();
        // Older recorders wrote the folder's name before it.
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (!NAME.matcher(name).matches()) {
          throw new BagFormatException(
              "%s names '%s', which is no file name that ends in %s"
                  .formatted(metadata, FileText.shown(path), ENDINGS));
        }
        named.add(name);
      }
    } catch (JsonProcessingException e) {
      unread.add(METADATA + " is no YAML" + LISTED);
      return List.of();
    }
    return named;
  }

  /**
   * True if the metadata were not cut off: in all versions of rosbag2 another key follows the list
   * of files.
   */
  private static boolean isWhole(JsonNode bag, byte[] text) {
    String last = "";
    for (var keys = bag.fieldNames(); keys.hasNext(); ) {
      last = keys.next();
    }
    boolean isClosed = new String(text, StandardCharsets.UTF_8).strip().endsWith("]");
    return bag.path(FILES).size() > 0 && (isClosed || !last.equals(FILES));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(each -> NAME.matcher(each.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }

  private static Part part(Path file) throws IOException {
    return isPacked(file) ? unpacked(file) : new Part(file, file, "");
  }

  private static Part unpacked(Path packed) throws IOException {
    String key = packed.toAbsolutePath() + " " + Files.getLastModifiedTime(packed);
    Part known = UNPACKED.get(key);
    if (known != null && Files.exists(known.plain)) {
      return known;
    }
    Path file;
    try {
      file = Files.createTempFile("rosbag2-", ".unpacked");
    } catch (IOException e) {
      throw cannotUnpack(packed, Path.of(System.getProperty("java.io.tmpdir")), e);
    }
    file.toFile().deleteOnExit();
    String problem = "";
    try (InputStream in =
        UnpackLimit.bounded(
            new ZstdInputStream(new BufferedInputStream(Files.newInputStream(packed))),
            Files.size(packed))) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (ZstdIOException e) {
      problem = "%s cannot be unpacked to its end: %s".formatted(packed, e.getMessage());
    } catch (IOException e) {
      Files.delete(file);
      throw cannotUnpack(packed, file.getParent(), e);
    }
    Part part = new Part(packed, file, problem);
    UNPACKED.put(key, part);
    return part;
  }

  private static BagFormatException cannotUnpack(Path packed, Path folder, IOException e) {
    return new BagFormatException(
        packed
            + " cannot be unpacked into the folder "
            + folder
            + ": "
            + e.getMessage()
            + "; if it is right, unpack it by unzstd, and name what that makes, or name another"
            + " folder by CARTOSTREAM_JVM_OPTS=-Djava.io.tmpdir=DIR",
        e);
  }
}
