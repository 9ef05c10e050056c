/** Latency from a reading at the robot's gateway to its pose and to its outcome. */
package org.cartostream.bench.latency;
