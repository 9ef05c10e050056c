package org.cartostream.topology.failure;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.cartostream.broker.Version;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.topology.stream.Payload.Arrival;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dead letters of one run: readings at which the service failed, stored for its developers as files
 * {@code failed-ROBOT-READING.json} beside the checkpoints, {@value #MAX_FILES} of all runs at
 * most.
 */
public final class DeadLetterFolder {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterFolder.class);

  static final int MAX_FILES = 100;
  private static final String PREFIX = "failed-";

  private final Optional<CheckpointStore> store;
  private final Executor writer;

  /** Numbers of the readings that were stored; a robot may send the same reading repeatedly. */
  private final Set<Long> kept = new HashSet<>();

  /**
   * @param store store of the checkpoints; if empty, nothing is kept
   * @param writer executor for work that waits for the store
   */
  public DeadLetterFolder(Optional<CheckpointStore> store, Executor writer) {
    this.store = store;
    this.writer = writer;
  }

  /** Stores a reading and a sentence about the failure, unless the reading was stored before. */
  public void keep(Arrival.OfReading reading, String failure) {
    if (store.isPresent() && kept.add(reading.sequence())) {
      writer.execute(() -> write(store.get(), reading, failure));
    }
  }

  private static void write(CheckpointStore store, Arrival.OfReading reading, String failure) {
    String file = "%s%s-%d.json".formatted(PREFIX, reading.run().robot(), reading.sequence());
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("failure", failure);
    content.put("version", Version.current());
    content.put("robot", reading.run().robot());
    content.put("run", reading.run().number());
    content.put("number", reading.sequence());
    content.put("reading", reading.reading());
    try {
      long there = store.filesBesideRuns().stream().filter(f -> f.startsWith(PREFIX)).count();
      if (there >= MAX_FILES) {
        LOG.warn("{} is not written: there are {} such files", file, MAX_FILES);
        return;
      }
      byte[] bytes = new ObjectMapper().writeValueAsBytes(content);
      String where = store.putFile(file, ByteBuffer.wrap(bytes));
      LOG.warn("what the service failed at is kept in {}", where);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} cannot be written: {}", file, e.toString());
    }
  }
}
