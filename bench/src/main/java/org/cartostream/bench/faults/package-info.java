/** Logs as robots with bad odometry, or with lesser lasers, would have recorded them. */
package org.cartostream.bench.faults;
