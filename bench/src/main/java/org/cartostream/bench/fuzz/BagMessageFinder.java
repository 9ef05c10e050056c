package org.cartostream.bench.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.bench.fuzz.FuzzInput.Extent;
import org.cartostream.bench.fuzz.FuzzInput.Part;

/**
 * Finder of the bytes that each message of an undamaged bag needs, by the bag's index
 * (wiki.ros.org/Bags/Format/2.0), without unpacking it: its chunk; and its connection's record,
 * which is there twice, in the chunk of the connection's first message and at the bag's end.
 */
final class BagMessageFinder {

  private static final int MAGIC_BYTES = 13;
  private static final int INDEX = 4;
  private static final int CHUNK = 5;
  private static final int CONNECTION = 7;
  private static final int INDEX_ENTRY_BYTES = 12;

  private record Entry(int connection, long atNanos, Extent chunk) {}

  private final ByteBuffer file;
  private final List<Integer> lengths = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private final Map<Integer, String> topics = new HashMap<>();
  private Extent chunk;
  private int index;

  private BagMessageFinder(byte[] bytes) {
    this.file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static FuzzInput of(String name, byte[] bytes) {
    BagMessageFinder finder = new BagMessageFinder(bytes);
    Extent header = new Extent(0, finder.take(MAGIC_BYTES), true);
    for (int at = header.to(); at < bytes.length; at = finder.take(at)) {}
    List<Extent> end = List.of(header, new Extent(finder.index, bytes.length, true));
    Map<Integer, Extent> firsts = new HashMap<>();
    List<Part> parts = new ArrayList<>();
    for (Entry each : finder.entries) {
      Extent first = firsts.computeIfAbsent(each.connection, any -> each.chunk);
      parts.add(
          new Part(
              finder.topics.get(each.connection) + " " + each.atNanos,
              List.of(new Extent(0, MAGIC_BYTES, true), each.chunk),
              List.of(List.of(first), end)));
    }
    return new FuzzInput(name, FuzzInput.Kind.MESSAGES, bytes, parts, true, finder.lengths);
  }

  /** Takes the record at a position; returns the position of the next one. */
  private int take(int at) {
    int header = file.getInt(at);
    int data = at + 2 * Integer.BYTES + header;
    int end = data + file.getInt(data - Integer.BYTES);
    lengths.addAll(List.of(at, data - Integer.BYTES));
    Map<String, ByteBuffer> fields = fields(at + Integer.BYTES, header);
    switch (fields.get("op").get(0)) {
      case CHUNK -> chunk = new Extent(at, end, false);
      case INDEX -> {
        for (int entry = data; entry < end; entry += INDEX_ENTRY_BYTES) {
          long seconds = Integer.toUnsignedLong(file.getInt(entry));
          long nanos = TimeUnit.SECONDS.toNanos(seconds) + file.getInt(entry + Integer.BYTES);
          entries.add(new Entry(fields.get("conn").getInt(0), nanos, chunk));
        }
      }
      case CONNECTION -> {
        index = index == 0 ? at : index;
        String topic = StandardCharsets.UTF_8.decode(fields.get("topic").duplicate()).toString();
        topics.put(fields.get("conn").getInt(0), topic);
      }
      default -> {}
    }
    return end;
  }

  private Map<String, ByteBuffer> fields(int from, int bytes) {
    Map<String, ByteBuffer> fields = new HashMap<>();
    for (int at = from; at < from + bytes; ) {
      int length = file.getInt(at);
      lengths.add(at);
      int value = at + Integer.BYTES;
      while (file.get(value++) != '=') {}
      String name = text(at + Integer.BYTES, value - 1);
      at += Integer.BYTES + length;
      fields.put(name, file.slice(value, at - value).order(ByteOrder.LITTLE_ENDIAN));
    }
    return fields;
  }

  private String text(int from, int to) {
    return new String(file.array(), from, to - from, StandardCharsets.US_ASCII);
  }
}
