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
 * A store of checkpoints. Several processes may write parts of one checkpoint; one process commits
 * it. Safe for use by many threads.
 */
public interface CheckpointStore {

  /**
   * Name of the only file that a run may have beside its checkpoints: the history of its crashes.
   */
  String BESIDE = "attempts.json";

  /**
   * Returns the store at a location.
   *
   * @param location a folder, or {@code s3://BUCKET/FOLDER}
   * @throws IllegalArgumentException if the location begins with {@code s3://}, but names no bucket
   */
  static CheckpointStore at(String location) {
    return location.startsWith(S3Store.SCHEME)
        ? S3Store.at(location)
        : new DirectoryStore(Path.of(location));
  }

  /**
   * Stores a component's state durably, as a part that counts once a committed manifest lists it.
   *
   * @param name name of the component
   * @param content bytes of the state, in consecutive blocks
   */
  CheckpointPart write(CheckpointId id, String name, ByteBuffer... content) throws IOException;

  /**
   * Stores a part that checkpoints of a run can share, durably, until the run is deleted. A part
   * that is stored already with the same content is not written again.
   */
  CheckpointPart writeShared(String run, String name, ByteBuffer content) throws IOException;

  /** Returns those of the given shared parts that are stored. */
  Set<CheckpointPart> held(String run, Collection<CheckpointPart> shared) throws IOException;

  /**
   * Stores a part of a checkpoint unchanged for a later checkpoint of the same run, if possible
   * without writing the content again.
   *
   * @throws IOException if the part is missing or cannot be stored
   */
  void keep(CheckpointId from, CheckpointPart part, CheckpointId to) throws IOException;

  /** Stores a manifest, durably and atomically. From then on its checkpoint counts. */
  void commit(Manifest manifest) throws IOException;

  /**
   * Returns the manifest of the latest checkpoint that is complete: each part has the length and
   * the checksum in the manifest.
   *
   * @param unusable takes a sentence about each later checkpoint that is incomplete or damaged
   */
  Optional<Manifest> latest(String run, Consumer<String> unusable) throws IOException;

  /**
   * Returns the content of a part.
   *
   * @throws CheckpointException if the content is missing, or differs from what the manifest says
   */
  byte[] read(CheckpointId id, CheckpointPart part) throws IOException;

  /**
   * Deletes the run's checkpoints before {@code kept}, which must be committed, except for shared
   * parts.
   */
  void deleteBefore(CheckpointId kept) throws IOException;

  /** Returns the time at which a checkpoint was committed. */
  Instant written(CheckpointId id) throws IOException;

  /**
   * Stores a small file of a run beside its checkpoints, durably and atomically, until the run is
   * deleted.
   *
   * @param file name of the file: {@link #BESIDE}, the only one that {@link #delete} deletes
   */
  void writeBeside(String run, String file, ByteBuffer content) throws IOException;

  /** Returns the content of a file that {@link #writeBeside} stored; empty if there is none. */
  Optional<byte[]> readBeside(String run, String file) throws IOException;

  /**
   * Stores a file for people, beside the runs.
   *
   * @return location of the file, for people
   */
  String putFile(String name, ByteBuffer content) throws IOException;

  /** Returns the names of the files beside the runs. */
  List<String> filesBesideRuns() throws IOException;

  /** Returns the names of the runs of which anything is stored. */
  List<String> runs() throws IOException;

  /**
   * Deletes unfinished files of a run, which killed writers have left; nobody may be writing at the
   * same time.
   */
  default void sweep(String run) throws IOException {}

  /** Deletes all checkpoints of a run; files that no store has written are left alone. */
  void delete(String run) throws IOException;
}
