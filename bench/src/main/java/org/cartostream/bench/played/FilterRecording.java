package org.cartostream.bench.played;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.particle.StepWeigher;

/**
 * Recording of a filter: what each particle computed at each key frame, and how long it took.
 *
 * @param particles number of particles, the same at each key frame
 * @param keyFrames key frames by the numbers of their readings
 */
public record FilterRecording(int particles, TreeMap<Long, KeyFrame> keyFrames) {

  /**
   * What was computed at a key frame.
   *
   * @param commonNanos computing time that each task has, whatever its number of particles
   * @param weighed result of matching each particle
   * @param matchNanos computing time of matching each particle
   * @param updateNanos computing time of entering the scan into each particle's map; 0 for those
   *     that share the map of another
   */
  public record KeyFrame(
      long commonNanos, List<StepWeigher.Weighed> weighed, long[] matchNanos, long[] updateNanos) {

    /** Returns the computing time of one task that has all particles, nanoseconds. */
    long nanos() {
      long sum = commonNanos;
      for (int i = 0; i < matchNanos.length; i++) {
        sum += matchNanos[i] + updateNanos[i];
      }
      return sum;
    }

    private KeyFrame least(KeyFrame other) {
      for (int i = 0; i < matchNanos.length; i++) {
        matchNanos[i] = Math.min(matchNanos[i], other.matchNanos[i]);
        updateNanos[i] = Math.min(updateNanos[i], other.updateNanos[i]);
      }
      return new KeyFrame(
          Math.min(commonNanos, other.commonNanos), weighed, matchNanos, updateNanos);
    }
  }

  /**
   * Returns what was recorded of a reading.
   *
   * @throws IllegalArgumentException if the reading is no key frame of the recording
   */
  KeyFrame at(long sequence) {
    KeyFrame keyFrame = keyFrames.get(sequence);
    if (keyFrame == null) {
      throw new IllegalArgumentException(
          "reading %d is no key frame of the recording, which has %d up to %s; the log of the recording would be right"
              .formatted(
                  sequence,
                  keyFrames.size(),
                  keyFrames.isEmpty() ? "none" : keyFrames.lastKey().toString()));
    }
    return keyFrame;
  }

  /** Returns the computing time of all key frames, milliseconds. */
  public double millis() {
    return keyFrames.values().stream().mapToLong(KeyFrame::nanos).sum() / 1e6;
  }

  /**
   * Takes the lesser time of each piece of work from another recording of the same readings: the
   * work is the same, and what came between (a collection, the compiler) is not.
   */
  void takeLeast(FilterRecording other) {
    keyFrames.replaceAll((sequence, keyFrame) -> keyFrame.least(other.at(sequence)));
  }

  /** Writes the recording, compressed. */
  void write(OutputStream to) throws IOException {
    try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(to))) {
      out.writeInt(particles);
      out.writeInt(keyFrames.size());
      for (var each : keyFrames.entrySet()) {
        KeyFrame keyFrame = each.getValue();
        out.writeLong(each.getKey());
        out.writeLong(keyFrame.commonNanos);
        for (int i = 0; i < particles; i++) {
          StepWeigher.Weighed weighed = keyFrame.weighed.get(i);
          out.writeDouble(weighed.pose().x());
          out.writeDouble(weighed.pose().y());
          out.writeDouble(weighed.pose().theta());
          out.writeDouble(weighed.logLikelihood());
          out.writeLong(weighed.evaluations());
          out.writeLong(weighed.bytes());
          out.writeLong(keyFrame.matchNanos[i]);
          out.writeLong(keyFrame.updateNanos[i]);
        }
      }
    }
  }

  /** Reads what {@link #write} has written. */
  static FilterRecording read(InputStream from) throws IOException {
    try (DataInputStream in = new DataInputStream(new GZIPInputStream(from))) {
      FilterRecording recording = new FilterRecording(in.readInt(), new TreeMap<>());
      for (int left = in.readInt(); left > 0; left--) {
        long sequence = in.readLong();
        recording.keyFrames.put(sequence, keyFrame(in, recording.particles));
      }
      return recording;
    }
  }

  private static KeyFrame keyFrame(DataInputStream in, int particles) throws IOException {
    List<StepWeigher.Weighed> weighed = new ArrayList<>();
    KeyFrame keyFrame =
        new KeyFrame(in.readLong(), weighed, new long[particles], new long[particles]);
    for (int i = 0; i < particles; i++) {
      Pose pose = new Pose(in.readDouble(), in.readDouble(), in.readDouble());
      weighed.add(new StepWeigher.Weighed(pose, in.readDouble(), in.readLong(), in.readLong()));
      keyFrame.matchNanos[i] = in.readLong();
      keyFrame.updateNanos[i] = in.readLong();
    }
    return keyFrame;
  }
}
