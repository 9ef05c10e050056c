package org.cartostream.bench.kernel;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to encode a reading for the broker, and to decode it; nanoseconds per reading. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MessageBenchmark {

  @Param({"180", "1080"})
  private int beams;

  private final Codec codec = new Codec(1 << 20);
  private Envelope envelope;
  private byte[] frame;

  /** A reading in which no number is 0. */
  @Setup
  public void encodeOne() {
    float[] ranges = new float[beams];
    Arrays.fill(ranges, 4.25f);
    Scan scan = new Scan(new Pose(0.2, 0.01, 0.03), -1.57, 0.0175, 0.1, 30, ranges);
    long stamp = 1_700_000_000_123_456_789L;
    Reading reading = new Reading(stamp, new Pose(12.5, -3.25, 0.7), scan);
    ReadingMessage message = new ReadingMessage(reading).withHeldMap(1200);
    envelope = new Envelope("robot1", Envelope.newRun(), 1234, stamp, message);
    frame = codec.encode(envelope);
  }

  /** The frame of a reading. */
  @Benchmark
  public byte[] encode() {
    return codec.encode(envelope);
  }

  /** The reading in a frame. */
  @Benchmark
  public Envelope decode() {
    return codec.decode(frame);
  }
}
