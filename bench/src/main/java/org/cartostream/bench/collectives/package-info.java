/** Costs of collective operations, beside MPJ Express. */
package org.cartostream.bench.collectives;
