package org.cartostream.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store of checkpoints as named files, in a folder or a bucket: {@code RUN/EPOCH-READING.json} for
 * a manifest, {@code RUN/EPOCH-READING.PART-SHA256} for a part, {@code RUN/PART-SHA256} for a
 * shared part. Other files of a run have names that do not begin with these numbers.
 */
abstract class NamedFilesStore implements CheckpointStore {

  private static final Logger LOG = LoggerFactory.getLogger(NamedFilesStore.class);

  /** Ending of a file's name until all of it is written. */
  static final String UNFINISHED = ".part-being-written";

  /** Regular expression of a number that fits a long, without leading zeros. */
  private static final String NUMBER = "(0|[1-9]\\d{0,17}|[1-8]\\d{18})";

  private static final String NUMBERS = NUMBER + "-" + NUMBER;
  private static final String PART = CheckpointPart.NAMES + "-[0-9a-f]{64}";
  private static final String WRITING = "[0-9a-f-]{36}\\" + UNFINISHED;
  static final Pattern MANIFEST = Pattern.compile(NUMBERS + "\\.json");
  private static final Pattern FILE = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}");

  /** Names of the files of a single checkpoint. */
  private static final Pattern NUMBERED =
      Pattern.compile(NUMBERS + "\\.(json|" + PART + "|" + WRITING + ")");

  /** Names of a run's other files: shared parts, and the file beside its checkpoints. */
  private static final Pattern OF_RUN =
      Pattern.compile(PART + "|[A-Za-z0-9_-]+\\." + WRITING + "|" + Pattern.quote(BESIDE));

  // --- files -------------------------------------------------------------------------------------

  /**
   * Writes a file, durably and atomically: readers see all of it or nothing.
   *
   * @param name {@code RUN/FILE}, or {@code FILE} for one beside the runs
   */
  abstract void put(String name, ByteBuffer... content) throws IOException;

  /**
   * Reads a file.
   *
   * @throws NoSuchFileException if there is no such file
   */
  abstract byte[] get(String name) throws IOException;

  /**
   * Returns the length of a file, bytes.
   *
   * @throws NoSuchFileException if there is no such file
   */
  abstract long size(String name) throws IOException;

  /**
   * Returns the time at which a file was written.
   *
   * @throws NoSuchFileException if there is no such file
   */
  abstract Instant time(String name) throws IOException;

  /** Returns the names of a run's files, without the run; empty if there is no such run. */
  abstract List<String> files(String run) throws IOException;

  /** Deletes a file if it exists. */
  abstract void remove(String name) throws IOException;

  /**
   * Stores the content of a file under a second name, too; does nothing if a file has that name, as
   * its content is the same.
   *
   * @throws NoSuchFileException if there is no file {@code from}
   */
  abstract void copy(String from, String to) throws IOException;

  /** Returns the location of a file, for people. */
  abstract String where(String name);

  // --- checkpoints -------------------------------------------------------------------------------

  @Override
  public final CheckpointPart write(CheckpointId id, String name, ByteBuffer... content)
      throws IOException {
    CheckpointPart part =
        new CheckpointPart(name, BlockOutput.bytes(content), sha256(content), false);
    put(nameOf(id, part), content);
    return part;
  }

  @Override
  public final CheckpointPart writeShared(String run, String name, ByteBuffer content)
      throws IOException {
    CheckpointPart part = new CheckpointPart(name, content.remaining(), sha256(content), true);
    try {
      read(new CheckpointId(run, 0, 0), part); // The stored file may be damaged.
    } catch (CheckpointException e) {
      put(nameOfShared(run, part), content);
    }
    return part;
  }

  @Override
  public final Set<CheckpointPart> held(String run, Collection<CheckpointPart> shared)
      throws IOException {
    if (shared.isEmpty()) {
      return Set.of();
    }
    Set<String> files = Set.copyOf(files(run)); // One request, however many parts.
    return shared.stream()
        .filter(part -> files.contains(fileOfShared(part)))
        .collect(Collectors.toSet());
  }

  @Override
  public final void keep(CheckpointId from, CheckpointPart part, CheckpointId to)
      throws IOException {
    copy(nameOf(from, part), nameOf(to, part));
  }

  @Override
  public final void commit(Manifest manifest) throws IOException {
    put(nameOf(manifest.id()), ByteBuffer.wrap(ManifestFile.encode(manifest)));
  }

  @Override
  public final Optional<Manifest> latest(String run, Consumer<String> unusable) throws IOException {
    for (CheckpointId id : ids(run)) {
      try {
        Manifest manifest = manifest(id);
        for (CheckpointPart part : manifest.parts()) {
          read(id, part);
        }
        return Optional.of(manifest);
      } catch (CheckpointException e) {
        unusable.accept(e.getMessage());
      }
    }
    return Optional.empty();
  }

  @Override
  public final byte[] read(CheckpointId id, CheckpointPart part) throws IOException {
    String name = nameOf(id, part);
    part.requireMemory();
    byte[] content;
    try {
      long bytes = size(name);
      if (bytes != part.bytes()) {
        throw new CheckpointException(
            "%s is not whole: its part '%s' has %d of %d bytes (%s)"
                .formatted(id, part.name(), bytes, part.bytes(), where(name)));
      }
      content = get(name);
    } catch (NoSuchFileException e) {
      throw new CheckpointException(
          "%s is not whole: its part '%s' is missing (%s)".formatted(id, part.name(), where(name)),
          e);
    }
    if (!sha256(ByteBuffer.wrap(content)).equals(part.sha256())) {
      throw new CheckpointException(
          "%s is damaged: its part '%s' is not what was written (%s)"
              .formatted(id, part.name(), where(name)));
    }
    return content;
  }

  @Override
  public final void deleteBefore(CheckpointId kept) throws IOException {
    for (String file : files(kept.run())) {
      Matcher numbers = NUMBERED.matcher(file);
      if (numbers.matches() && id(kept.run(), numbers).compareTo(kept) < 0) {
        remove(kept.run() + "/" + file);
      }
    }
  }

  @Override
  public void delete(String run) throws IOException {
    for (String file : files(new CheckpointId(run, 0, 0).run())) {
      if (NUMBERED.matcher(file).matches() || OF_RUN.matcher(file).matches()) {
        remove(run + "/" + file);
      } else {
        LOG.warn("{} is no file of a checkpoint, and is left alone", where(run + "/" + file));
      }
    }
  }

  @Override
  public final Instant written(CheckpointId id) throws IOException {
    return time(nameOf(id));
  }

  @Override
  public final void writeBeside(String run, String file, ByteBuffer content) throws IOException {
    put(inRun(run, file), content);
  }

  @Override
  public final Optional<byte[]> readBeside(String run, String file) throws IOException {
    try {
      return Optional.of(get(inRun(run, file)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public final String putFile(String name, ByteBuffer content) throws IOException {
    put(fileName(name), content);
    return where(name);
  }

  /** Returns the run's checkpoints that have a manifest, the latest first. */
  private List<CheckpointId> ids(String run) throws IOException {
    List<CheckpointId> ids = new ArrayList<>();
    for (String file : files(new CheckpointId(run, 0, 0).run())) {
      Matcher numbers = MANIFEST.matcher(file);
      if (numbers.matches()) {
        ids.add(id(run, numbers));
      }
    }
    ids.sort(Collections.reverseOrder());
    return ids;
  }

  private static CheckpointId id(String run, Matcher numbers) {
    return new CheckpointId(
        run, Long.parseLong(numbers.group(1)), Long.parseLong(numbers.group(2)));
  }

  private Manifest manifest(CheckpointId id) throws IOException {
    String name = nameOf(id);
    if (size(name) > ManifestFile.MAX_BYTES) {
      throw new CheckpointException(
          "%s has a manifest of more than %,d bytes, and none has (%s)"
              .formatted(id, ManifestFile.MAX_BYTES, where(name)));
    }
    Manifest manifest = ManifestFile.decode(get(name), id, where(name));
    if (!id.equals(manifest.id())) {
      throw new CheckpointException(
          "%s is another's: its manifest says %s (%s)".formatted(id, manifest.id(), where(name)));
    }
    return manifest;
  }

  private static String inRun(String run, String file) {
    return new CheckpointId(run, 0, 0).run() + "/" + fileName(file);
  }

  /** Checks that a file's name has no path that leads into another folder, and returns it. */
  private static String fileName(String name) {
    if (!FILE.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' cannot name a file of a store: letters, digits, '-', '_' and, behind them, '.' can"
              .formatted(StateCodec.shown(name)));
    }
    return name;
  }

  private static String nameOf(CheckpointId id) {
    return "%s/%d-%d.json".formatted(id.run(), id.epoch(), id.reading());
  }

  private static String nameOfShared(String run, CheckpointPart part) {
    return inRun(run, fileOfShared(part));
  }

  private static String fileOfShared(CheckpointPart part) {
    return part.name() + "-" + part.sha256();
  }

  private static String nameOf(CheckpointId id, CheckpointPart part) {
    return part.shared()
        ? nameOfShared(id.run(), part)
        : "%s/%d-%d.%s-%s"
            .formatted(id.run(), id.epoch(), id.reading(), part.name(), part.sha256());
  }

  static String sha256(ByteBuffer... content) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (ByteBuffer block : content) {
        digest.update(block.duplicate());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }
}
