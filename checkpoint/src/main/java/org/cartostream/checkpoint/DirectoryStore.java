package org.cartostream.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checkpoints as files of a folder, which several hosts may share: {@code RUN/EPOCH-READING.json}
 * for a manifest, {@code RUN/EPOCH-READING.PART-SHA256} for a part, {@code RUN/PART-SHA256} for one
 * that is shared.
 *
 * <p>A file appears by being renamed, after its content was forced to the disk.
 */
public final class DirectoryStore implements CheckpointStore {

  private static final Pattern MANIFEST = Pattern.compile("(\\d{1,19})-(\\d{1,19})\\.json");
  private static final Pattern NUMBERED = Pattern.compile("(\\d{1,19})-(\\d{1,19})\\..*");
  private static final int SLICE_BYTES = 1 << 20;
  private static final String UNFINISHED = ".part-being-written";

  private final Path folder;

  /** A store in a folder, which is made when something is written. */
  public DirectoryStore(Path folder) {
    this.folder = folder;
  }

  @Override
  public Part write(Cut cut, String name, ByteBuffer content) throws IOException {
    Part part = new Part(name, content.remaining(), sha256(content), false);
    writeWhole(file(cut, part), content);
    return part;
  }

  @Override
  public Part writeShared(String run, String name, ByteBuffer content) throws IOException {
    Part part = new Part(name, content.remaining(), sha256(content), true);
    if (!holds(run, part)) {
      writeWhole(sharedFile(run, part), content);
    }
    return part;
  }

  @Override
  public boolean holds(String run, Part shared) throws IOException {
    try {
      return Files.size(sharedFile(run, shared)) == shared.bytes();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void commit(Manifest manifest) throws IOException {
    writeWhole(manifestFile(manifest.cut()), ByteBuffer.wrap(ManifestFile.encode(manifest)));
  }

  @Override
  public Optional<Manifest> latest(String run, Consumer<String> unusable) throws IOException {
    for (Cut cut : cuts(run)) {
      try {
        Manifest manifest = manifest(cut);
        for (Part part : manifest.parts()) {
          read(cut, part);
        }
        return Optional.of(manifest);
      } catch (CheckpointException e) {
        unusable.accept(e.getMessage());
      }
    }
    return Optional.empty();
  }

  @Override
  public byte[] read(Cut cut, Part part) throws IOException {
    Path file = file(cut, part);
    byte[] content;
    try {
      if (Files.size(file) != part.bytes()) {
        throw new CheckpointException(
            "%s is not whole: its part '%s' has %d of %d bytes (%s)"
                .formatted(cut, part.name(), Files.size(file), part.bytes(), file));
      }
      content = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new CheckpointException(
          "%s is not whole: its part '%s' is missing (%s)".formatted(cut, part.name(), file), e);
    }
    if (!sha256(ByteBuffer.wrap(content)).equals(part.sha256())) {
      throw new CheckpointException(
          "%s is damaged: its part '%s' is not what was written (%s)"
              .formatted(cut, part.name(), file));
    }
    return content;
  }

  @Override
  public void deleteBefore(Cut kept) throws IOException {
    for (Path file : files(kept.run())) {
      Matcher numbers = NUMBERED.matcher(file.getFileName().toString());
      if (numbers.matches()) {
        if (cut(kept.run(), numbers).compareTo(kept) < 0) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  @Override
  public List<String> runs() throws IOException {
    try (Stream<Path> folders = Files.list(folder)) {
      return folders.filter(Files::isDirectory).map(each -> each.getFileName().toString()).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  @Override
  public void delete(String run) throws IOException {
    for (Path file : files(run)) {
      Files.deleteIfExists(file);
    }
    Files.deleteIfExists(folder(run));
  }

  /**
   * The folders of runs that have checkpoints: a folder itself, and those below it.
   *
   * @throws NoSuchFileException if there is no such folder
   */
  public static List<Path> runFolders(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> MANIFEST.matcher(file.getFileName().toString()).matches())
          .map(Path::getParent)
          .filter(folder -> folder != null && Cut.canName(folder.getFileName().toString()))
          .distinct()
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** When a checkpoint was committed. */
  public Instant written(Cut cut) throws IOException {
    return Files.getLastModifiedTime(manifestFile(cut)).toInstant();
  }

  /** Those that have a manifest, the latest first. */
  private List<Cut> cuts(String run) throws IOException {
    List<Cut> cuts = new ArrayList<>();
    for (Path file : files(run)) {
      Matcher numbers = MANIFEST.matcher(file.getFileName().toString());
      if (numbers.matches()) {
        cuts.add(cut(run, numbers));
      }
    }
    cuts.sort(Collections.reverseOrder());
    return cuts;
  }

  private static Cut cut(String run, Matcher numbers) {
    return new Cut(run, Long.parseLong(numbers.group(1)), Long.parseLong(numbers.group(2)));
  }

  private Manifest manifest(Cut cut) throws IOException {
    Path file = manifestFile(cut);
    Manifest manifest = ManifestFile.decode(Files.readAllBytes(file), cut, file);
    if (!manifest.cut().equals(cut)) {
      throw new CheckpointException(
          "%s is another's: its manifest says %s (%s)".formatted(cut, manifest.cut(), file));
    }
    return manifest;
  }

  private List<Path> files(String run) throws IOException {
    try (Stream<Path> files = Files.list(folder(run))) {
      return files.toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private Path folder(String run) {
    return folder.resolve(new Cut(run, 0, 0).run());
  }

  private Path manifestFile(Cut cut) {
    return folder(cut.run()).resolve(cut.epoch() + "-" + cut.reading() + ".json");
  }

  private Path sharedFile(String run, Part part) {
    return folder(run).resolve(part.name() + "-" + part.sha256());
  }

  private Path file(Cut cut, Part part) {
    if (part.shared()) {
      return sharedFile(cut.run(), part);
    }
    return folder(cut.run())
        .resolve(cut.epoch() + "-" + cut.reading() + "." + part.name() + "-" + part.sha256());
  }

  private static void writeWhole(Path file, ByteBuffer content) throws IOException {
    Path directory = Files.createDirectories(file.getParent());
    try {
      writeInto(directory, file, content);
    } catch (FileSystemException e) {
      throw e; // It names the file.
    } catch (IOException e) {
      FileStore disk = Files.getFileStore(directory);
      throw new IOException("%s on the disk %s: %s".formatted(directory, disk, e.getMessage()), e);
    }
  }

  private static void writeInto(Path directory, Path file, ByteBuffer content) throws IOException {
    // With the numbers of its cut in front: what a killed writer leaves behind is deleted with it;
    // of a shared part, with the run.
    Path unfinished =
        file.resolveSibling(
            file.getFileName().toString().replaceFirst("\\..*", "")
                + "."
                + UUID.randomUUID()
                + UNFINISHED);
    try {
      try (FileChannel channel =
          FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        // The JDK copies what it writes, and keeps the memory.
        for (int from = 0; from < content.remaining(); from += SLICE_BYTES) {
          int length = Math.min(SLICE_BYTES, content.remaining() - from);
          ByteBuffer slice = content.slice(content.position() + from, length);
          while (slice.hasRemaining()) {
            channel.write(slice);
          }
        }
        channel.force(true);
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
        entries.force(true);
      }
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  static String sha256(ByteBuffer content) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(content.duplicate());
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }
}
