package org.cartostream.web.recording;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.ros.bag.McapWriter;
import org.cartostream.ros.message.RosString;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.slam.file.DiskName;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.topic.RunTopics;
import org.cartostream.web.topic.Topic;

/**
 * Recording of a run's {@link Topic}s in an MCAP file, by the rules of rosbag2. If the process is
 * killed, the file can be read up to {@link #CHUNK_SECONDS} before. Owns the file. Not thread-safe.
 */
final class McapRecording implements RunObserver {

  /** Maximum age of messages that are not in the file yet when the next message comes, seconds. */
  static final long CHUNK_SECONDS = 5;

  /**
   * Share of the run's time that drawing may take: little, as a recording must not hold up the run.
   */
  private static final double DRAWING_SHARE = 0.01;

  private interface Part {
    void write() throws IOException;
  }

  private final Path file;
  private final Consumer<String> notices;
  private final RunTopics topics = new RunTopics(this::write);
  private final Map<Topic, McapWriter.Channel> channels = new EnumMap<>(Topic.class);
  private boolean opened;

  /** Writer of the file; null before the first outcome, and after writing has failed. */
  private McapWriter writer;

  private long chunkNanos;

  McapRecording(Path file, Consumer<String> notices) {
    this.file = file;
    this.notices = notices;
  }

  @Override
  public void begin(String robot, long scans) {
    topics.begin(robot, scans);
  }

  /**
   * Creates the file at the first outcome, so that a run without any leaves an older run's file.
   */
  @Override
  public void outcome(long number, Reading reading, Outcome outcome) {
    record(
        () -> {
          if (!opened) {
            opened = true;
            writer = McapWriter.create(file, "Cartostream");
          }
          topics.outcome(number, reading, outcome);
        });
  }

  @Override
  public void map(OccupancyGrid map, int correction, long stampNanos) {
    record(() -> topics.map(map, correction, stampNanos));
  }

  @Override
  public void particles(ParticlesMessage newest, long stampNanos) {
    record(() -> topics.particles(newest, stampNanos));
  }

  @Override
  public void loops(List<ClosedLoop> newest, long stampNanos) {
    record(() -> topics.loops(newest, stampNanos));
  }

  @Override
  public double drawingShare() {
    return DRAWING_SHARE;
  }

  @Override
  public void link(String trouble) {
    record(() -> topics.link(trouble));
  }

  @Override
  public void result(OccupancyGrid map, List<PathPose> path) {
    record(() -> topics.result(map, path));
  }

  @Override
  public void end(String failure) {
    record(
        () -> {
          topics.end(failure);
          if (writer != null) {
            writer.close();
          }
        });
  }

  private void record(Part part) {
    try {
      part.write();
      endOldChunk();
    } catch (UncheckedIOException e) {
      giveUp(e.getCause());
    } catch (RuntimeException e) {
      giveUp(new IOException(e.toString(), e));
    } catch (IOException e) {
      giveUp(e);
    } catch (LinkageError e) { // The library that compresses lies in the temporary folder.
      giveUp(
          new IOException(
              "the temporary folder %s cannot be used: %s"
                  .formatted(System.getProperty("java.io.tmpdir"), e.getMessage()),
              e));
    }
  }

  private void endOldChunk() throws IOException {
    long now = System.nanoTime();
    if (writer != null && now - chunkNanos > TimeUnit.SECONDS.toNanos(CHUNK_SECONDS)) {
      writer.endChunk();
      chunkNanos = now;
    }
  }

  /**
   * Writes a message; a topic is entered into the file at its first message. JSON stands in a text
   * of ROS, as rosbag2 takes one encoding in a file.
   */
  private void write(Topic topic, long stampNanos, byte[] message) {
    if (writer == null) {
      return;
    }
    MessageType<?> type = topic.type().orElse(RosString.TYPE);
    McapWriter.Channel channel =
        channels.computeIfAbsent(topic, any -> writer.topic(topic.topic(), type, topic.qos()));
    byte[] cdr =
        topic.type().isPresent()
            ? message
            : RosString.TYPE.encodeCdr(new RosString(new String(message, StandardCharsets.UTF_8)));
    try {
      writer.write(channel, stampNanos, cdr);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops writing; the file can be read up to there. */
  private void giveUp(IOException why) {
    McapWriter abandoned = writer;
    writer = null;
    if (abandoned != null) {
      try {
        abandoned.abandon();
      } catch (IOException e) {
        why.addSuppressed(e);
      }
    }
    notices.accept(
        "%s on the disk %s is not written any further, the run goes on: %s"
            .formatted(file, DiskName.of(file), why.getMessage()));
  }
}
