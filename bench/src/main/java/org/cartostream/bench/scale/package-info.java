/** Gain of more tasks, measured on this machine and modelled for more cores. */
package org.cartostream.bench.scale;
