package org.cartostream.gateway.live;

import java.io.IOException;
import java.nio.file.Path;
import org.cartostream.slam.file.DiskName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says when a file's disk has no room for it, and when it has again, once each. */
final class SpoolDisk {

  private static final Logger LOG = LoggerFactory.getLogger(SpoolDisk.class);
  private static final double BYTES_PER_MEGABYTE = 1_000_000;

  private final Path file;
  private final long heldBytes;

  /** True if it could not be written last time. */
  private boolean isUnwritable;

  /**
   * @param heldBytes so much is kept in memory meanwhile
   */
  SpoolDisk(Path file, long heldBytes) {
    this.file = file;
    this.heldBytes = heldBytes;
  }

  void sayUnwritable(IOException why) {
    if (!isUnwritable) {
      LOG.warn(
          "{} on the disk {} cannot be written ({}): up to {} MB of what waits is kept in memory,"
              + " and lost if this process ends; make room there",
          file,
          DiskName.of(file),
          why.getMessage(),
          heldBytes / BYTES_PER_MEGABYTE);
    }
    isUnwritable = true;
  }

  void sayWritable() {
    if (isUnwritable) {
      LOG.info("{} can be written again", file);
    }
    isUnwritable = false;
  }
}
