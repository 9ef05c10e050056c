/**
 * The first stage of the filter: decides about each reading (refused, key frame, in between), and
 * scans without the robot's own parts.
 */
package org.cartostream.slam.preprocess;
