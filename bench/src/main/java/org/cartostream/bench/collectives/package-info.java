/** What collective operations cost, beside MPJ Express. */
package org.cartostream.bench.collectives;
