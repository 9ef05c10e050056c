package org.cartostream.gateway.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.settings.file.RegularFile;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.map.OccupancyGrid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assembler of the robot's map from the tiles that the service sends. Owns the newest map of a run,
 * and its version; writes it into a file now and then, for a process that resumes the run.
 */
final class MapAssembler {

  private static final Logger LOG = LoggerFactory.getLogger(MapAssembler.class);

  private static final long MIN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Divisor of the time: writing the file takes at most this part of it. */
  private static final int MAX_SHARE = 40;

  private static final int MAX_BYTES = 1 << 27;
  private static final Codec CODEC = new Codec(MAX_BYTES);

  private final Optional<Path> file;
  private OccupancyGrid grid;
  private long version;
  private long keptAt;
  private long pauseNanos;

  /**
   * @param file file for the map; empty to keep none
   */
  MapAssembler(Optional<Path> file) {
    this.file = file;
  }

  /**
   * Returns the version of the map, which each reading tells the service; 0 if there is no map yet.
   */
  long version() {
    return grid == null ? 0 : version;
  }

  /**
   * Takes a whole map, or the tiles that have changed.
   *
   * @param envelope envelope of the message, whose number is the map's version
   * @return the whole map; empty if the message is older than the present map, or its tiles belong
   *     to a map that never came. The next reading tells the service the present version
   * @throws org.cartostream.broker.RefusedMessageException if the message holds no valid map
   */
  Optional<OccupancyGrid> apply(Envelope envelope) {
    MapMessage map = (MapMessage) envelope.body();
    boolean stale = grid != null && envelope.sequence() < version;
    boolean fits = map.isWhole() || (grid != null && map.base() <= version);
    if (stale || !fits) {
      return Optional.empty();
    }
    grid = map.isWhole() ? map.grid() : map.applyTo(grid);
    version = envelope.sequence();
    if (file.isPresent() && (pauseNanos == 0 || System.nanoTime() - keptAt > pauseNanos)) {
      keep(envelope, file.get());
    }
    return Optional.of(grid);
  }

  private void keep(Envelope envelope, Path where) {
    long start = System.nanoTime();
    try {
      int correction = ((MapMessage) envelope.body()).correction();
      byte[] whole = CODEC.encode(envelope.answer(MapMessage.of(grid, correction)));
      AtomicFile.write(where, out -> out.write(whole));
    } catch (IOException | RefusedMessageException e) {
      LOG.warn("the map so far cannot be kept in {}", where, e);
    }
    keptAt = System.nanoTime();
    pauseNanos = Math.max(MIN_PAUSE_NANOS, (keptAt - start) * MAX_SHARE);
  }

  /**
   * Reads the message with the run's map from the file that another process has written; empty if
   * there is none.
   */
  Optional<Envelope> load(long run) {
    try {
      if (file.isPresent() && Files.exists(file.get())) {
        RegularFile.requireSmall(file.get(), "map of a run", MAX_BYTES, FileFormatException::new);
        Envelope kept = CODEC.decode(Files.readAllBytes(file.get()));
        if (kept.run() == run && apply(kept).isPresent()) {
          return Optional.of(kept);
        }
      }
    } catch (IOException | RefusedMessageException e) {
      LOG.warn("the map so far cannot be read; it comes again", e);
    }
    return Optional.empty();
  }
}
