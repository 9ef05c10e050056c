package org.cartostream.web.recording;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.cartostream.broker.message.Outcome;
import org.cartostream.ros.mcap.McapWriter;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.web.observer.RunObserver;
import org.cartostream.web.topic.RunTopics;
import org.cartostream.web.topic.Topic;

/**
 * Records a run as an MCAP file with its {@link Topic}s, in a thread of its own. Never fails or
 * holds up the run: where the file cannot be written, the recording ends, and that is said.
 *
 * <p>Owns the file and the thread. What waits to be written is bounded: a reading that comes while
 * {@link #MOST_WAITING_BYTES} wait is left out and counted; so is a map while {@link
 * #MOST_WAITING_MAPS} wait, for the next one holds all that it holds. A process that is killed
 * leaves a file that can be read up to {@link #CHUNK_SECONDS} before.
 */
public final class RunRecorder implements RunObserver {

  /** The file's name. */
  public static final String FILE = "run.mcap";

  static final long MOST_WAITING_BYTES = 64L << 20;
  static final int MOST_WAITING_MAPS = 2;

  /** What was recorded is in the file after so long at most, as soon as more comes. */
  static final long CHUNK_SECONDS = 5;

  private static final long END_SECONDS = 60;
  private static final double DRAWING_SHARE = 0.01;

  /** A reading's and its outcome's share of the heap, besides the ranges. */
  private static final int READING_BYTES = 1000;

  private final Path file;
  private final Consumer<String> notices;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread writing = new Thread(task, "recording");
            writing.setDaemon(true);
            return writing;
          });
  private final AtomicLong waitingBytes = new AtomicLong();
  private final AtomicLong waitingMaps = new AtomicLong();
  private final RunTopics topics = new RunTopics(this::write);
  private long leftOut;

  // The rest is the thread's own.

  private boolean opened;

  /** Null while nothing is written. */
  private McapWriter writer;

  private final Map<Topic, McapWriter.Channel> channels = new EnumMap<>(Topic.class);
  private long chunkNanos;

  /**
   * @param file is replaced when the run has its first reading
   * @param notices receives what people should know, a sentence each; called by any thread
   */
  public RunRecorder(Path file, Consumer<String> notices) {
    this.file = file;
    this.notices = notices;
  }

  @Override
  public void begin(String robot, long scans) {
    record(() -> topics.begin(robot, scans));
  }

  @Override
  public void outcome(long number, Reading reading, Outcome outcome) {
    long bytes =
        READING_BYTES + (reading == null ? 0 : (long) Float.BYTES * reading.scan().beams());
    if (waitingBytes.get() > MOST_WAITING_BYTES) {
      leftOut++;
      return;
    }
    waitingBytes.addAndGet(bytes);
    record(
        () -> {
          waitingBytes.addAndGet(-bytes);
          open();
          topics.outcome(number, reading, outcome);
        });
  }

  @Override
  public void map(OccupancyGrid map, int correction, long stampNanos) {
    if (waitingMaps.get() >= MOST_WAITING_MAPS) {
      return;
    }
    waitingMaps.incrementAndGet();
    record(
        () -> {
          waitingMaps.decrementAndGet();
          topics.map(map, correction, stampNanos);
        });
  }

  @Override
  public void link(String trouble) {
    record(() -> topics.link(trouble));
  }

  @Override
  public void result(OccupancyGrid map, List<PathPose> path) {
    record(() -> topics.result(map, path));
  }

  /** A map is nice to have here, and its drawing holds up the run. */
  @Override
  public double drawingShare() {
    return DRAWING_SHARE;
  }

  /** Returns when the file is whole, or when the disk has taken too long. */
  @Override
  public void end(String failure) {
    record(() -> topics.end(failure));
    thread.execute(this::close);
    thread.shutdown();
    try {
      if (!thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
        notices.accept(
            "%s lacks its end: the disk did not take it within %d s".formatted(file, END_SECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (leftOut > 0) {
      notices.accept(
          "%s lacks %d readings: the disk did not take them as fast as they came"
              .formatted(file, leftOut));
    }
  }

  private void record(Runnable task) {
    thread.execute(
        () -> {
          try {
            task.run();
            endOldChunk();
          } catch (UncheckedIOException e) {
            giveUp(e.getCause());
          } catch (IOException e) {
            giveUp(e);
          }
        });
  }

  /** With the first reading: a run that has none leaves an older run's file. */
  private void open() {
    if (!opened) {
      opened = true;
      try {
        writer = McapWriter.create(file, "Cartostream");
      } catch (IOException e) {
        giveUp(e);
      }
    }
  }

  private void endOldChunk() throws IOException {
    long now = System.nanoTime();
    if (writer != null && now - chunkNanos > TimeUnit.SECONDS.toNanos(CHUNK_SECONDS)) {
      writer.endChunk();
      chunkNanos = now;
    }
  }

  /** A topic is in the file when it has a message. */
  private void write(Topic topic, long stampNanos, byte[] message) {
    if (writer == null) {
      return;
    }
    McapWriter.Channel channel =
        channels.computeIfAbsent(
            topic,
            any ->
                topic
                    .type()
                    .map(type -> writer.topic(topic.topic(), type))
                    .orElseGet(() -> writer.jsonTopic(topic.topic())));
    try {
      writer.write(channel, stampNanos, message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void close() {
    if (writer != null) {
      try {
        writer.close();
      } catch (IOException e) {
        giveUp(e);
      }
    }
  }

  /** The file is left as far as it came: it can be read up to there. */
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
        "%s is not written any further, the run goes on: %s".formatted(file, why.getMessage()));
  }
}
