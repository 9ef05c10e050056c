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
 * and its version; keeps it in a file now and then, for a gateway that goes on with the run.
 */
final class MapAssembler {

  private static final Logger LOG = LoggerFactory.getLogger(MapAssembler.class);

  private static final long MIN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Writing takes no more than one part in so many of the time. */
  private static final int MAX_SHARE = 40;

  private static final int MAX_BYTES = 1 << 27;
  private static final Codec CODEC = new Codec(MAX_BYTES);

  private final Optional<Path> file;
  private OccupancyGrid grid;
  private long version;
  private long keptAt;
  private long pauseNanos;

  /**
   * @param file for the map; empty for none
   */
  MapAssembler(Optional<Path> file) {
    this.file = file;
  }

  /** The version that the service is told with each reading; 0 if there is no map yet. */
  long version() {
    return grid == null ? 0 : version;
  }

  /**
   * Takes a map, or tiles of one.
   *
   * @param envelope of the message: its number is the map's version
   * @return the whole map; empty if it is older than the one that is held, or of tiles for a map
   *     that never came: the service learns with the next reading which one is held
   * @throws org.cartostream.broker.RefusedMessageException if it is none
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

  /** The message of the run's map that another process has kept; empty if there is none. */
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
