package org.cartostream.topology.failure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.cartostream.checkpoint.CheckpointStore;

/**
 * File with a run's {@link CrashHistory} beside its checkpoints: {@value #FILE}. All runs of a
 * dispatcher share one writer thread, so that their files are written in the order of the calls.
 *
 * <p>Owns the history that was written or read last, and the state of its latest write.
 */
final class CrashHistoryFile {

  private static final String FILE = CheckpointStore.BESIDE;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String run;
  private final CheckpointStore store;
  private final Executor writer;

  /** History that was read, or given to the writer last. */
  private volatile CrashHistory latest = CrashHistory.NOTHING;

  /** Number of writes that were given to the writer. */
  private long begun;

  /** Number of writes that have succeeded or failed. */
  private volatile long ended;

  /** True if the latest write has failed. */
  private volatile boolean fails;

  /**
   * @param run name of the run in the store
   * @param store store of the checkpoints; null for none, then only {@link #exists} may be called
   * @param writer executor of writes, one after another; a write waits for the store
   */
  CrashHistoryFile(String run, CheckpointStore store, Executor writer) {
    this.run = run;
    this.store = store;
    this.writer = writer;
  }

  /** Returns true if there is a store. */
  boolean exists() {
    return store != null;
  }

  /**
   * Reads the history, waiting for the store; a file that this release cannot read counts as an
   * empty history.
   */
  CrashHistory read() throws IOException {
    byte[] bytes = store.readBeside(run, FILE).orElse(null);
    try {
      latest = bytes == null ? CrashHistory.NOTHING : JSON.readValue(bytes, CrashHistory.class);
    } catch (JsonProcessingException e) {
      latest = CrashHistory.NOTHING;
    }
    return latest;
  }

  /** Writes a history, waiting for the store. */
  void writeNow(CrashHistory next) throws IOException {
    latest = next;
    store.writeBeside(run, FILE, ByteBuffer.wrap(JSON.writeValueAsBytes(next)));
  }

  /**
   * Returns true if the file holds, or will hold after pending writes, a history that is neither
   * empty nor equal to {@code next}.
   */
  boolean isToBeChangedTo(CrashHistory next) {
    return !latest.equals(CrashHistory.NOTHING) && !latest.equals(next);
  }

  /**
   * Writes a history in the writer's thread.
   *
   * @param told called by the writer's thread with the reason of a failure; empty for success
   * @return the number of this write, from 1
   */
  long write(CrashHistory next, Consumer<String> told) {
    latest = next;
    begun++;
    writer.execute(
        () -> {
          String failure = "";
          try {
            writeNow(next);
          } catch (IOException | RuntimeException e) {
            failure = e.toString();
          }
          fails = !failure.isEmpty();
          ended++;
          told.accept(failure);
        });
    return begun;
  }

  /**
   * Returns true if a write has succeeded or failed.
   *
   * @param writing number of the write
   */
  boolean hasEnded(long writing) {
    return ended >= writing;
  }

  /** Returns true if the latest write has failed, so that it should be repeated. */
  boolean isToBeTriedAgain() {
    return fails && hasEnded(begun);
  }
}
