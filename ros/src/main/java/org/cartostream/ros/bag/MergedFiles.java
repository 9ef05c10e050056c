package org.cartostream.ros.bag;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.cartostream.ros.RosException;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.serialization.MessageType;

/**
 * Several message files as one, as those of a recording that was split: merged by the times at
 * which their messages were recorded, whatever order the files are named in. A message that two
 * overlapping files have is taken once; messages are compared in decoded form, because bags and
 * MCAP files encode them differently.
 *
 * <p>Owns the open files, the next message of each, and the keys of the latest messages.
 */
final class MergedFiles implements MessageFile {

  /**
   * Maximum difference in recording time of two copies of a message, nanoseconds: the clocks of two
   * recording computers differ.
   */
  private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Opener of a single file. */
  interface Opener {
    MessageFile open(Path file) throws IOException;
  }

  private static final class Source {

    private final Path path;
    private final MessageFile file;
    private RecordedMessage head;

    private Source(Rosbag2Folder.Part part, Opener opener) throws IOException {
      this.path = part.named();
      this.file = opener.open(part.plain());
    }

    private String name() {
      return String.valueOf(path.getFileName());
    }
  }

  private record Seen(Source source, long atNanos) {}

  private final List<Source> sources = new ArrayList<>();

  /** The latest messages by their {@link #key}, in the order of reading. */
  private final Map<String, Seen> seen = new LinkedHashMap<>();

  private long repeated;

  /** File of the last message; null before the first. */
  private Source current;

  private final List<String> missing;

  private MergedFiles(List<String> missing) {
    this.missing = missing;
  }

  /**
   * @param missing a sentence for each file of the recording that is missing or cannot be read
   */
  static MergedFiles open(List<Rosbag2Folder.Part> parts, List<String> missing, Opener opener)
      throws IOException {
    MergedFiles merged = new MergedFiles(missing);
    try {
      for (Rosbag2Folder.Part part : parts) {
        Source source = new Source(part, opener);
        merged.sources.add(source);
        source.head = source.file.next();
      }
    } catch (IOException | RuntimeException e) {
      merged.close();
      throw e;
    }
    merged.sources.sort(
        Comparator.comparingLong((Source each) -> time(each.head)).thenComparing(Source::name));
    return merged;
  }

  private static long time(RecordedMessage message) {
    return message == null ? Long.MAX_VALUE : message.atNanos();
  }

  @Override
  public RecordedMessage next() throws IOException {
    while (true) {
      Source source = sources.get(0);
      for (Source each : sources) {
        source = time(each.head) < time(source.head) ? each : source;
      }
      RecordedMessage message = source.head;
      if (message == null) {
        return null;
      }
      source.head = source.file.next();
      if (!isRepeated(source, message)) {
        current = source;
        return message;
      }
      repeated++;
    }
  }

  /** True if another file had the same message. */
  private boolean isRepeated(Source source, RecordedMessage message) {
    String key = key(message);
    if (key.isEmpty()) {
      return false;
    }
    Seen before = seen.putIfAbsent(key, new Seen(source, message.atNanos()));
    long oldest = message.atNanos() - REMEMBERED_NANOS;
    var oldestFirst = seen.values().iterator();
    while (oldestFirst.hasNext() && oldestFirst.next().atNanos < oldest) {
      oldestFirst.remove();
    }
    return before != null && before.source != source;
  }

  /**
   * Returns a key that is the same for copies of a message; empty if copies of it are kept: other
   * types, undecodable messages, and static transforms, which are legitimately repeated.
   */
  private static String key(RecordedMessage message) {
    try {
      if (message.is(LaserScan.TYPE)) {
        return key(message, LaserScan.TYPE);
      }
      if (message.is(Odometry.TYPE)) {
        return key(message, Odometry.TYPE);
      }
      if (message.is(TfMessage.TYPE) && !message.topic().endsWith("tf_static")) {
        return key(message, TfMessage.TYPE);
      }
    } catch (RosException e) {
      // The reader of the message finds the damage, too.
    }
    return "";
  }

  /**
   * Returns the key by the message in ROS 2's encoding, which lacks the sequence number that not
   * every recorder keeps.
   */
  private static <M extends Record> String key(RecordedMessage message, MessageType<M> type) {
    CRC32C sum = new CRC32C();
    byte[] bytes = type.encodeCdr(message.as(type));
    sum.update(bytes);
    return message.topic() + ' ' + Arrays.hashCode(bytes) + ' ' + sum.getValue();
  }

  @Override
  public String source() {
    return current == null ? "" : current.path.toString();
  }

  @Override
  public ReadCoverage coverage() {
    long bytes = 0;
    long whole = 0;
    long unread = 0;
    long lost = 0;
    List<String> damages = new ArrayList<>(missing);
    for (Source each : sources) {
      ReadCoverage coverage = each.file.coverage();
      bytes += coverage.bytes();
      whole += coverage.wholeBytes();
      unread += coverage.unreadBytes();
      lost += coverage.lostMessages();
      coverage.damages().forEach(damage -> damages.add(each.name() + ": " + damage));
    }
    return new ReadCoverage(bytes, whole, unread, lost, missing.size(), repeated, damages);
  }

  @Override
  public void close() throws IOException {
    for (Source each : sources) {
      each.file.close();
    }
  }
}
