/** How far a trajectory is off: ATE, relations (Kümmerle et al.), loop edges. */
package org.cartostream.slam.eval;
