/** Costs of the filter alone, by log and number of particles. */
package org.cartostream.bench.filter;
