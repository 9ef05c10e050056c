package org.cartostream.bench.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.bench.fuzz.FuzzInput.Extent;
import org.cartostream.bench.fuzz.FuzzInput.Part;

/**
 * Finder of the bytes that each message of an undamaged MCAP file needs (mcap.dev/spec): its own
 * record, or the chunk that has it by the message index; and its channel's record, which is there
 * twice, before the channel's first message and at the file's end.
 */
final class McapMessageFinder {

  private static final int MAGIC_BYTES = 8;
  private static final int HEAD_BYTES = 1 + Long.BYTES;
  private static final int SCHEMA = 3;
  private static final int CHANNEL = 4;
  private static final int MESSAGE = 5;
  private static final int CHUNK = 6;
  private static final int MESSAGE_INDEX = 7;
  private static final int DATA_END = 15;

  private record Entry(int channel, long atNanos, Extent record) {}

  private final ByteBuffer file;
  private final List<Integer> lengths = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private final Map<Integer, String> topics = new HashMap<>();

  /** Records of schemas and channels outside of chunks. */
  private final List<Extent> definitions = new ArrayList<>();

  private Extent chunk;
  private int end;

  private McapMessageFinder(byte[] bytes) {
    this.file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static FuzzInput of(String name, byte[] bytes) {
    McapMessageFinder finder = new McapMessageFinder(bytes);
    for (int at = MAGIC_BYTES; at < bytes.length - MAGIC_BYTES; at = finder.take(at)) {}
    List<Extent> end = List.of(new Extent(finder.end, bytes.length, true));
    Map<Integer, Extent> firsts = new HashMap<>();
    List<Part> parts = new ArrayList<>();
    for (Entry each : finder.entries) {
      Extent first = firsts.computeIfAbsent(each.channel, any -> each.record);
      parts.add(
          new Part(
              finder.topics.get(each.channel) + " " + each.atNanos,
              List.of(new Extent(0, MAGIC_BYTES, true), each.record),
              List.of(finder.chunk == null ? finder.definitions : List.of(first), end)));
    }
    boolean isCounted = finder.chunk != null;
    return new FuzzInput(name, FuzzInput.Kind.MESSAGES, bytes, parts, isCounted, finder.lengths);
  }

  /** Takes the record at a position; returns the position of the next one. */
  private int take(int at) {
    int content = at + HEAD_BYTES;
    int next = content + (int) file.getLong(at + 1);
    lengths.addAll(List.of(at + 1, content));
    switch (file.get(at)) {
      case SCHEMA -> definitions.add(new Extent(at, next, false));
      case CHANNEL -> {
        if (end == 0) {
          definitions.add(new Extent(at, next, false));
        }
        int text = content + 2 * Short.BYTES;
        int length = file.getInt(text);
        String topic = new String(file.array(), text + 4, length, StandardCharsets.UTF_8);
        topics.put((int) file.getShort(content), topic);
      }
      case MESSAGE -> {
        long nanos = file.getLong(content + Short.BYTES + Integer.BYTES);
        entries.add(new Entry(file.getShort(content), nanos, new Extent(at, next, false)));
      }
      case CHUNK -> chunk = new Extent(at, next, false);
      case MESSAGE_INDEX -> {
        for (int entry = content + 6; entry < next; entry += 2 * Long.BYTES) {
          entries.add(new Entry(file.getShort(content), file.getLong(entry), chunk));
        }
      }
      case DATA_END -> end = at;
      default -> {}
    }
    return next;
  }
}
