/** Gain of more tasks, measured here and modelled for more cores. */
package org.cartostream.bench.scale;
