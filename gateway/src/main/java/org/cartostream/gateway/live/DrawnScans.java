package org.cartostream.gateway.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.carried.CarriedRobotSearch;
import org.cartostream.gateway.journal.BlockLog;
import org.cartostream.slam.motion.InitialPose;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File of the scans of which the map consists in which a carried robot is searched for, each with
 * the filter's pose, so that a resumed gateway has that map, too. Each block is a reading's message
 * with the pose as its initial pose. Nothing is added beyond the maximum size, or after the disk
 * was full: then a resumed gateway has a part of the map.
 *
 * <p>Owns the file. The session's thread uses it.
 */
final class DrawnScans {

  private static final Logger LOG = LoggerFactory.getLogger(DrawnScans.class);

  private static final String FILE = "drawn.spool";

  private final String robot;
  private final long maxBytes;
  private final Path file;
  private final BlockLog log;
  private final Codec codec = new Codec(BlockLog.MAX_BLOCK_BYTES);

  /** True once a scan could not be added. */
  private boolean isFull;

  /**
   * @param folder folder of the file
   * @throws GatewayException if the file cannot be used
   */
  DrawnScans(String robot, Path folder, long maxBytes) {
    this.robot = robot;
    this.maxBytes = maxBytes;
    this.file = folder.resolve(FILE);
    try {
      log =
          new BlockLog(file, "a resumed gateway searches for a carried robot in a part of its map");
    } catch (IOException e) {
      throw new GatewayException(file + " cannot be used: " + e.getMessage() + "; move it away", e);
    }
  }

  /** Leaves out all scans, for a run whose map is empty. */
  void begin() {
    try {
      log.rewrite(List.of(), false);
      isFull = false;
    } catch (IOException e) {
      full(e);
    }
  }

  /** Passes the scans of an earlier process to a search, as far as they can be read. */
  void restore(CarriedRobotSearch search) {
    try {
      for (BlockLog.Block block : log.recover(BlockLog.OnDamage.CUT_OFF)) {
        Envelope drawn = codec.decode(log.read(block));
        if (drawn.body() instanceof ReadingMessage message
            && message.initialPose() instanceof InitialPose.At at) {
          search.know(new CarriedRobotSearch.Drawn(drawn.sequence(), message.reading(), at.pose()));
        }
      }
    } catch (IOException | RefusedMessageException e) {
      full(e);
    }
    search.goOn();
  }

  private void full(Exception e) {
    LOG.warn("{} cannot be used on: {}; a resumed gateway lacks scans", file, e.getMessage());
    isFull = true;
  }

  /** Adds a scan. */
  void add(CarriedRobotSearch.Drawn drawn) {
    InitialPose pose = InitialPose.At.pointedAt(drawn.pose());
    ReadingMessage message = new ReadingMessage(drawn.reading(), 0, null, pose);
    try {
      byte[] block =
          codec.encode(
              new Envelope(robot, 0, drawn.place(), drawn.reading().stampNanos(), message));
      isFull |= log.length() + block.length > maxBytes;
      if (!isFull) {
        log.append(block, false);
      }
    } catch (IOException | RefusedMessageException e) {
      full(e);
    }
  }

  /**
   * @param keeps true to leave the file to another process, which continues the run
   */
  void close(boolean keeps) throws IOException {
    log.close();
    if (!keeps) {
      Files.deleteIfExists(file);
    }
  }
}
