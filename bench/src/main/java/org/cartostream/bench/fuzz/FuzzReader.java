package org.cartostream.bench.fuzz;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cartostream.ros.bag.MessageFile;
import org.cartostream.ros.bag.ReadCoverage;
import org.cartostream.run.files.InputLog;
import org.cartostream.settings.file.FolderTree;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;

/**
 * Reader of fuzzed files that judges the result: reads a changed log, map, state or journal with
 * the readers of {@code replay} and {@code gateway}. Undamaged parts must be read, or the reader
 * must tell how much is missing; an exception must carry a sentence for people; and memory must be
 * bounded.
 */
final class FuzzReader {

  static final long MAX_BYTES = 512L << 20;

  /** Verdict that an undamaged part was not read, but the reader tells how much is missing. */
  static final String TOLD = "told";

  /** Pattern of a damage report that tells how much is missing, or that it cannot be told. */
  private static final String COUNT = "(?s).*([0-9]|cannot be told).*";

  private static final String PLACE = "at byte [0-9]+";

  /** Each folder has a name of its own: what was unpacked is kept by the packed file's path. */
  private static final AtomicInteger FOLDERS = new AtomicInteger();

  private final List<String> keys = new ArrayList<>();
  private boolean isTold;

  private FuzzReader() {}

  /**
   * Reads a changed file or folder, and returns the reader's fault as a text: empty if there is
   * none, or {@link #TOLD}.
   *
   * @param path file with the changed bytes
   */
  static String fault(FuzzInput log, MutatedFile changed, Path path) throws IOException {
    if (log.kind() != FuzzInput.Kind.FOLDER) {
      return fault(log.kind(), Map.of(log, changed), path);
    }
    Path folder = path.resolveSibling("folder-" + FOLDERS.incrementAndGet());
    try {
      return fault(log.kind(), FuzzableFolder.write(log, changed, folder), folder);
    } finally {
      FolderTree.delete(folder);
    }
  }

  private static String fault(FuzzInput.Kind kind, Map<FuzzInput, MutatedFile> wanted, Path path) {
    FuzzReader reader = new FuzzReader();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    try {
      reader.read(kind, path);
    } catch (IOException | UncheckedIOException e) {
      reader.isTold = true; // A sentence is all that the user sees.
      if (String.valueOf(e.getMessage())
          .matches("|(?s).*[a-z][.][A-Z][A-Za-z]*(Exception|Error).*")) {
        return "no sentence: " + e;
      }
    } catch (RuntimeException | Error e) {
      return "threw " + e + " at " + Stream.of(e.getStackTrace()).limit(1).toList();
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    return bytes > MAX_BYTES ? "took " + bytes + " bytes" : reader.loss(wanted);
  }

  private String loss(Map<FuzzInput, MutatedFile> wanted) {
    Set<String> read = new HashSet<>(keys);
    int fewest = 0;
    for (Map.Entry<FuzzInput, MutatedFile> file : wanted.entrySet()) {
      List<FuzzInput.Part> parts = file.getKey().parts();
      for (FuzzInput.Part part : parts) {
        if (!read.contains(part.key()) && part.isUntouched(file.getValue())) {
          return isTold ? TOLD : "lost " + part.key() + " without a word";
        }
      }
      fewest += file.getKey().isCounted() ? parts.size() : 0;
    }
    return !isTold && keys.size() < fewest
        ? "lost " + (fewest - keys.size()) + " without a word"
        : "";
  }

  private void read(FuzzInput.Kind kind, Path path) throws IOException {
    switch (kind) {
      case POSES -> {
        for (StampedPose each : TumFile.read(path)) {
          keys.add(Long.toString(each.stampNanos()));
        }
      }
      case SCANS -> readScans(path, true);
      case MAP -> {
        Files.writeString(path.resolveSibling("map.pgm"), "P2 1 1 255 254");
        ServerMap.read(path);
      }
      case PICTURE -> {
        Path map = path.resolveSibling("map.yaml");
        Files.writeString(
            map, "image: %s%nresolution: 0.05%norigin: [0, 0, 0]%n".formatted(path.getFileName()));
        ServerMap.read(map);
      }
      case STATE -> FuzzableState.read(path);
      case JOURNAL, SPOOL -> FuzzableJournal.read(kind, path);
      case MESSAGES, FOLDER -> {
        isTold |= isTold(readMessages(path, keys));
        if (MessageFile.isMessageFile(path)) {
          readScans(path, false);
        }
      }
    }
  }

  /** Adds the topic and time of each message to {@code keys}. */
  static ReadCoverage readMessages(Path path, List<String> keys) throws IOException {
    try (MessageFile file = MessageFile.open(List.of(path))) {
      for (var each = file.next(); each != null; each = file.next()) {
        keys.add(each.topic() + " " + each.atNanos());
      }
      return file.coverage();
    }
  }

  private static boolean isTold(ReadCoverage coverage) {
    return coverage.unreadBytes() > 0
        || coverage.lostMessages() > 0
        || coverage.damages().stream()
            .anyMatch(damage -> damage.replaceAll(PLACE, "").matches(COUNT));
  }

  private void readScans(Path path, boolean count) throws IOException {
    try (LaserLog log = InputLog.open(path)) {
      isTold |= count && log.damage().isPresent();
      while (log.hasNext()) {
        LogEntry entry = log.next();
        isTold |= count && entry instanceof LogEntry.Refused;
        if (count && entry instanceof LogEntry.Usable usable) {
          keys.add(Long.toString(usable.reading().stampNanos()));
        }
      }
    }
  }
}
