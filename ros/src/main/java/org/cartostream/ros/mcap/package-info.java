/** Writes recordings as MCAP files, which Foxglove, Lichtblick and rosbag2 read. */
package org.cartostream.ros.mcap;
