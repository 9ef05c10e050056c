package org.cartostream.slam.sensor;

import org.cartostream.slam.geometry.Pose;

/**
 * One sweep of a planar laser, as ROS's {@code sensor_msgs/LaserScan} describes it.
 *
 * <p>A range is a hit when it is finite and in [{@code minRange}, {@code maxRange}). {@code
 * +Infinity}, or a finite range of {@code maxRange} and more, says that nothing was met up to
 * {@code maxRange}; {@code NaN}, {@code -Infinity} and what is below {@code minRange} says nothing
 * (REP 117). Limits are compared as floats, as ranges are: a range of 5.6 is less than a maximum of
 * 5.6 otherwise, and no wall stands there.
 *
 * <p>Whatever {@code maxRange} says, a range of {@link #MAX_RANGE_METRES} and more met nothing:
 * some drivers leave the maximum open and send the largest of all floats for a beam that came back
 * from nowhere, and a map that reached as far would fill any memory.
 *
 * @param mount the laser's pose on the base; beams start there
 * @param startAngle direction of the first beam in the laser's frame, radians
 * @param angleStep from one beam to the next, radians; negative for a laser that turns clockwise
 * @param minRange metres
 * @param maxRange metres
 * @param ranges metres, one per beam. The array is not copied: nobody may write to it
 */
public record Scan(
    Pose mount,
    double startAngle,
    double angleStep,
    double minRange,
    double maxRange,
    float[] ranges) {

  /**
   * Range from which on a beam met nothing, metres. The planar lasers that robots carry end below;
   * what drivers send for "no reading" in hundredths of a metre and 16 bits, 327.67 or 655.35, lies
   * above.
   */
  public static final float MAX_RANGE_METRES = 300;

  /**
   * Range below which no beam is a hit, metres, whatever {@code minRange} is: a driver whose
   * minimum is 0 means "no reading" by a 0 all the same.
   */
  public static final float NEAREST_METRES = 0.01f;

  /** Returns the same scan of a laser that is mounted elsewhere. */
  public Scan mountedAt(Pose elsewhere) {
    return new Scan(elsewhere, startAngle, angleStep, minRange, maxRange, ranges);
  }

  /** Returns the same scan without what is nearer to the laser than {@code metres}. */
  public Scan from(double metres) {
    return metres > minRange
        ? new Scan(mount, startAngle, angleStep, metres, maxRange, ranges)
        : this;
  }

  /**
   * Returns the same scan with a maximum range of {@code metres}, from which on beams met nothing.
   */
  public Scan upTo(double metres) {
    return metres < maxRange
        ? new Scan(mount, startAngle, angleStep, minRange, metres, ranges)
        : this;
  }

  /** Returns the same scan with other ranges, one per beam. */
  public Scan withRanges(float[] others) {
    return new Scan(mount, startAngle, angleStep, minRange, maxRange, others);
  }

  /** Returns the same scan with so many of its beams at most, evenly spread. */
  public Scan atMost(int max) {
    int stride = (ranges.length + max - 1) / max;
    if (stride <= 1) {
      return this;
    }
    float[] some = new float[(ranges.length + stride - 1) / stride];
    for (int i = 0; i < some.length; i++) {
      some[i] = ranges[i * stride];
    }
    return new Scan(mount, startAngle, angleStep * stride, minRange, maxRange, some);
  }

  /** Number of beams. */
  public int beams() {
    return ranges.length;
  }

  /** The longest range of a hit, metres; 0 if there is none. */
  public double farthestHit() {
    double farthest = 0;
    for (int i = 0; i < ranges.length; i++) {
      farthest = isHit(i) ? Math.max(farthest, ranges[i]) : farthest;
    }
    return farthest;
  }

  /** True if any beam met something within the laser's range. */
  public boolean hasHit() {
    for (int i = 0; i < ranges.length; i++) {
      if (isHit(i)) {
        return true;
      }
    }
    return false;
  }

  /** True if a beam says for certain that it met nothing, by {@code +Infinity}. */
  public boolean hasInfinity() {
    for (float range : ranges) {
      if (range == Float.POSITIVE_INFINITY) {
        return true;
      }
    }
    return false;
  }

  /** True if beam {@code i} met something within the laser's range. */
  public boolean isHit(int i) {
    return ranges[i] >= Math.max((float) minRange, NEAREST_METRES) && !isMiss(i);
  }

  /** True if beam {@code i} met nothing up to {@link #maxRange} or {@link #MAX_RANGE_METRES}. */
  public boolean isMiss(int i) {
    return ranges[i] >= Math.min((float) maxRange, MAX_RANGE_METRES);
  }
}
