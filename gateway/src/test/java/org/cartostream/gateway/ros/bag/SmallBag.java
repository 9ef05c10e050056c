package org.cartostream.gateway.ros.bag;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.cartostream.gateway.ros.scan.FakeRobot;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.slam.geometry.Pose;

/**
 * Writes a bag by wiki.ros.org/Bags/Format/2.0, whole or with one field too short: a scan each 100
 * ms, odometry 10 ms before and after it, on {@code /tf} unless it is asked for on topics.
 *
 * <p>Owns the count of fields written.
 */
final class SmallBag {

  enum Packing {
    NONE,
    BZ2,
    LZ4
  }

  private static final int TF = 0;
  private static final int SCAN = 1;
  private static final int FIXED = 2;
  private static final int ODOMETRY = 3;
  private static final int FURTHER_SCANS = 100;
  private static final int FURTHER_TFS = 200;
  private static final int SCANS_IN_CHUNK = 5;

  private final Packing packing;
  private final int shortField;
  private final int missingBytes;
  private List<String> scanTopics = List.of("/scan");
  private List<String> odometryTopics = List.of();
  private List<String> tfTopics = List.of("/tf");
  private byte[] furtherTransform = {};
  private boolean furtherIsFixed;
  private int truncated;
  private boolean backwards;
  private int lateMillis;
  private int firstScan;
  private boolean fixed = true;
  private int fields;

  /** Written in the chunk at hand. */
  private int messages;

  private SmallBag(Packing packing, int shortField, int missingBytes) {
    this.packing = packing;
    this.shortField = shortField;
    this.missingBytes = missingBytes;
  }

  static byte[] whole(Packing packing, int scans) throws IOException {
    return new SmallBag(packing, -1, 0).bytes(scans);
  }

  /** With a laser on each of the topics; laser i has a beam more than the one before it. */
  static byte[] withLasers(int scans, String... topics) throws IOException {
    SmallBag bag = new SmallBag(Packing.NONE, -1, 0);
    bag.scanTopics = List.of(topics);
    return bag.bytes(scans);
  }

  /** With odometry on topics, each a kilometre from the one before it. */
  static byte[] withOdometry(int scans, boolean alsoOnTf, String... topics) throws IOException {
    SmallBag bag = new SmallBag(Packing.NONE, -1, 0);
    bag.odometryTopics = List.of(topics);
    bag.tfTopics = alsoOnTf ? bag.tfTopics : List.of();
    return bag.bytes(scans);
  }

  /** With odometry on topics of transforms, each a kilometre from the one before it. */
  static byte[] withTransforms(int scans, List<String> topics, String... odometries)
      throws IOException {
    SmallBag bag = new SmallBag(Packing.NONE, -1, 0);
    bag.tfTopics = topics;
    bag.odometryTopics = List.of(odometries);
    return bag.bytes(scans);
  }

  /** With a further transform before each scan. */
  static byte[] withTransform(int scans, boolean fixed, String parent, String child, double x)
      throws IOException {
    SmallBag bag = new SmallBag(Packing.NONE, -1, 0);
    bag.furtherTransform = transform(parent, child, 0, x);
    bag.furtherIsFixed = fixed;
    return bag.bytes(scans);
  }

  /** With first scans that have two of five beams, and a quarter of the field. */
  static byte[] withTruncated(int scans, int truncated) throws IOException {
    SmallBag bag = new SmallBag(Packing.NONE, -1, 0);
    bag.truncated = truncated;
    return bag.bytes(scans);
  }

  /** With the last scan, and the odometry around it, first. */
  static byte[] backwards(int scans, boolean odometry) throws IOException {
    SmallBag bag = new SmallBag(Packing.NONE, -1, 0);
    bag.backwards = true;
    bag.tfTopics = odometry ? bag.tfTopics : List.of();
    return bag.bytes(scans);
  }

  /** With odometry that was recorded so long after its time. */
  static byte[] withLateOdometry(int scans, int millis) throws IOException {
    SmallBag bag = new SmallBag(Packing.NONE, -1, 0);
    bag.lateMillis = millis;
    return bag.bytes(scans);
  }

  /** The scans from one to before another, as of a recording that was split. */
  static byte[] part(int first, int end, boolean fixed) throws IOException {
    SmallBag bag = new SmallBag(Packing.NONE, -1, 0);
    bag.firstScan = first;
    bag.fixed = fixed;
    return bag.bytes(end);
  }

  /** How many fields the records of a bag have in all. */
  static int fields(int scans) throws IOException {
    SmallBag bag = new SmallBag(Packing.NONE, -1, 0);
    bag.bytes(scans);
    return bag.fields;
  }

  /** A field lacks so many of its last bytes, and its length says so. */
  static byte[] shortened(int scans, int field, int bytes) throws IOException {
    return new SmallBag(Packing.NONE, field, bytes).bytes(scans);
  }

  private byte[] bytes(int scans) throws IOException {
    ByteArrayOutputStream bag = new ByteArrayOutputStream();
    bag.writeBytes(ascii("#ROSBAG V2.0\n"));
    byte[] header = bagHeader(0, 0);
    List<Integer> chunks = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    bag.writeBytes(header);
    for (int first = firstScan; first < scans; first += SCANS_IN_CHUNK) {
      ByteArrayOutputStream chunk = new ByteArrayOutputStream();
      chunks.add(bag.size());
      messages = 0;
      chunk.writeBytes(connections());
      for (int i = first; i < Math.min(scans, first + SCANS_IN_CHUNK); i++) {
        chunk.writeBytes(moment(backwards ? scans - 1 - i : i));
      }
      counts.add(messages);
      byte[] size = number(chunk.size());
      byte[] chunkHeader =
          joined(
              op(5),
              field("compression", ascii(packing.name().toLowerCase(Locale.ROOT))),
              field("size", size));
      bag.writeBytes(record(chunkHeader, packed(chunk.toByteArray())));
    }
    int index = bag.size();
    bag.writeBytes(connections());
    for (int i = 0; i < chunks.size(); i++) {
      bag.writeBytes(chunkInfo(chunks.get(i), counts.get(i)));
    }
    byte[] all = bag.toByteArray();
    int written = fields;
    fields = 0; // The same fields, now with what they say.
    byte[] known = bagHeader(index, chunks.size());
    fields = written;
    System.arraycopy(known, 0, all, ascii("#ROSBAG V2.0\n").length, known.length);
    return all;
  }

  private byte[] bagHeader(long index, int chunks) {
    return record(
        joined(
            op(3),
            field("index_pos", joined(number((int) index), number(0))),
            field("conn_count", number(2)),
            field("chunk_count", number(chunks))),
        ascii(" ".repeat(40)));
  }

  private byte[] chunkInfo(int at, int count) {
    byte[] header =
        joined(
            op(6),
            field("ver", number(1)),
            field("chunk_pos", joined(number(at), number(0))),
            field("start_time", new byte[Long.BYTES]),
            field("end_time", new byte[Long.BYTES]),
            field("count", number(1)));
    return record(header, joined(number(TF), number(count)));
  }

  private byte[] connections() {
    ByteArrayOutputStream chunk = new ByteArrayOutputStream();
    for (int topic = 0; topic < tfTopics.size(); topic++) {
      chunk.writeBytes(connection(tf(topic), tfTopics.get(topic), TfMessage.TYPE));
    }
    chunk.writeBytes(connection(FIXED, "/tf_static", TfMessage.TYPE));
    for (int laser = 0; laser < scanTopics.size(); laser++) {
      chunk.writeBytes(connection(scan(laser), scanTopics.get(laser), LaserScan.TYPE));
    }
    for (int topic = 0; topic < odometryTopics.size(); topic++) {
      String name = odometryTopics.get(topic);
      chunk.writeBytes(connection(ODOMETRY + topic, name, Odometry.TYPE));
    }
    return chunk.toByteArray();
  }

  private static int tf(int topic) {
    return topic == 0 ? TF : FURTHER_TFS + topic;
  }

  private static int scan(int laser) {
    return laser == 0 ? SCAN : FURTHER_SCANS + laser;
  }

  private byte[] moment(int i) {
    long at = 100 * (i + 1);
    byte[] further =
        furtherTransform.length == 0
            ? furtherTransform
            : message(furtherIsFixed ? FIXED : TF, at, furtherTransform);
    return joined(
        further,
        fixed ? message(FIXED, at, transform("base_link", "laser", 0, 0)) : new byte[0],
        odometry(at, at - 10 - lateMillis),
        scans(at),
        odometry(at + 10, at + 10 - lateMillis));
  }

  private byte[] scans(long at) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int laser = 0; laser < scanTopics.size(); laser++) {
      float[] ranges = new float[at <= 100 * truncated ? 2 : 5 + laser];
      for (int k = 0; k < ranges.length; k++) {
        ranges[k] = k + 1;
      }
      all.writeBytes(message(scan(laser), at, LaserScan.TYPE.encode(FakeRobot.scan(at, ranges))));
    }
    return all.toByteArray();
  }

  private byte[] odometry(long at, long stamp) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int topic = 0; topic < tfTopics.size(); topic++) {
      byte[] there = transform("odom", "base_link", stamp, 1000 * topic + stamp / 1000.0);
      all.writeBytes(message(tf(topic), at, there));
    }
    for (int topic = 0; topic < odometryTopics.size(); topic++) {
      Odometry there =
          FakeRobot.odometry(stamp, 1000 * topic + stamp / 1000.0, "odom", "base_link");
      all.writeBytes(message(ODOMETRY + topic, at, Odometry.TYPE.encode(there)));
    }
    return all.toByteArray();
  }

  private static byte[] transform(String parent, String child, long atMillis, double x) {
    RigidTransform motion = RigidTransform.of(new Pose(x, 0, 0.1));
    return TfMessage.TYPE.encode(
        new TfMessage(List.of(FakeRobot.transform(parent, child, atMillis, motion))));
  }

  private byte[] connection(int id, String topic, MessageType<?> type) {
    return record(
        joined(op(7), field("conn", number(id)), field("topic", ascii(topic))),
        joined(field("topic", ascii(topic)), field("md5sum", ascii(type.md5()))));
  }

  private byte[] message(int id, long atMillis, byte[] bytes) {
    messages++;
    byte[] time =
        joined(number((int) (atMillis / 1000)), number((int) (atMillis % 1000 * FakeRobot.MILLI)));
    return record(joined(op(2), field("conn", number(id)), field("time", time)), bytes);
  }

  private byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out =
        switch (packing) {
          case NONE -> packed;
          case BZ2 -> new BZip2CompressorOutputStream(packed, 1);
          case LZ4 -> new FramedLZ4CompressorOutputStream(packed);
        }) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private byte[] op(int op) {
    return field("op", new byte[] {(byte) op});
  }

  private byte[] field(String name, byte[] value) {
    int missing = fields++ == shortField ? Math.min(missingBytes, value.length) : 0;
    byte[] text = joined(ascii(name + "="), Arrays.copyOf(value, value.length - missing));
    return joined(number(text.length), text);
  }

  private static byte[] record(byte[] header, byte[] data) {
    return joined(number(header.length), header, number(data.length), data);
  }

  private static byte[] number(int value) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
