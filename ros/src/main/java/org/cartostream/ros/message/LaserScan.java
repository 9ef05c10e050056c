package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/**
 * {@code sensor_msgs/LaserScan}: angles in radians, ranges in metres, times in seconds.
 *
 * @param header its stamp is the first beam's
 */
public record LaserScan(
    Header header,
    float angleMin,
    float angleMax,
    float angleIncrement,
    float timeIncrement,
    float scanTime,
    float rangeMin,
    float rangeMax,
    float[] ranges,
    float[] intensities) {

  public static final MessageType<LaserScan> TYPE =
      MessageType.of("sensor_msgs/LaserScan", LaserScan.class);

  /** Returns a copy with another stamp, nanoseconds. */
  public LaserScan stampedAt(long stamp) {
    return new LaserScan(
        new Header(header.seq(), stamp, header.frameId()),
        angleMin,
        angleMax,
        angleIncrement,
        timeIncrement,
        scanTime,
        rangeMin,
        rangeMax,
        ranges,
        intensities);
  }
}
