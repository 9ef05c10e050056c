/** Logs as robots with bad odometry, or with lesser lasers, would have left them. */
package org.cartostream.bench.faults;
