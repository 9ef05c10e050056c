package org.cartostream.topology;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Manifest;

/** Checkpoints in memory; for a while there is no room for those of one robot, or of any. */
final class UnreliableStore implements CheckpointStore {

  private final MemoryStore store = new MemoryStore();
  private String fullFor;
  private boolean commitsFail;
  private boolean gone;
  private int failingReads;
  private int failingSearches;
  private int refused;

  /** By a part's name, bytes. */
  private final Map<String, Long> written = new HashMap<>();

  /** From now on there is no room for the runs of robots whose names begin so; null for room. */
  void fullFor(String robots) {
    fullFor = robots;
  }

  /** From now on parts are written, and no checkpoint is committed; or all is well again. */
  void commitsFail(boolean fail) {
    commitsFail = fail;
  }

  /** From now on it is not there: nothing can be read, listed, written or deleted. */
  void goes() {
    gone = true;
  }

  /** So many next parts cannot be read, though they are there. */
  void readsFail(int times) {
    failingReads = times;
  }

  /** So many next times nobody can look which checkpoints there are. */
  void searchesFail(int times) {
    failingSearches = times;
  }

  private void checkItIsThere() throws IOException {
    if (gone) {
      refused++;
      throw new IOException("Transport endpoint is not connected");
    }
  }

  /** How many bytes were written of a part in all checkpoints. */
  long written(String part) {
    return written.getOrDefault(part, 0L);
  }

  /** How often something was not kept. */
  int refused() {
    return refused;
  }

  /** The last reading in the latest checkpoint of a robot's run of the tests; 0 for none. */
  long latestReading(String robot) {
    String run = robot + "-" + Long.toHexString(NetworkTest.RUN);
    return store.latest(run, unusable -> {}).map(each -> each.id().reading()).orElse(0L);
  }

  @Override
  public CheckpointPart write(CheckpointId id, String name, ByteBuffer... content)
      throws IOException {
    checkThereIsRoom(id.run());
    CheckpointPart part = store.write(id, name, content);
    written.merge(name, part.bytes(), Long::sum);
    return part;
  }

  private void checkThereIsRoom(String run) throws IOException {
    checkItIsThere();
    if (fullFor != null && run.startsWith(fullFor)) {
      refused++;
      throw new IOException("No space left on device");
    }
  }

  @Override
  public CheckpointPart writeShared(String run, String name, ByteBuffer content)
      throws IOException {
    checkThereIsRoom(run);
    return store.writeShared(run, name, content);
  }

  @Override
  public Set<CheckpointPart> held(String run, Collection<CheckpointPart> shared)
      throws IOException {
    checkItIsThere();
    return store.held(run, shared);
  }

  @Override
  public void keep(CheckpointId from, CheckpointPart part, CheckpointId to) throws IOException {
    checkThereIsRoom(to.run());
    store.keep(from, part, to);
  }

  @Override
  public void commit(Manifest manifest) throws IOException {
    checkItIsThere();
    if (commitsFail) {
      refused++;
      throw new IOException("Input/output error");
    }
    store.commit(manifest);
  }

  @Override
  public Optional<Manifest> latest(String run, Consumer<String> unusable) throws IOException {
    checkItIsThere();
    if (failingSearches-- > 0) {
      throw new IOException("Input/output error");
    }
    return store.latest(run, unusable);
  }

  @Override
  public byte[] read(CheckpointId id, CheckpointPart part) throws IOException {
    checkItIsThere();
    if (failingReads-- > 0) {
      throw new IOException("Input/output error");
    }
    return store.read(id, part);
  }

  @Override
  public void deleteBefore(CheckpointId kept) throws IOException {
    checkItIsThere();
    store.deleteBefore(kept);
  }

  @Override
  public Instant written(CheckpointId id) throws IOException {
    checkItIsThere();
    return store.written(id);
  }

  @Override
  public void writeBeside(String run, String file, ByteBuffer content) throws IOException {
    checkThereIsRoom(run);
    store.writeBeside(run, file, content);
  }

  @Override
  public Optional<byte[]> readBeside(String run, String file) throws IOException {
    checkItIsThere();
    return store.readBeside(run, file);
  }

  @Override
  public String putFile(String name, ByteBuffer content) throws IOException {
    checkItIsThere();
    return store.putFile(name, content);
  }

  @Override
  public List<String> filesBesideRuns() throws IOException {
    checkItIsThere();
    return store.filesBesideRuns();
  }

  @Override
  public List<String> runs() throws IOException {
    checkItIsThere();
    return store.runs();
  }

  @Override
  public void delete(String run) throws IOException {
    checkItIsThere();
    store.delete(run);
  }
}
