package org.cartostream.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/** The drive that peers in ROS 2's graph play ({@code cyclone.py}, {@code peer.cpp}). */
final class DriveFile {

  private DriveFile() {}

  /**
   * Writes it for them.
   *
   * @param folder that of the peers
   * @param readings with the stamps that they are to have
   */
  static void write(Path folder, List<Reading> readings) throws IOException {
    Scan first = readings.get(0).scan();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s %s %s %s %s%n",
            first.mount().x(),
            first.startAngle(),
            first.angleStep(),
            first.minRange(),
            first.maxRange()));
    for (Reading reading : readings) {
      text.append(reading.stampNanos())
          .append(' ')
          .append(reading.odometry().x())
          .append(' ')
          .append(reading.odometry().y())
          .append(' ')
          .append(reading.odometry().theta());
      for (float range : reading.scan().ranges()) {
        text.append(' ').append(Float.isInfinite(range) ? "inf" : Float.toString(range));
      }
      text.append('\n');
    }
    Files.writeString(folder.resolve("drive.txt"), text);
  }
}
