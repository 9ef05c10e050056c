package org.cartostream.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A store of checkpoints. Several processes may write parts of one cut; one of them commits it.
 * Safe for use by many threads.
 */
public interface CheckpointStore {

  /** Name of the file of a run that lies beside its checkpoints. */
  String BESIDE = "attempts.json";

  /**
   * The store at a location.
   *
   * @param location a folder, or {@code s3://BUCKET/FOLDER}
   * @throws IllegalArgumentException if it is none
   */
  static CheckpointStore at(String location) {
    return location.startsWith(S3Store.SCHEME)
        ? S3Store.at(location)
        : new DirectoryStore(Path.of(location));
  }

  /**
   * Keeps a component's state, durably; it counts once a manifest names it.
   *
   * @param content its bytes, in blocks one behind the other
   */
  CheckpointPart write(CheckpointId id, String name, ByteBuffer... content) throws IOException;

  /**
   * Keeps what all checkpoints of a run share that name it, durably, until the run is deleted. What
   * is there already, with the same content, is not written again.
   */
  CheckpointPart writeShared(String run, String name, ByteBuffer content) throws IOException;

  /** The given shared parts that are stored. */
  Set<CheckpointPart> held(String run, Collection<CheckpointPart> shared) throws IOException;

  /**
   * Keeps a part of a cut with a later one of the same run, too, as it is. Where the store can, it
   * does not write the content again.
   *
   * @throws IOException if it cannot be kept, or is not there
   */
  void keep(CheckpointId from, CheckpointPart part, CheckpointId to) throws IOException;

  /** Keeps the manifest, durably and as a whole. From now on the checkpoint counts. */
  void commit(Manifest manifest) throws IOException;

  /**
   * The latest checkpoint that is whole: all its parts are what was written.
   *
   * @param unusable told a sentence about each later one that is not
   */
  Optional<Manifest> latest(String run, Consumer<String> unusable) throws IOException;

  /**
   * The content of a part.
   *
   * @throws CheckpointException if it is missing, or not what the manifest says
   */
  byte[] read(CheckpointId id, CheckpointPart part) throws IOException;

  /**
   * Deletes what the run has no use for once {@code kept} is committed: all before it but for
   * shared parts.
   */
  void deleteBefore(CheckpointId kept) throws IOException;

  /** The time at which a checkpoint was committed. */
  Instant written(CheckpointId id) throws IOException;

  /**
   * Keeps a small file of a run beside its checkpoints, durably and as a whole, until it is
   * deleted.
   *
   * @param file {@link #BESIDE}, for {@link #delete} knows no other
   */
  void writeBeside(String run, String file, ByteBuffer content) throws IOException;

  /** Returns the content that was kept last in this way; empty if there is none. */
  Optional<byte[]> readBeside(String run, String file) throws IOException;

  /**
   * Keeps a file beside the runs, for people.
   *
   * @return where it is
   */
  String putFile(String name, ByteBuffer content) throws IOException;

  /** Names of the files beside the runs. */
  List<String> filesBesideRuns() throws IOException;

  /** Names of the runs of which there is something. */
  List<String> runs() throws IOException;

  /** Deletes what killed writers of a run left unfinished; nobody may be writing there. */
  default void sweep(String run) throws IOException {}

  /** Deletes all checkpoints of a run; files that are no store's are left alone. */
  void delete(String run) throws IOException;
}
