package org.cartostream.bench.fuzz;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.cartostream.bench.fuzz.FuzzInput.Extent;
import org.cartostream.bench.fuzz.FuzzInput.Part;

/**
 * Folder of rosbag2 in a form that can be fuzzed: its metadata and files one behind the other. Some
 * files of a changed folder are cut off, left out, packed, or named as if they were.
 */
final class FuzzableFolder {

  private static final String METADATA = "metadata.yaml";
  private static final String PACKED = ".zstd";

  /** Number of ways to write a file; most of them leave it as it is. */
  private static final int WAYS = 12;

  /** The first of the ways that leave a file as it is. */
  private static final int PLAIN = 6;

  private FuzzableFolder() {}

  static FuzzInput of(Path folder) throws IOException {
    List<FuzzInput> members = new ArrayList<>();
    List<Integer> lengths = new ArrayList<>();
    byte[] all = {};
    for (Path file : files(folder)) {
      FuzzInput member = withParts(FuzzInput.of(file), file);
      members.add(member);
      int from = all.length;
      member.lengths().forEach(at -> lengths.add(from + at));
      all = Arrays.copyOf(all, from + member.bytes().length);
      System.arraycopy(member.bytes(), 0, all, from, member.bytes().length);
    }
    String name = String.valueOf(folder.getFileName());
    return new FuzzInput(name, FuzzInput.Kind.FOLDER, all, List.of(), false, lengths, members);
  }

  /** Returns the files of a folder, the metadata first. */
  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      Comparator<Path> order = Comparator.comparing(file -> !file.endsWith(METADATA));
      return files.sorted(order.thenComparing(Comparator.naturalOrder())).toList();
    }
  }

  /** Adds the messages of a file whose bytes do not show them: each needs the whole file. */
  private static FuzzInput withParts(FuzzInput file, Path path) throws IOException {
    if (file.kind() != FuzzInput.Kind.MESSAGES || !file.parts().isEmpty()) {
      return file;
    }
    List<Extent> whole = List.of(new Extent(0, file.bytes().length, true));
    List<String> keys = new ArrayList<>();
    FuzzReader.readMessages(path, keys);
    List<Part> parts = keys.stream().map(key -> new Part(key, whole, List.of())).toList();
    return new FuzzInput(file.name(), file.kind(), file.bytes(), parts, false, List.of());
  }

  /**
   * Writes a changed folder.
   *
   * @return the files that must be read, as they were changed: none if the metadata may name others
   */
  static Map<FuzzInput, MutatedFile> write(FuzzInput folder, MutatedFile changed, Path into)
      throws IOException {
    Random random = new Random(Arrays.hashCode(changed.bytes()));
    Files.createDirectory(into);
    Map<FuzzInput, MutatedFile> wanted = new HashMap<>();
    boolean isBelieved = true;
    int from = 0;
    for (FuzzInput member : folder.members()) {
      int to = from + member.bytes().length;
      MutatedFile file = changed.member(from, to);
      from = to;
      int way = changed.what().isEmpty() ? PLAIN : random.nextInt(WAYS);
      boolean isMetadata = member.name().equals(METADATA);
      if (way == 0) {
        continue;
      }
      if (way == 1) {
        file = file.cut(random.nextInt(file.bytes().length + 1));
      } else if (isMetadata && way < PLAIN) { // Few of the folder's bytes, so seldom hit.
        file = MutatedFile.of(file.bytes(), List.of(), random);
      }
      if (isMetadata || way == 1) {
        Files.write(into.resolve(member.name()), file.bytes());
      } else {
        write(into.resolve(member.name()), file.bytes(), way);
      }
      if (isMetadata) {
        byte[] same = Arrays.copyOf(member.bytes(), file.bytes().length);
        isBelieved = Arrays.equals(file.bytes(), same);
      } else if (file.bytes().length > 0) {
        wanted.put(member, file);
      }
    }
    return isBelieved ? wanted : Map.of();
  }

  private static void write(Path file, byte[] bytes, int way) throws IOException {
    Path packed = file.resolveSibling(file.getFileName() + PACKED);
    boolean canBePacked = !file.toString().matches(".*\\.zstd?");
    switch (canBePacked ? way : PLAIN) {
      case 2 -> Files.write(packed, Zstd.compress(bytes));
      case 3 -> {
        Files.write(file, bytes);
        Files.write(packed, Zstd.compress(bytes));
      }
      case 4 -> Files.write(file, Zstd.compress(bytes));
      case 5 -> Files.write(packed, bytes);
      default -> Files.write(file, bytes);
    }
  }
}
