/**
 * The first stage: what becomes of each reading (refused, key frame, in between), and scans without
 * the robot's own parts.
 */
package org.cartostream.slam.preprocess;
