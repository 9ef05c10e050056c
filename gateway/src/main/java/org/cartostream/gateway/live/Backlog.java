package org.cartostream.gateway.live;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.session.ReadingSource;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.ReadingFilterSettings;

/**
 * The readings of a live robot that wait to be sent, in the order in which they were taken: the key
 * frames among them and the newest. Any other is left out when a newer one comes.
 *
 * <p>While the service answers, few key frames may wait: when there are more, it is slower than the
 * robot, and only every second one stays, for a map that follows late is of no use. While it cannot
 * be reached, as many wait as a file holds; when that is full, only every second one stays, then
 * every fourth and so on, so that they still cover the whole way. What has gathered by the time the
 * service is back is not held against it; but from then on the line has to become shorter.
 *
 * <p>Owns the line and its file. What waits when the gateway dies is gone: a gateway that starts
 * anew begins a new map. Thread-safe.
 */
final class Backlog implements ReadingSource, Closeable {

  private static final String FILE = "backlog.spool";
  private static final long BYTES_A_MEGABYTE = 1_000_000;

  /** What is longer cannot be sent with any setting. */
  private static final int MOST_READING_BYTES = 1 << 27;

  /**
   * A key frame in the file.
   *
   * @param number from 0 since the line was empty
   */
  private record QueuedKeyFrame(long number, long stampNanos, Spool.Block place) {}

  private final String robot;
  private final ReadingFilterSettings keyFrames;
  private final int usualLimit;
  private final BiConsumer<Long, SkipReason> skipReason;
  private final long mostBytes;
  private final Spool spool;
  private final Codec codec = new Codec(MOST_READING_BYTES);

  /** Key frames before the newest reading, oldest first. */
  private final Deque<QueuedKeyFrame> line = new ArrayDeque<>();

  /** Is due, and was not sent yet; it comes before the line. */
  private Reading due;

  private Reading newest;
  private boolean newestIsKeyFrame;

  /** The last that was a key frame; null before the first. */
  private Reading lastKeyFrame;

  private boolean away;

  /** How many key frames waited when the service went away: only what came since is excused. */
  private int lineWhenLeft;

  private int limit;

  /** Since the line was empty. */
  private long numbered;

  /** Only every so many key frames of the line stay, for this reason; all if 1. */
  private long stride = 1;

  private SkipReason strideBecause = SkipReason.FILTER_BUSY;

  /** What is offered now is left out. */
  private boolean stopped;

  /**
   * @param folder for the file; it is created if it is missing
   * @param skipReason takes the stamp of each reading that will not be sent, and why
   * @throws GatewayException if no file can be written there
   */
  Backlog(
      String robot,
      GatewaySettings settings,
      ReadingFilterSettings keyFrames,
      Path folder,
      BiConsumer<Long, SkipReason> skipReason) {
    this.robot = robot;
    this.keyFrames = keyFrames;
    this.usualLimit = settings.waitingKeyFrames();
    this.limit = usualLimit;
    this.skipReason = skipReason;
    this.mostBytes = settings.backlogMegabytes() * BYTES_A_MEGABYTE;
    try {
      Files.createDirectories(folder);
      spool = new Spool(folder.resolve(FILE), mostBytes);
    } catch (IOException e) {
      throw new GatewayException("the backlog in " + folder + " cannot be written: " + e, e);
    }
  }

  /** Takes the robot's newest reading. */
  synchronized void offer(Reading reading) {
    if (stopped) {
      skipReason.accept(reading.stampNanos(), SkipReason.GATEWAY_STOPPED);
      return;
    }
    if (newest != null && newestIsKeyFrame) {
      keep(newest);
    } else if (newest != null) {
      skipReason.accept(newest.stampNanos(), SkipReason.FILTER_BUSY);
    }
    newest = reading;
    newestIsKeyFrame =
        lastKeyFrame == null
            || keyFrames.isKeyFrame(lastKeyFrame.odometry().to(reading.odometry()));
    if (newestIsKeyFrame) {
      lastKeyFrame = reading;
    }
    if (!away && line.size() >= limit) {
      thinOut(SkipReason.FILTER_BUSY);
      limit = Math.max(usualLimit, limit / 2);
    }
  }

  private void keep(Reading keyFrame) {
    if (line.isEmpty()) {
      numbered = 0;
      stride = 1;
    }
    long number = numbered++;
    try {
      byte[] block = block(keyFrame);
      makeRoomFor(block.length);
      if (number % stride == 0 && spool.hasRoomFor(block.length)) {
        line.add(new QueuedKeyFrame(number, keyFrame.stampNanos(), spool.append(block)));
      } else {
        skipReason.accept(
            keyFrame.stampNanos(), number % stride == 0 ? SkipReason.BACKLOG_FULL : strideBecause);
      }
    } catch (IOException | RefusedMessageException e) {
      skipReason.accept(keyFrame.stampNanos(), SkipReason.BACKLOG_UNWRITABLE);
    }
  }

  /** Half of the file at least is free afterwards, or the line would be moved for each reading. */
  private void makeRoomFor(int bytes) throws IOException {
    if (spool.hasRoomFor(bytes)) {
      return;
    }
    while (line.size() > 1 && bytesInLine() > mostBytes / 2) {
      thinOut(SkipReason.BACKLOG_FULL);
    }
    compact();
  }

  private long bytesInLine() {
    return line.stream().mapToLong(queuedKeyFrame -> queuedKeyFrame.place().bytes()).sum();
  }

  private void thinOut(SkipReason why) {
    stride *= 2;
    strideBecause = why;
    for (Iterator<QueuedKeyFrame> all = line.iterator(); all.hasNext(); ) {
      QueuedKeyFrame queuedKeyFrame = all.next();
      if (queuedKeyFrame.number() % stride != 0) {
        all.remove();
        skipReason.accept(queuedKeyFrame.stampNanos(), why);
      }
    }
  }

  private void compact() throws IOException {
    List<Spool.Block> moved = spool.compact(line.stream().map(QueuedKeyFrame::place).toList());
    List<QueuedKeyFrame> all = new ArrayList<>(line);
    line.clear();
    for (int i = 0; i < all.size(); i++) {
      QueuedKeyFrame old = all.get(i);
      line.add(new QueuedKeyFrame(old.number(), old.stampNanos(), moved.get(i)));
    }
  }

  /** The reading that has waited longest. */
  @Override
  public synchronized Reading due(long nanoTime) {
    while (due == null && !line.isEmpty()) {
      due = read(line.remove());
    }
    if (due == null) {
      due = newest;
      newest = null;
    }
    return due;
  }

  @Override
  public synchronized void sent(long nanoTime) {
    due = null;
  }

  @Override
  public synchronized void drop() {
    due = null;
  }

  /** Whoever offers a reading wakes the session. */
  @Override
  public long dueInNanos(long nanoTime) {
    return Long.MAX_VALUE;
  }

  private Reading read(QueuedKeyFrame queuedKeyFrame) {
    try {
      Reading reading = reading(spool.read(queuedKeyFrame.place()));
      if (reading.stampNanos() == queuedKeyFrame.stampNanos()) {
        return reading;
      }
      // The file was not moved whole: what stands there is another.
      skipReason.accept(queuedKeyFrame.stampNanos(), SkipReason.BACKLOG_UNWRITABLE);
      return null;
    } catch (IOException | RefusedMessageException e) {
      skipReason.accept(queuedKeyFrame.stampNanos(), SkipReason.BACKLOG_UNWRITABLE);
      return null;
    }
  }

  @Override
  public synchronized void setServiceAway(boolean isAway) {
    if (!away && isAway) {
      lineWhenLeft = line.size();
    } else if (away && !isAway) {
      limit = Math.max(limit, usualLimit + Math.max(0, line.size() - lineWhenLeft));
    }
    away = isAway;
  }

  @Override
  public synchronized boolean isExhausted() {
    return stopped && size() == 0;
  }

  /** How many readings wait. */
  synchronized int size() {
    return line.size() + (newest == null ? 0 : 1) + (due == null ? 0 : 1);
  }

  /** Leaves out whatever is offered from now on; what waits can still be sent. */
  @Override
  public synchronized void stop() {
    stopped = true;
  }

  /** Leaves out whatever waits, and whatever is offered from now on. */
  synchronized void skipAll() {
    stop();
    for (Reading reading = due(0); reading != null; reading = due(0)) {
      drop();
      skipReason.accept(reading.stampNanos(), SkipReason.GATEWAY_STOPPED);
    }
  }

  private byte[] block(Reading reading) {
    return codec.encode(
        new Envelope(robot, 0, 0, reading.stampNanos(), new ReadingMessage(reading)));
  }

  private Reading reading(byte[] block) {
    return ((ReadingMessage) codec.decode(block).body()).reading();
  }

  @Override
  public synchronized void close() throws IOException {
    spool.close();
  }
}
