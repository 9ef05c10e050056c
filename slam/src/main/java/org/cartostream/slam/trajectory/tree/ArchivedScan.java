package org.cartostream.slam.trajectory.tree;

import org.cartostream.slam.sensor.Scan;

/**
 * A scan that an archive keeps, perhaps on disk.
 *
 * @param number number of the scan in the archive
 */
record ArchivedScan(ScanArchive archive, int number) {

  Scan scan() {
    return archive.scan(number);
  }
}
