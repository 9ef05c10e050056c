/** Errors of trajectories: ATE, relations (Kümmerle et al.), loop edges. */
package org.cartostream.slam.eval;
