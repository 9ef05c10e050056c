package org.cartostream.slam.match;

/**
 * Measures of the agreement of a scan, at a given pose, with the robot's latest scans.
 *
 * @param logLikelihood mean over the beam ends compared: 0 where a beam ends on a known wall,
 *     {@link #UNSEEN} where nobody looked before, and the log of the matcher's {@code zRand} where
 *     one scan saw free space and the other a wall
 * @param contradicted share of the beam ends compared that contradict the other scan, 0 to 1
 * @param unseen share of the scan's beams that end where nobody looked before, 0 to 1
 */
public record ScanConsistency(double logLikelihood, double contradicted, double unseen) {

  /** Log likelihood of a beam that ends in unknown space, neither for the pose nor against it. */
  public static final double UNSEEN = -0.6;
}
