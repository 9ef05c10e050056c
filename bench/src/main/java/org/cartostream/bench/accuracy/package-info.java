/** Accuracy of trajectories over logs and seeds. */
package org.cartostream.bench.accuracy;
