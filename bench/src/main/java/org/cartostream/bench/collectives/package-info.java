/** Costs of collective operations, beside those of MPJ Express. */
package org.cartostream.bench.collectives;
