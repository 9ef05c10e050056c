/** Measurements of runs while processes of a cluster are killed, and of checkpoints' cost. */
package org.cartostream.bench.recovery;
