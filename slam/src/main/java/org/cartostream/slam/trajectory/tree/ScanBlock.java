package org.cartostream.slam.trajectory.tree;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * Scans in a row of a path, kept outside the heap ({@link FileBackedBytes}). Immutable, and so
 * stored once for all checkpoints of a run (see {@code StateCodec}); two blocks are never equal.
 */
public final class ScanBlock {

  /** Path index, graph node, number of beams; mount, angles, limits of the range. */
  private static final int HEAD_BYTES = 3 * Integer.BYTES + 7 * Double.BYTES;

  private final int first;
  private final int scans;
  private final int lastPathIndex;
  private transient ByteBuffer content;

  private ScanBlock(int first, int scans, int lastPathIndex, byte[] content) {
    this.first = first;
    this.scans = scans;
    this.lastPathIndex = lastPathIndex;
    readContent(content);
  }

  /**
   * Returns a block of given scans.
   *
   * @param first number of the first scan, counted from 0
   * @param scans the scans, at least one
   */
  static ScanBlock of(int first, List<PathScan> scans) {
    int bytes = 0;
    for (PathScan each : scans) {
      bytes = Math.addExact(bytes, bytes(each.scan()));
    }
    ByteBuffer content = ByteBuffer.allocate(bytes);
    scans.forEach(each -> write(each, content));
    int last = scans.get(scans.size() - 1).pathIndex();
    return new ScanBlock(first, scans.size(), last, content.array());
  }

  /**
   * Returns what a key frame's scan takes on disk, or of the heap where it cannot be written:
   * bytes.
   */
  public static int bytes(Scan scan) {
    return HEAD_BYTES + Float.BYTES * scan.beams();
  }

  /** Returns its size on the heap, bytes: 0 if it could be written to a file. */
  long heapBytes() {
    return content.isDirect() ? 0 : content.capacity();
  }

  private static void write(PathScan each, ByteBuffer out) {
    Scan scan = each.scan();
    out.putInt(each.pathIndex()).putInt(each.graphNode()).putInt(scan.beams());
    out.putDouble(scan.mount().x()).putDouble(scan.mount().y()).putDouble(scan.mount().theta());
    out.putDouble(scan.startAngle()).putDouble(scan.angleStep());
    out.putDouble(scan.minRange()).putDouble(scan.maxRange());
    out.asFloatBuffer().put(scan.ranges());
    out.position(out.position() + Float.BYTES * scan.beams());
  }

  /** Returns the number of the block's first scan. */
  int first() {
    return first;
  }

  /** Returns true if the block contains the scan of a number. */
  boolean has(int number) {
    return number >= first && number < first + scans;
  }

  /** Returns the path index of the block's last scan. */
  int lastPathIndex() {
    return lastPathIndex;
  }

  /** Returns the scans, in the order of the path. */
  List<PathScan> scans() {
    ByteBuffer in = content.duplicate();
    List<PathScan> all = new ArrayList<>(scans);
    while (in.hasRemaining()) {
      all.add(read(in));
    }
    return all;
  }

  private static PathScan read(ByteBuffer in) {
    int pathIndex = in.getInt();
    int graphNode = in.getInt();
    int beams = in.getInt();
    if (beams < 0 || beams > in.remaining() / Float.BYTES) {
      throw new IllegalStateException("a scan of " + beams + " beams in a state is damaged");
    }
    float[] ranges = new float[beams];
    Pose mount = new Pose(in.getDouble(), in.getDouble(), in.getDouble());
    double startAngle = in.getDouble();
    double angleStep = in.getDouble();
    double minRange = in.getDouble();
    double maxRange = in.getDouble();
    FloatBuffer floats = in.asFloatBuffer();
    floats.get(ranges);
    in.position(in.position() + Float.BYTES * ranges.length);
    return new PathScan(
        pathIndex, graphNode, new Scan(mount, startAngle, angleStep, minRange, maxRange, ranges));
  }

  /** Writes the content for a checkpoint, see {@code StateCodec}. */
  private byte[] writeContent() {
    byte[] bytes = new byte[content.remaining()];
    content.duplicate().get(bytes);
    return bytes;
  }

  /** Reads the content from a checkpoint. */
  private void readContent(byte[] bytes) {
    if (scans < 0 || scans > bytes.length / HEAD_BYTES) {
      throw new IllegalStateException(scans + " scans do not fit into " + bytes.length + " bytes");
    }
    content = FileBackedBytes.of(bytes);
  }
}
