/** Maps as files: what ROS's map_server reads, and a picture for people. */
package org.cartostream.slam.map.file;
