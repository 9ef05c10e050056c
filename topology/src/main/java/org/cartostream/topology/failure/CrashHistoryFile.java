package org.cartostream.topology.failure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.cartostream.checkpoint.CheckpointStore;

/**
 * A run's {@link CrashHistory} as a file beside its checkpoints: {@value #FILE}. What is written
 * later is written later for all runs of a dispatcher, for they have one writer.
 *
 * <p>Owns what was written or read last, and whether that is in the store.
 */
final class CrashHistoryFile {

  private static final String FILE = CheckpointStore.BESIDE;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String run;
  private final CheckpointStore store;
  private final Executor writer;

  /** Record that was read, or given to the writer last. */
  private volatile CrashHistory latest = CrashHistory.NOTHING;

  /** Number of records that were given to the writer. */
  private long begun;

  /** Number of records that the writer is done with. */
  private volatile long ended;

  /** True if the last of those could not be written. */
  private volatile boolean fails;

  /**
   * @param run its name in the store
   * @param store null for none: then nothing is to be read or written
   * @param writer runs what waits for the store, one after another
   */
  CrashHistoryFile(String run, CheckpointStore store, Executor writer) {
    this.run = run;
    this.store = store;
    this.writer = writer;
  }

  /** True if there is a store. */
  boolean exists() {
    return store != null;
  }

  /** Reads it; what another release wrote is nothing. Waits for the store. */
  CrashHistory read() throws IOException {
    byte[] bytes = store.readBeside(run, FILE).orElse(null);
    try {
      latest = bytes == null ? CrashHistory.NOTHING : JSON.readValue(bytes, CrashHistory.class);
    } catch (JsonProcessingException e) {
      latest = CrashHistory.NOTHING;
    }
    return latest;
  }

  /** Writes it, and waits for the store. */
  void writeNow(CrashHistory next) throws IOException {
    latest = next;
    store.writeBeside(run, FILE, ByteBuffer.wrap(JSON.writeValueAsBytes(next)));
  }

  /** True if the file is another than this, and there is one, or will be. */
  boolean isToBeChangedTo(CrashHistory next) {
    return !latest.equals(CrashHistory.NOTHING) && !latest.equals(next);
  }

  /**
   * Has it written.
   *
   * @param told takes, in the thread of the writer, why it is not written; empty if it is
   * @return the number of this writing, from 1
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

  /** True if this writing has succeeded, or failed. */
  boolean hasEnded(long writing) {
    return ended >= writing;
  }

  /** True if what was given to the writer last is not in the store, and nobody is at it. */
  boolean isToBeTriedAgain() {
    return fails && hasEnded(begun);
  }
}
