/**
 * Writes recordings as MCAP files, which Foxglove, Lichtblick and rosbag2 read; and finds moments
 * in them.
 */
package org.cartostream.ros.mcap;
