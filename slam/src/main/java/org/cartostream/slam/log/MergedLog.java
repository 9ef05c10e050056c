package org.cartostream.slam.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Collectors;
import org.cartostream.slam.sensor.Reading;

/**
 * Several logs of one format read as one log, such as the files of a split recording. They are
 * merged by the scans' stamps, whatever the order of the files. A scan that occurs in two
 * overlapping files is returned once. A scan that cannot be read has no stamp, and follows the one
 * before it in its file.
 *
 * <p>Owns the open logs, the next entry of each, and the set of scans that were returned.
 */
public final class MergedLog implements LaserLog {

  /** Opens one of the files. */
  public interface Opener {
    LaserLog open(Path file) throws IOException;
  }

  private static final class Source {

    private final Path path;
    private final LaserLog log;
    private LogEntry head;
    private long stamp = Long.MIN_VALUE;

    private Source(Path path, Opener opener) throws IOException {
      this.path = path;
      this.log = opener.open(path);
      advance();
    }

    private void advance() {
      head = log.hasNext() ? log.next() : null;
      if (head instanceof LogEntry.Usable usable) {
        stamp = usable.reading().stampNanos();
      }
    }

    private String named(String sentence) {
      return path.getFileName() + ": " + sentence;
    }
  }

  private record Scan(long stampNanos, int ranges) {}

  private final List<Source> sources = new ArrayList<>();
  private final Map<Scan, Source> taken = new HashMap<>();
  private int repeated;
  private int scanCount;
  private int repeatedInAll;

  /** The next entry of all logs; null after the last. */
  private LogEntry head;

  private MergedLog() {}

  /**
   * Opens one log as it is, or several merged. Several are read twice, first to count their scans.
   */
  public static LaserLog open(List<Path> files, Opener opener) throws IOException {
    if (files.size() == 1) {
      return opener.open(files.get(0));
    }
    MergedLog merged = merged(files, opener);
    try (MergedLog counted = merged(files, opener)) {
      for (; counted.hasNext(); counted.next()) {
        merged.scanCount++;
      }
      merged.repeatedInAll = counted.repeated;
    }
    return merged;
  }

  private static MergedLog merged(List<Path> files, Opener opener) throws IOException {
    MergedLog merged = new MergedLog();
    try {
      for (Path file : files) {
        merged.sources.add(new Source(file, opener));
      }
      merged.sources.sort(
          Comparator.comparingLong((Source each) -> each.stamp).thenComparing(each -> each.path));
      merged.advance();
    } catch (IOException | RuntimeException e) {
      merged.close();
      throw e;
    }
    return merged;
  }

  private void advance() {
    head = null;
    while (head == null) {
      Source source = null;
      for (Source each : sources) {
        boolean isEarlier = source == null || each.stamp < source.stamp;
        source = each.head != null && isEarlier ? each : source;
      }
      if (source == null) {
        return;
      }
      head = isRepeated(source) ? null : source.head;
      source.advance();
    }
  }

  private boolean isRepeated(Source source) {
    if (!(source.head instanceof LogEntry.Usable usable)) {
      return false;
    }
    Reading reading = usable.reading();
    Scan scan = new Scan(reading.stampNanos(), Arrays.hashCode(reading.scan().ranges()));
    Source before = taken.putIfAbsent(scan, source);
    boolean isRepeated = before != null && before != source;
    repeated += isRepeated ? 1 : 0;
    return isRepeated;
  }

  @Override
  public int scanCount() {
    return scanCount;
  }

  @Override
  public List<String> notices() {
    List<String> notices = new ArrayList<>();
    if (repeatedInAll > 0) {
      notices.add(repeatedInAll + " scans are in several of the files, and are taken once");
    }
    for (Source each : sources) {
      each.log.notices().forEach(notice -> notices.add(each.named(notice)));
    }
    return notices;
  }

  @Override
  public Optional<String> damage() {
    String all =
        sources.stream()
            .flatMap(source -> source.log.damage().map(source::named).stream())
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  @Override
  public boolean hasNext() {
    return head != null;
  }

  @Override
  public LogEntry next() {
    if (head == null) {
      throw new NoSuchElementException("the logs have no more than their " + scanCount + " scans");
    }
    LogEntry entry = head;
    advance();
    return entry;
  }

  @Override
  public void close() throws IOException {
    for (Source each : sources) {
      each.log.close();
    }
  }
}
