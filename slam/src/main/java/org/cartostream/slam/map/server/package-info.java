/** Maps as ROS's map_server describes them, read from their files. */
package org.cartostream.slam.map.server;
