package org.cartostream.checkpoint;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * The state of a run as one file: a zip archive of a checkpoint's manifest and of the parts that it
 * lists.
 */
public final class RunState {

  /** Name of a state's file in its run's output folder. */
  public static final String FILE = "run.state";

  private static final String MANIFEST = "manifest.json";

  private final Path file;
  private final Manifest manifest;

  private RunState(Path file, Manifest manifest) {
    this.file = file;
    this.manifest = manifest;
  }

  /**
   * Opens a file, reading its manifest only.
   *
   * @throws CheckpointException if the file is no state of a run, or is cut off or damaged
   */
  public static RunState open(Path file) throws IOException {
    byte[] content = content(file, MANIFEST, ManifestFile.MAX_BYTES);
    return new RunState(file, ManifestFile.decode(content, "the state", file));
  }

  /** Returns true if a file begins like a zip archive, whether it is complete or not. */
  public static boolean isOne(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(2);
      return start.length == 2 && start[0] == 'P' && start[1] == 'K';
    }
  }

  public Path file() {
    return file;
  }

  public Manifest manifest() {
    return manifest;
  }

  /**
   * Returns the content of a part.
   *
   * @throws CheckpointException if there is no such part, or it is damaged
   */
  byte[] read(String name) throws IOException {
    CheckpointPart part = manifest.part(name);
    part.requireMemory();
    byte[] content = content(file, name, part.bytes());
    if (!NamedFilesStore.sha256(ByteBuffer.wrap(content)).equals(part.sha256())) {
      throw new CheckpointException(
          "the state is damaged: its part '%s' is not what was written (%s)".formatted(name, file));
    }
    return content;
  }

  /**
   * Returns the object that a part encodes.
   *
   * @throws CheckpointException if there is no such part, or it is damaged, or was written by
   *     another version of the program
   */
  public <T> T read(String name, Class<T> type) throws IOException {
    return StateCodec.decode(read(name), type, number -> read(SharedParts.name(name, number)));
  }

  /**
   * Stores this state as a checkpoint of another run, which can go on from there.
   *
   * @param run name of that run in the store
   */
  public void copyTo(CheckpointStore store, String run) throws IOException {
    CheckpointId id = new CheckpointId(run, manifest.id().epoch(), manifest.id().reading());
    List<CheckpointPart> parts = new ArrayList<>();
    for (CheckpointPart part : manifest.parts()) {
      ByteBuffer content = ByteBuffer.wrap(read(part.name()));
      parts.add(
          part.shared()
              ? store.writeShared(run, part.name(), content)
              : store.write(id, part.name(), content));
    }
    store.commit(new Manifest(id, manifest.release(), manifest.identity(), parts));
  }

  private static byte[] content(Path file, String name, long maxBytes) throws IOException {
    if (Files.isDirectory(file) || Files.exists(file) && !isOne(file)) {
      throw new CheckpointException(
          "'%s' is no state of a run; each run leaves one as %s beside its map"
              .formatted(file, FILE));
    }
    try (ZipFile zip = new ZipFile(file.toFile())) {
      ZipEntry entry = zip.getEntry(name);
      if (entry == null) {
        throw new CheckpointException(
            "'%s' is no state of a run: it has no '%s'".formatted(file, name));
      }
      try (InputStream in = zip.getInputStream(entry)) {
        byte[] content = new byte[Math.toIntExact(maxBytes)];
        int length = in.readNBytes(content, 0, content.length);
        if (in.read() >= 0) {
          throw new CheckpointException(
              "the state is damaged: its '%s' has more than %,d bytes (%s)"
                  .formatted(name, maxBytes, file));
        }
        return length == content.length ? content : Arrays.copyOf(content, length);
      }
    } catch (ZipException | EOFException e) {
      throw new CheckpointException(
          "the state is cut off or damaged (%s): %s".formatted(file, e.getMessage()), e);
    }
  }

  /** Writes a checkpoint of a store as such a file; leaves {@code out} open. */
  public static void write(OutputStream out, CheckpointStore store, Manifest manifest)
      throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setLevel(Deflater.BEST_SPEED);
    add(zip, MANIFEST, ManifestFile.encode(manifest));
    for (CheckpointPart part : manifest.parts()) {
      add(zip, part.name(), store.read(manifest.id(), part));
    }
    zip.finish();
  }

  private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
  }
}
