package org.cartostream.gateway.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.journal.BlockLog;
import org.cartostream.gateway.session.ReadingSource;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of a live robot's readings that wait to be sent: its key frames, in a file, and the
 * newest reading. Any other is skipped when a newer one comes.
 *
 * <p>While the service answers, few key frames may wait: when there are more, it is slower than the
 * robot, and only every second one stays, for a map that follows late is of no use. While it cannot
 * be reached, as many wait as the file holds; when that is full, only every second one stays, then
 * every fourth and so on, so that they still cover the whole way. When the service is back, the
 * limit is raised by what has gathered meanwhile, and then halved step by step.
 *
 * <p>Waiting readings have no number in the run yet, so skipped ones leave no gap. Owns the queue
 * and its file, in which a resumed gateway finds the key frames that waited when the process before
 * died. While the disk is full, key frames are kept in memory, up to a quarter of the file's
 * maximum size. Readings that a search for the robot holds back are in the file, too. Thread-safe.
 */
final class Backlog implements ReadingSource {

  private static final Logger LOG = LoggerFactory.getLogger(Backlog.class);

  private static final String FILE = "backlog.spool";
  private static final long BYTES_PER_MEGABYTE = 1_000_000;

  /**
   * Divisor of the file's maximum size: the part that may wait in memory while the disk is full.
   */
  private static final int MEMORY_PART = 4;

  private final String robot;
  private final ReadingFilterSettings keyFrames;
  private final int baseLimit;
  private final BiConsumer<Long, SkipReason> onSkipped;
  private final long maxBytes;
  private final Path file;
  private final BlockLog log;
  private final Codec codec = new Codec(BlockLog.MAX_BLOCK_BYTES);

  /** Key frames before the newest reading, oldest first. */
  private final Deque<QueuedKeyFrame> queue = new ArrayDeque<>();

  /** Reading that was taken from the queue to be sent next; null if there is none. */
  private Reading due;

  private Reading newest;
  private boolean newestIsKeyFrame;

  /** The last key frame that was offered; null before the first. */
  private Reading lastKeyFrame;

  private boolean away;

  /**
   * Number of key frames that waited when the service went away. When it is back, the limit is
   * raised by the number of those that came since.
   */
  private int queuedWhenAway;

  private int limit;

  /** The next key frame's number, see {@link QueuedKeyFrame}. */
  private long nextNumber;

  /** Key frames whose number is a multiple of this stay in the queue; 1 if all stay. */
  private long stride = 1;

  private SkipReason strideReason = SkipReason.FILTER_BUSY;

  /** True if what is offered now is skipped. */
  private boolean stopped;

  private boolean isNewRunAsked;

  /**
   * @param folder folder of the file; created if it is missing
   * @param sentTo stamp of the last reading that was sent before the gateway's process died: the
   *     key frames behind it still wait; empty if the run begins
   * @param onSkipped takes the stamp of each reading that will not be sent, and why
   * @throws GatewayException if no file can be written in the folder
   */
  Backlog(
      String robot,
      GatewaySettings settings,
      ReadingFilterSettings keyFrames,
      Path folder,
      OptionalLong sentTo,
      BiConsumer<Long, SkipReason> onSkipped) {
    this.robot = robot;
    this.keyFrames = keyFrames;
    this.baseLimit = settings.waitingKeyFrames();
    this.limit = baseLimit;
    this.onSkipped = onSkipped;
    this.maxBytes = settings.backlogMegabytes() * BYTES_PER_MEGABYTE;
    this.file = folder.resolve(FILE);
    try {
      Files.createDirectories(folder);
      log = new BlockLog(file, whenUnwritable());
      if (sentTo.isPresent()) {
        resume(sentTo.getAsLong());
      } else {
        log.rewrite(List.of(), false);
      }
    } catch (IOException | RefusedMessageException e) {
      throw new GatewayException(
          "the backlog " + file + " cannot be used: " + e.getMessage() + "; move it away", e);
    }
  }

  private String whenUnwritable() {
    return "up to "
        + maxBytes / MEMORY_PART / (double) BYTES_PER_MEGABYTE
        + " MB of what waits is kept in memory, and lost if this process ends";
  }

  private void resume(long sentTo) throws IOException {
    long latest = sentTo;
    for (BlockLog.Block block : log.recover(BlockLog.OnDamage.CUT_OFF)) {
      Reading keyFrame = decode(log.read(block));
      if (keyFrame.stampNanos()
          > latest) { // Else it is there twice: as it waited, and as it was kept.
        latest = keyFrame.stampNanos();
        queue.add(new QueuedKeyFrame(nextNumber++, keyFrame.stampNanos(), block));
        lastKeyFrame = keyFrame;
      }
    }
    limit = Math.max(limit, baseLimit + queue.size());
  }

  /** Takes the robot's newest reading. */
  synchronized void offer(Reading reading) {
    if (stopped) {
      onSkipped.accept(reading.stampNanos(), SkipReason.GATEWAY_STOPPED);
      return;
    }
    if (newest != null && newestIsKeyFrame) {
      enqueue(newest);
    } else if (newest != null) {
      onSkipped.accept(newest.stampNanos(), SkipReason.FILTER_BUSY);
    }
    newest = reading;
    newestIsKeyFrame =
        lastKeyFrame == null
            || keyFrames.isKeyFrame(lastKeyFrame.odometry().to(reading.odometry()));
    if (newestIsKeyFrame) {
      lastKeyFrame = reading;
    }
    if (!away && queue.size() >= limit) {
      thinOut(SkipReason.FILTER_BUSY);
      limit = Math.max(baseLimit, limit / 2);
    }
  }

  private void enqueue(Reading keyFrame) {
    if (queue.isEmpty()) {
      nextNumber = 0;
      stride = 1;
    }
    long number = nextNumber++;
    long stamp = keyFrame.stampNanos();
    byte[] bytes;
    try {
      bytes = encode(keyFrame);
    } catch (RefusedMessageException e) {
      onSkipped.accept(stamp, SkipReason.BACKLOG_UNWRITABLE);
      return;
    }
    try {
      if (!hasRoomFor(bytes)) {
        makeRoom();
      }
      if (number % stride != 0) {
        onSkipped.accept(stamp, strideReason);
      } else if (hasRoomFor(bytes)) {
        add(new QueuedKeyFrame(number, stamp, log.append(bytes, false)));
      } else {
        onSkipped.accept(stamp, SkipReason.BACKLOG_FULL);
      }
    } catch (IOException e) {
      hold(new QueuedKeyFrame(number, stamp, BlockLog.Block.inMemory(bytes)));
    }
  }

  /**
   * Keeps a reading that was taken from here and may not be sent for long, so that a resumed
   * gateway finds it, as far as the file has room.
   */
  synchronized void keep(Reading taken) {
    try {
      byte[] bytes = encode(taken);
      if (hasRoomFor(bytes)) {
        log.append(bytes, false);
      }
    } catch (IOException | RefusedMessageException e) {
      LOG.warn("robot {}: a scan in doubt is lost if this process ends: {}", robot, e.getMessage());
    }
  }

  private void add(QueuedKeyFrame queued) {
    queue.add(queued);
    notifyAll();
  }

  /** Keeps a key frame in memory, if there is room, because the file cannot be written. */
  private void hold(QueuedKeyFrame queued) {
    long held = bytes(each -> each.held() != null) + queued.block().bytes();
    if (queued.number() % stride != 0) {
      onSkipped.accept(queued.stampNanos(), strideReason);
    } else if (held <= maxBytes / MEMORY_PART) {
      add(queued);
    } else {
      onSkipped.accept(queued.stampNanos(), SkipReason.BACKLOG_UNWRITABLE);
    }
  }

  private long bytes(Predicate<BlockLog.Block> which) {
    return queue.stream()
        .map(QueuedKeyFrame::block)
        .filter(which)
        .mapToLong(BlockLog.Block::bytes)
        .sum();
  }

  private boolean hasRoomFor(byte[] bytes) {
    return log.length() + BlockLog.HEAD_BYTES + bytes.length <= maxBytes;
  }

  /**
   * Thins out the queue to half of the file's maximum size and rewrites the file. With less free
   * room the file would be rewritten for each reading.
   */
  private void makeRoom() throws IOException {
    while (queue.size() > 1 && bytes(any -> true) > maxBytes / 2) {
      thinOut(SkipReason.BACKLOG_FULL);
    }
    List<BlockLog.Block> kept = queue.stream().map(QueuedKeyFrame::block).toList();
    Iterator<BlockLog.Block> moved = log.rewrite(kept, false).iterator();
    replaceAll(old -> new QueuedKeyFrame(old.number(), old.stampNanos(), moved.next()));
  }

  private void thinOut(SkipReason why) {
    stride *= 2;
    strideReason = why;
    for (Iterator<QueuedKeyFrame> all = queue.iterator(); all.hasNext(); ) {
      QueuedKeyFrame queuedKeyFrame = all.next();
      if (queuedKeyFrame.number() % stride != 0) {
        all.remove();
        onSkipped.accept(queuedKeyFrame.stampNanos(), why);
      }
    }
  }

  private void replaceAll(UnaryOperator<QueuedKeyFrame> change) {
    List<QueuedKeyFrame> all = queue.stream().map(change).toList();
    queue.clear();
    queue.addAll(all);
  }

  /** Returns the reading that has waited longest; null if none waits. */
  @Override
  public synchronized Reading due(long nanoTime) {
    while (due == null && !queue.isEmpty()) {
      due = read(queue.remove());
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

  /** Returns no time: {@link LiveGateway#offer} wakes the session instead. */
  @Override
  public long dueInNanos(long nanoTime) {
    return Long.MAX_VALUE;
  }

  private Reading read(QueuedKeyFrame queuedKeyFrame) {
    Reading reading = readable(queuedKeyFrame);
    if (reading == null) {
      onSkipped.accept(queuedKeyFrame.stampNanos(), SkipReason.BACKLOG_UNWRITABLE);
    }
    return reading;
  }

  /**
   * Reads a key frame of the queue; null if that fails or the file has another reading in its
   * place.
   */
  private Reading readable(QueuedKeyFrame queuedKeyFrame) {
    try {
      Reading reading = decode(log.read(queuedKeyFrame.block()));
      if (reading.stampNanos() == queuedKeyFrame.stampNanos()) {
        return reading;
      } // Else the file was not moved whole: what stands there is another.
    } catch (IOException | RefusedMessageException e) {
      // Left out, as if another reading stood there.
    }
    return null;
  }

  /**
   * A key frame that waits in the queue; taking it does not remove it.
   *
   * @param number number of the key frame, see {@link QueuedKeyFrame}
   */
  record Waiting(long number, Reading reading) {}

  /**
   * Waits for the first key frame in the queue after a number, and returns it; null if the backlog
   * was stopped.
   */
  synchronized Waiting awaitBehind(long number) throws InterruptedException {
    Waiting next = waiting(queue.iterator(), each -> each > number);
    while (next == null && !stopped) {
      wait();
      next = waiting(queue.iterator(), each -> each > number);
    }
    return stopped ? null : next;
  }

  /** The last key frame in the queue before a number; null if there is none. */
  synchronized Waiting before(long number) {
    return waiting(queue.descendingIterator(), each -> each < number);
  }

  /**
   * Skips the key frames up to a number, and returns how many. The first that is left is renumbered
   * to 0, so that it is never thinned out.
   */
  synchronized int skipTo(long number, SkipReason why) {
    int skipped = 0;
    for (; !queue.isEmpty() && queue.element().number() <= number; skipped++) {
      onSkipped.accept(queue.remove().stampNanos(), why);
    }
    long first = queue.isEmpty() ? 0 : queue.element().number();
    replaceAll(each -> each.renumbered(-first));
    nextNumber -= first;
    return skipped;
  }

  private Waiting waiting(Iterator<QueuedKeyFrame> all, LongPredicate wanted) {
    while (all.hasNext()) {
      QueuedKeyFrame each = all.next();
      Reading reading = wanted.test(each.number()) ? readable(each) : null;
      if (reading != null) {
        return new Waiting(each.number(), reading);
      }
    }
    return null;
  }

  /** Asks for a new run, with an empty map. */
  synchronized void askForNewRun() {
    isNewRunAsked = true;
  }

  @Override
  public synchronized boolean takesNewRun() {
    boolean isAsked = isNewRunAsked;
    isNewRunAsked = false;
    return isAsked;
  }

  @Override
  public synchronized void setServiceAway(boolean nowAway) {
    if (!away && nowAway) {
      queuedWhenAway = queue.size();
    } else if (away && !nowAway) {
      limit = Math.max(limit, baseLimit + Math.max(0, queue.size() - queuedWhenAway));
    }
    away = nowAway;
  }

  @Override
  public synchronized boolean isExhausted() {
    return stopped && size() == 0;
  }

  /** Returns how many readings wait. */
  synchronized int size() {
    return queue.size() + (newest == null ? 0 : 1) + (due == null ? 0 : 1);
  }

  /** Skips whatever is offered from now on; what waits can still be sent. */
  @Override
  public synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  /** Skips whatever waits, and whatever is offered from now on. */
  synchronized void skipAll() {
    stop();
    for (Reading reading = due(0); reading != null; reading = due(0)) {
      drop();
      onSkipped.accept(reading.stampNanos(), SkipReason.GATEWAY_STOPPED);
    }
  }

  private byte[] encode(Reading reading) {
    return codec.encode(
        new Envelope(robot, 0, 0, reading.stampNanos(), new ReadingMessage(reading)));
  }

  private Reading decode(byte[] block) {
    if (codec.decode(block).body() instanceof ReadingMessage message) {
      return message.reading();
    }
    throw BrokerRefusal.BAD_VALUE.exception("what waits is a reading");
  }

  /**
   * @param keeps true to leave the file to another process, which continues the run
   */
  synchronized void close(boolean keeps) throws IOException {
    log.close();
    if (!keeps) {
      Files.deleteIfExists(file);
    }
  }
}
