/** An accepted reading as a step of motion, and how far odometry may be off in it. */
package org.cartostream.slam.motion;
