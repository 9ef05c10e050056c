package org.cartostream.topology.dispatch;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.cartostream.broker.Version;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.topology.stream.Payload.Arrival;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the readings at which the service fails as files, in which its developers find the fault:
 * {@code failed-ROBOT-READING.json} in the folder of the checkpoints, {@value #MOST_FILES} at most.
 */
final class FailedReadings {

  private static final Logger LOG = LoggerFactory.getLogger(FailedReadings.class);

  static final int MOST_FILES = 100;
  private static final String PREFIX = "failed-";

  private final Path folder;
  private final Executor writer;

  /**
   * @param folder empty for none: then nothing is kept
   * @param writer runs what waits for the disk
   */
  FailedReadings(String folder, Executor writer) {
    this.folder = folder.isEmpty() ? null : Path.of(folder);
    this.writer = writer;
  }

  void keep(Arrival.OfReading reading, String failure) {
    if (folder != null) {
      writer.execute(() -> write(reading, failure));
    }
  }

  private void write(Arrival.OfReading reading, String failure) {
    Path file =
        folder.resolve("%s%s-%d.json".formatted(PREFIX, reading.run().robot(), reading.sequence()));
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("failure", failure);
    content.put("version", Version.current());
    content.put("robot", reading.run().robot());
    content.put("run", reading.run().number());
    content.put("number", reading.sequence());
    content.put("reading", reading.reading());
    try {
      Files.createDirectories(folder);
      if (count() >= MOST_FILES) {
        LOG.warn("{} is not written: there are {} such files", file, MOST_FILES);
        return;
      }
      byte[] bytes = new ObjectMapper().writeValueAsBytes(content);
      AtomicFile.write(file, out -> out.write(bytes));
      LOG.warn("what the service failed at is kept in {}", file);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} cannot be written: {}", file, e.toString());
    }
  }

  private long count() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.getFileName().toString().startsWith(PREFIX)).count();
    }
  }
}
